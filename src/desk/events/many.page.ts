import { mayCreate } from '../../access/auth/policy.ts'
import type { DeskKey } from '../../base/languages/catalogue.ts'
import { contentLanguageOf } from '../../base/languages/language.ts'
import { type Html, html } from '../../base/text/html.ts'
import { isNoDate } from '../../calendar/events/model/event.ts'
import {
  type DeskAnswer,
  type DeskForm,
  type DeskPage,
  type DeskRoutes,
  linkTo,
  type OwnCall,
  type Told,
} from '../shell/desk.call.ts'
import { type Choice, csrfField, type Faults, field, formPage, hidden, select } from '../shell/fields.ts'
import { shownMoment, writeMoment } from './editor.dates.ts'
import { idNamed } from './editor.named.ts'
import { titleOf } from './event.json.ts'
import { type RowQuery, readRows, rowIn } from './event.rows.ts'
import { languagesText } from './event.versions.ts'
import { distinctLanguages, languageName } from './language.names.ts'
import {
  BATCH_ACTIONS,
  changesBack,
  changesFor,
  chosenFrom,
  sendCancel,
  sendChanges,
  undoCancel,
} from './many.actions.ts'
import type { Action } from './many.bar.ts'
import { answerMany, tablePage, toldOf } from './many.done.ts'
import { itemOf, itemsIn, type ManyItem, maxItems } from './many.items.ts'
import { sendToTrash } from './many.trash.ts'
import { choicesOf, isCut, linkField } from './table.choices.ts'
import { filtersIn, listQuery, pageQuery } from './table.filters.ts'
import { tableAt } from './table.place.ts'

/** Those that need nothing else than the events. */
const plain: readonly Action[] = ['publish', 'draft', 'trash']
/** What cannot be done with an event without a date, and why. */
const needsDate: Readonly<Partial<Record<Action, DeskKey>>> = { publish: 'editor.check.start', shift: 'events.no-date' }
const maxDays = 3650
const perRead = 100

const actionIn = (form: DeskForm): Action | undefined =>
  ([...BATCH_ACTIONS, 'cancel'] as const).find((one) => one === form.get('to'))

/** Returns all events of the list that the table shows, with each date of its series. */
async function allItems(call: OwnCall, back: string, more: RowQuery = {}): Promise<readonly ManyItem[]> {
  const filters = filtersIn(call, new URLSearchParams(back))
  const query = {
    ...listQuery(call.config, filters),
    ...pageQuery(filters),
    ...more,
    occurrences: 'each',
    per_page: perRead,
  }
  const first = await readRows(call, query)
  const second = first.total > perRead ? await readRows(call, { ...query, page: 2 }) : undefined
  const rows = [...first.events, ...(second?.events ?? [])]
  const language = filters.lang ?? contentLanguageOf(call.config, call.textLanguage)
  return rows.map((row) => JSON.parse(itemOf(rowIn(row, language))) as ManyItem)
}

/** Returns the selected events, and all dates of the selected series that the table has. */
async function chosenItems(call: OwnCall, form: DeskForm, series: readonly string[]): Promise<readonly ManyItem[]> {
  const own = itemsIn(form)
  if (series.length === 0) return own
  const dates = await allItems(call, form.get('back'), { series: series.join(',') })
  const known = new Set(own.map(({ id }) => id))
  return [...own, ...dates.filter(({ id }) => !known.has(id))]
}

