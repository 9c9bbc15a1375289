import type { SeriesPreview } from '../api/answers.ts'
import type { ApiAnswer } from '../api/desk.api.ts'
import type { OwnCall } from '../shell/desk.call.ts'
import { whenText, whenWords } from '../shell/desk.dates.ts'
import type { Faults } from '../shell/fields.ts'
import { shownMoment, timesOfForm } from './editor.dates.ts'
import type { EditorState, RepeatDate, RepeatDates } from './editor.model.ts'
import { venueOf } from './editor.named.ts'
import { changedRecurrence } from './editor.save.ts'
import { titleOf } from './event.json.ts'
import { type RowJson, readRows } from './event.rows.ts'
import { type RecurrenceJson, recurrenceFrom, recurrenceIn } from './repeat.rule.ts'
import { readSeries, segmentOf } from './series.json.ts'

const noDates: Omit<RepeatDates, 'text'> = { dates: [], total: 0, summary: '', clash: undefined }

const perRead = 100
const maxReads = 3

/** Asks the interface for the dates of what repeats; undefined if the event does not repeat. Nothing is saved. */
export async function repeatDatesOf(
  call: OwnCall,
  state: EditorState,
  faults: Faults,
): Promise<RepeatDates | undefined> {
  const { say, textLanguage } = call
  const { values } = state
  const recurrence = recurrenceIn(values)
  if (recurrence === undefined) return undefined
  const times = timesOfForm(values)
  if (!times) return { ...noDates, text: say('repeat.needs-start') }
  const fault = Object.entries(faults).find(([name]) => name.startsWith('repeat'))?.[1]
  if (fault !== undefined) return { ...noDates, text: fault }
  const answer = await preview(call, state, {
    ...times,
    recurrence: recurrenceFrom(await restOf(call, state, recurrence), times.start_date),
  })
  if (answer.status !== 200) {
    const [text = answer.message] = Object.values(answer.faults)
    return { ...noDates, text: say('repeat.no-dates', { text }) }
  }
  const { dates, count: total, text, is_endless: isEndless } = answer.body
  const others = await othersAt(call, state, dates)
  const isAllDay = values.all_day === '1'
  const shown = dates.map((date, place): RepeatDate => {
    const clash = others.events.find((one) => one.start_date < date.end_date && one.end_date > date.start_date)
    return {
      date: nameOfDate(date.start_date, times.start_date),
      text: whenText(textLanguage, { ...date, all_day: isAllDay }),
      clash: clash && titleOf(call, clash),
      isFirst: place === 0,
    }
  })
  const clashes = shown.filter(({ clash }) => clash !== undefined).length
  const last = dates.at(-1)?.start_date ?? ''
  const day = whenWords(textLanguage, { start_date: last, end_date: last, all_day: true })
  return {
    ...{ dates: shown, total, text: undefined },
    summary: say(isEndless ? 'repeat.list.endless' : 'repeat.list', { count: total, words: text, day }),
    clash: clashTextOf(call, { clashes, isPartial: others.isPartial }),
  }
}

function preview({ api }: OwnCall, { values }: EditorState, json: object): Promise<ApiAnswer<SeriesPreview>> {
  const shared = { all_day: values.all_day === '1', timezone: values.timezone }
  return api.service<SeriesPreview>({ method: 'POST', path: '/series/preview', json: { ...shared, ...json } })
}

/** A rule that was not changed counts from its own first date, before that of the form. Returns what is left of it. */
async function restOf(call: OwnCall, state: EditorState, recurrence: RecurrenceJson): Promise<RecurrenceJson> {
  const [written, count] = /\bCOUNT=(\d+)/.exec(recurrence.rrule ?? '') ?? []
  if (!state.series || !recurrence.rrule || !written || changedRecurrence(state)) return recurrence
  const { id, recurrenceId } = state.series
  const series = await readSeries(call, id)
  const segment = series.status === 200 ? segmentOf(series.body, recurrenceId) : undefined
  if (!segment) return recurrence
  const { rrule } = recurrence
  const { start_date, end_date } = segment
  const whole = await preview(call, state, { start_date, end_date, recurrence: { rrule } })
  const before = whole.status === 200 ? whole.body.dates.filter((date) => date.start_date < recurrenceId).length : 0
  return { ...recurrence, rrule: rrule.replace(written, `COUNT=${Math.max(1, Number(count) - before)}`) }
}

function clashTextOf({ say }: OwnCall, { clashes, isPartial }: { clashes: number; isPartial: boolean }) {
  const texts = [
    ...(clashes > 0 ? [say('repeat.clashes', { count: clashes })] : []),
    ...(isPartial ? [say('repeat.clashes.partial')] : []),
  ]
  return texts.length > 0 ? texts.join(' ') : undefined
}

/** A date at the time of the first one is a day. */
function nameOfDate(date: string, first: string): string {
  return date.slice(10) === first.slice(10) ? date.slice(0, 10) : shownMoment(date)
}

/** Reads the other events at the venue of the form between the first and the last date: at most 300. */
async function othersAt(
  call: OwnCall,
  state: EditorState,
  dates: SeriesPreview['dates'],
): Promise<{ readonly events: readonly RowJson[]; readonly isPartial: boolean }> {
  const nothing = { events: [], isPartial: false }
  const { values, versions, series } = state
  const [first, last] = [dates[0], dates.at(-1)]
  if (!first || !last || values.all_day === '1') return nothing
  const place = await venueOf(call, state)
  const venue = place && 'known' in place ? place.known?.id : undefined
  if (venue === undefined) return nothing
  const query = { venue, start_date: first.start_date, end_date: last.end_date, status: 'any', per_page: perRead }
  const found = await readRows(call, query)
  const pages = Array.from({ length: Math.min(found.total_pages, maxReads) - 1 }, (_, place) => place + 2)
  const more = await Promise.all(pages.map((page) => readRows(call, { ...query, page })))
  const own = new Set(versions.map(({ id }) => id))
  const events = [found, ...more].flatMap((read) => read.events)
  return {
    events: events.filter(
      (event) =>
        !own.has(event.id) &&
        !event.all_day &&
        event.event_status !== 'canceled' &&
        (series === undefined || event.series?.id !== series.id),
    ),
    isPartial: found.total_pages > maxReads,
  }
}
