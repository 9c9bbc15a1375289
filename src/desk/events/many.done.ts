import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import { isNoDate } from '../../calendar/events/model/event.ts'
import { dateText } from '../../publish/pages/date.texts.ts'
import { ApiFailure } from '../api/desk.api.ts'
import type { DeskAnswer, DeskForm, DeskPage, OwnCall, Told } from '../shell/desk.call.ts'
import { tellOnPage } from '../shell/told.ts'
import { type NamedJson, nameOf, titleOf } from './event.json.ts'
import { eventsPage } from './events.page.ts'
import { type BatchAction, chosenFrom, type ManyChoice, type ManyResult } from './many.actions.ts'
import type { ManyItem } from './many.items.ts'
import type { NamedKind } from './table.choices.ts'
import { tableAt, withoutDone } from './table.place.ts'

/** Leads back to the table from which a form was sent, with what it did. */
export function answerMany(call: OwnCall, form: DeskForm, told: Told): Promise<DeskAnswer> {
  const back = form.get('back')
  return tellOnPage(call, isOfToday(form) ? '/admin/' : tableAt(back), { told, page: () => tablePage(call, back) })
}

/** Whether a form was sent from the start page. */
const isOfToday = (form: DeskForm) => form.get('at') === 'today'

/** Returns the table with this query as the answer to a form. */
export async function tablePage(call: OwnCall, back: string): Promise<DeskPage> {
  const query = new URLSearchParams(withoutDone(new URLSearchParams(back)))
  return { ...(await eventsPage({ ...call, query })), address: tableAt(back) }
}

export interface Done {
  readonly action: BatchAction | 'cancel'
  readonly items: readonly ManyItem[]
  readonly choice: ManyChoice
  readonly others?: number
}

/** Returns what an action has done with events: how many, where and on which day, and how it is undone. */
export async function toldOf(call: OwnCall, form: DeskForm, result: ManyResult, done: Done): Promise<Told> {
  const { say } = call
  const { changed, undo, refused } = result
  const { items, others = 0 } = done
  const title = titleOf(call, items.find((one) => !refused.some((other) => other.title === one.title)) ?? { title: '' })
  const text =
    changed === 0
      ? say('many.none')
      : say(`many.done.${keyOf(done)}`, { count: changed, title, ...(await namesIn(call, done)) })
  return {
    text: others > 0 ? `${text} ${say('many.left-out', { count: others })}` : text,
    undo: undoOf(form, undo),
    refused: refused.map((one) => ({ ...one, title: titleOf(call, one) })),
  }
}

const keyOf = ({ action, choice }: Done) =>
  choice.chosen === 0 && (action === 'venue' || action === 'organizer') ? (`no-${action}` as const) : action

function undoOf(form: DeskForm, undo: string): Told['undo'] {
  if (undo === '') return undefined
  const at = isOfToday(form) ? { at: 'today' } : {}
  return { path: '/admin/events/many/undo/', fields: { undo, back: form.get('back'), key: form.get('key'), ...at } }
}

/** Returns the names in the message: what was chosen, and the venue and the day that all events share. */
async function namesIn(call: OwnCall, { action, items, choice }: Done): Promise<Readonly<Record<string, string>>> {
  const shared = <T>(values: readonly T[]) => (new Set(values).size === 1 ? values[0] : undefined)
  const [venueId, day] = [
    shared(items.map((one) => one.venue.join())),
    shared(items.map((one) => one.start.slice(0, 10))),
  ]
  const [venue, name] = await Promise.all([
    readName(call, 'venues', venueId ?? ''),
    readName(call, chosenFrom[action]?.[0] ?? 'venues', String(choice.chosen)),
  ])
  const date = day && !isNoDate(day) ? dateText(call.textLanguage, 'dayOfYear', `${day} 00:00:00` as LocalDateTime) : ''
  const key = venue !== '' && date ? 'many.at-on' : venue !== '' ? 'many.at' : date && 'many.on'
  return { name, where: key ? call.say(key, { venue, day: date }) : '' }
}

async function readName({ api }: OwnCall, kind: NamedKind, id: string): Promise<string> {
  if (!/^[1-9]\d*$/.test(id)) return ''
  try {
    const { status, body } = await api.events<NamedJson>({ path: `/${kind}/${id}` })
    return status === 200 ? nameOf(body) : ''
  } catch (error) {
    // The interface takes no more requests now. The message is shown without names then.
    if (error instanceof ApiFailure) return ''
    throw error
  }
}