async function submit(call: OwnCall, form: DeskForm): Promise<DeskAnswer> {
  const { say } = call
  const action = actionIn(form)
  const isAll = form.get('all') === '1'
  const series = form.all('series').filter((id) => /^\d{1,15}$/.test(id))
  const items = isAll ? await allItems(call, form.get('back')) : await chosenItems(call, form, series)
  if (action === undefined || items.length === 0) return problemPage(call, form, say('many.nothing'))
  if (items.length > maxItems) return problemPage(call, form, say('many.too-many', { most: maxItems }))
  const chosen = await chosenIn(call, action, form)
  const choice = { chosen: Number(chosen), days: daysIn(form) }
  const isAsked = form.get('asked') === '1'
  if (!isAsked && (isAll || series.length > 0 || !plain.includes(action))) return askPage(call, form, { action, items })
  const faults = faultsIn(call, action, { form, chosen })
  if (Object.keys(faults).length > 0) return askPage(call, form, { action, items, faults })
  if (action === 'cancel') {
    const reasons = distinctLanguages(call).map((one) => [one, form.get(`reason.${one}`).trim()] as const)
    const reason = Object.fromEntries(reasons.filter(([, text]) => text !== ''))
    const { others, ...result } = await sendCancel(call, items, { reason, key: form.get('key') })
    return answerMany(call, form, await toldOf(call, form, result, { action, items, choice, others }))
  }
  const reason = needsDate[action]
  const dateless = reason ? items.filter(({ start }) => isNoDate(start)) : []
  const meant = items.filter((one) => !dateless.includes(one))
  const changes = changesFor(action, meant, choice)
  const key = form.get('key')
  const result =
    action === 'trash'
      ? await sendToTrash(call, changes, { key, isBack: false })
      : await sendChanges(call, changes, { key })
  const refused = reason ? dateless.map(({ title }) => ({ title, reason: say(reason) })) : []
  const told = { ...result, refused: [...result.refused, ...refused] }
  return answerMany(call, form, await toldOf(call, form, told, { action, items, choice }))
}

const daysIn = (form: DeskForm): number => Number(form.get('days').trim().replace(/[−–]/, '-'))

/** Returns the id that was chosen for an action, or that of the name that was typed; '' if it means none or several. */
async function chosenIn(call: OwnCall, action: Action, form: DeskForm): Promise<string> {
  const [kind] = chosenFrom[action] ?? []
  const name = form.get('named').trim()
  if (kind === undefined || kind === 'categories' || name === '') return form.get(action)
  return String((await idNamed(call, kind, name)) ?? '')
}

function faultsIn(
  { say }: OwnCall,
  action: Action,
  { form, chosen }: { readonly form: DeskForm; readonly chosen: string },
): Faults {
  const [kind, none] = chosenFrom[action] ?? []
  const isChosen = (none ? /^\d{1,15}$/ : /^[1-9]\d{0,14}$/).test(chosen)
  const name = form.get('named').trim()
  if (kind && !isChosen && name !== '') {
    return { named: say(kind === 'organizers' ? 'events.no-organizer' : 'events.no-venue', { name }) }
  }
  if (kind && !isChosen) return { [action]: say('many.choose-one') }
  const days = daysIn(form)
  const isDays = Number.isInteger(days) && days !== 0 && Math.abs(days) <= maxDays
  return action === 'shift' && !isDays ? { days: say('many.days.fault') } : {}
}

interface Asked {
  readonly action: Action
  readonly items: readonly ManyItem[]
  readonly faults?: Faults
  readonly text?: string
}

/** Asks for what an action needs, or whether it is meant for all events of the list. */
async function askPage(call: OwnCall, form: DeskForm, { action, items, faults = {}, text }: Asked): Promise<DeskPage> {
  const { say } = call
  const title = say(`many.ask.${action}`, { count: items.length })
  const labels = { [action]: labelOf(call, action), days: say('many.days'), named: say('many.named') }
  return formPage(
    call,
    { title, section: 'events', address: tableAt(form.get('back')), text, faults, labels },
    html`${items.some(({ isDate }) => isDate) && html`<p>${say('series.many')}</p>`}
<form method="post" class="panel" action="${linkTo(call, '/admin/events/many/')}">
${csrfField(call)}${hidden('asked', '1')}${hidden('to', action)}${hidden('back', form.get('back'))}${hidden('at', form.get('at'))}${hidden('key', form.get('key'))}
${items.map((item) => html`${hidden('ids', String(item.id))}${hidden(`was.${item.id}`, JSON.stringify(item))}`)}
${await fieldsFor(call, action, { form, faults })}
<details class="named"><summary>${say('many.events', { count: items.length })}</summary>
<ul>${items.map((item) => html`<li>${titleOf(call, item)} <span class="hint">${isNoDate(item.start) ? say('events.no-date') : writeMoment(call.textLanguage, shownMoment(item.start))}${action === 'trash' && html` · ${languagesText(call, [item.language, ...item.others.map(({ language }) => language)])}`}</span></li>`)}</ul></details>
<div class="buttons"><button>${title}</button> <a class="button quiet" href="${linkTo(call, tableAt(form.get('back')))}">${say('many.back')}</a></div>
</form>`,
  )
}

async function fieldsFor(
  call: OwnCall,
  action: Action,
  { form, faults }: { readonly form: DeskForm; readonly faults: Faults },
): Promise<Html | readonly Html[] | false> {
  const { say } = call
  if (action === 'shift') {
    const options = { name: 'days', label: say('many.days'), value: form.get('days'), hint: say('many.days.hint') }
    return field({ ...options, isRequired: true, maxLength: 6, fault: faults.days })
  }
  if (action === 'cancel') {
    return distinctLanguages(call).map((one, place) =>
      field({
        ...{ name: `reason.${one}`, label: say('many.reason', { language: languageName(call, one) }) },
        ...{ value: form.get(`reason.${one}`), language: one, maxLength: 500 },
        hint: place === 0 ? say('many.reason.hint') : undefined,
      }),
    )
  }
  const [kind, none] = chosenFrom[action] ?? []
  if (!kind) return false
  const first: readonly Choice[] = [['', '–'], ...(none ? [['0', say(none)] as const] : [])]
  const known = await choicesOf(call, kind)
  const shared = { label: labelOf(call, action), fault: faults[action] }
  const chosen = select({ ...shared, name: action, value: form.get(action), choices: [...first, ...known] })
  if (kind === 'categories' || !isCut(known)) return chosen
  const named = {
    name: 'named',
    label: say('many.named'),
    hint: say('many.named.hint'),
    value: form.get('named'),
    fault: faults.named,
  }
  return [chosen, await linkField(call, kind, named)]
}

/** Returns the label of the field in which something is chosen for an action; '' if there is none. */
const labelOf = ({ say }: OwnCall, action: Action): string =>
  action === 'category' || action === 'venue' || action === 'organizer' ? say(`many.${action}.label`) : ''

async function undo(call: OwnCall, form: DeskForm): Promise<DeskAnswer> {
  const text = form.get('undo')
  const key = form.get('key')
  const tell = (count: number, refused: Told['refused'] = []) =>
    answerMany(call, form, { text: call.say('many.undone', { count }), refused })
  const canceled = await undoCancel(call, text, key)
  if (canceled !== undefined) return tell(canceled)
  const changes = changesBack(text).slice(0, maxItems)
  if (changes.length === 0) return tell(0)
  const isTrash = changes.every(({ body }) => body === undefined)
  const result = isTrash
    ? await sendToTrash(call, changes, { key, isBack: true })
    : await sendChanges(call, changes, { key })
  return tell(
    result.changed,
    result.refused.map((one) => ({ ...one, title: titleOf(call, one) })),
  )
}

async function problemPage(call: OwnCall, form: DeskForm, text: string): Promise<DeskPage> {
  return { ...(await tablePage(call, form.get('back'))), told: { text }, status: 422 }
}

/** What is done with many events at once, and undoing it. */
export const manyRoutes: DeskRoutes = {
  '/admin/events/many/': {
    mayUse: mayCreate,
    ...{ show: '/admin/events/', submit },
    again: async (call, { form, notice: text }) => {
      const action = actionIn(form)
      const items = itemsIn(form)
      return action && items.length > 0
        ? askPage(call, form, { action, items, text })
        : { kind: 'see', path: '/admin/events/' }
    },
  },
  '/admin/events/many/undo/': { mayUse: mayCreate, show: '/admin/events/', submit: undo },
}
