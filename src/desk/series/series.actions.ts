import { languageParameterNames } from '../../access/http/addresses.ts'
import { html } from '../../base/text/html.ts'
import { localDateTimeAt, parseZone } from '../../base/time/zone.ts'
import type { ApiAnswer } from '../api/desk.api.ts'
import { statuses } from '../api/statuses.ts'
import { addDays, readMoment, sentMoment, shownMoment } from '../events/editor.dates.ts'
import { isSkipped, momentText } from '../events/editor.times.ts'
import { faultsByField } from '../events/editor.values.ts'
import {
  allInTrash,
  maxVersions,
  readVersions,
  refusalText,
  restoreVersions,
  trashVersions,
} from '../events/event.versions.ts'
import { countsHeader, countsOf } from '../events/series.counts.ts'
import { readDates, readSeries } from '../events/series.json.ts'
import { datesInUse, type SeriesRemoval, sendRemoval } from '../events/series.removal.ts'
import { confirmPage } from '../events/series.scope.ts'
import { type DeskAnswer, type DeskForm, linkTo, type OwnCall } from '../shell/desk.call.ts'
import type { Faults } from '../shell/fields.ts'
import { backToSeries, placeIn, type SeriesDone, seriesAt } from './series.place.ts'
import { purgeSeries } from './series.purge.ts'

/** What the form of a series could not do. */
interface Refused {
  readonly faults: Faults
}

/** REQUIRE_IF_MATCH demands a version. These writes are right for any version. */
const present = { headers: { 'if-match': '*' } } as const

/** Does what a button of the page of a series says. */
export async function submitSeries(call: OwnCall, form: DeskForm, id: string): Promise<DeskAnswer | Refused> {
  const [action = '', of = ''] = form.get('to').split(/\.(.*)/s)
  const { api } = call
  switch (action) {
    case 'add':
      return addDate(call, form, id)
    case 'join':
      return joinEvents(call, form, id)
    case 'remove':
      return removeDate(call, form, { id, event: numberIn(of) })
    case 'return':
      return returnDate(call, form, { id, events: of.split('.').slice(0, maxVersions).map(numberIn) })
    case 'end':
      return endSeries(call, form, id)
    case 'trash':
      return removal(call, form, { id, done: 'trashed', title: call.say('series.trash') })
    case 'restore':
      return answerWith(
        call,
        { id, form, done: 'restored' },
        await api.service({ ...present, method: 'POST', path: `/series/${id}/restore` }),
      )
    case 'purge':
      return purgeSeries(call, form, id)
    case 'translate':
      return translate(call, form, { id, language: of })
    default:
      return { kind: 'see', path: seriesAt(id, placeIn(new URLSearchParams(form.get('back')))) }
  }
}

const numberIn = (text: string) => (/^\d{1,15}$/.test(text) ? text : '0')

/** Moves one date to the trash, in all its languages. */
async function removeDate(
  call: OwnCall,
  form: DeskForm,
  { id, event }: { readonly id: string; readonly event: string },
): Promise<DeskAnswer | Refused> {
  const versions = await readVersions(call, event, form)
  const refused = versions.length > 0 ? await trashVersions(call, versions) : undefined
  if (versions.length === 0 || refused) {
    return { faults: { form: refused ? refusalText(call, refused) : call.say('events.not-trashed') } }
  }
  const back = form.get('back')
  const to = ['return', event, ...versions.slice(1).map((version) => version.id)].join('.')
  return backToSeries(call, id, {
    ...{ done: 'removed', event, back },
    undo: { path: `/admin/series/${id}/`, fields: { to, back } },
  })
}

/** Takes one date out of the trash, in the languages that went together. */
async function returnDate(
  call: OwnCall,
  form: DeskForm,
  { id, events }: { readonly id: string; readonly events: readonly string[] },
): Promise<DeskAnswer | Refused> {
  const [event = ''] = events
  const ids = events.length > 1 ? events.map(Number) : await allInTrash(call, Number(event))
  const done = await restoreVersions(call, ids)
  if (done === 'refused') return { faults: { form: call.say('events.not-restored') } }
  return backToSeries(call, id, { done: 'returned', event, back: form.get('back') })
}

/** What a form has done to a series. */
interface Done {
  readonly id: string
  readonly form: DeskForm
  readonly done: SeriesDone
}

function answerWith(call: OwnCall, { id, form, done }: Done, answer: ApiAnswer<unknown>): DeskAnswer | Refused {
  const { status, headers, message, faults } = answer
  if (status >= 400)
    return { faults: Object.keys(faults).length > 0 ? { form: Object.values(faults).join(' ') } : { form: message } }
  return backToSeries(call, id, { done, back: form.get('back'), counts: countsOf(headers[countsHeader]) })
}

const today = ({ now, config }: OwnCall) => localDateTimeAt(now, config.siteZone).slice(0, 10)

async function addDate(call: OwnCall, form: DeskForm, id: string): Promise<DeskAnswer | Refused> {
  const { say, api, config } = call
  const read = readMoment(form.get('start'), today(call))
  if (typeof read === 'string' || read.day === undefined) return { faults: { start: say('repeat.fault.day') } }
  const { body } = await api.service<{ readonly start_date?: string; readonly timezone?: string }>({
    path: `/series/${id}`,
  })
  const moment = momentText(read.day, read.time ?? shownMoment(body.start_date ?? `${read.day} 00:00:00`).slice(11))
  if (isSkipped(moment, parseZone(body.timezone ?? '') ?? config.siteZone)) {
    return { faults: { start: say('editor.moment.skipped') } }
  }
  const answer = await api.service({
    ...{ ...present, method: 'POST', path: `/series/${id}/dates`, json: { start_date: sentMoment(moment) } },
  })
  const fault = answer.faults.start_date
  return fault === undefined ? answerWith(call, { id, form, done: 'added' }, answer) : { faults: { start: fault } }
}

/** Makes events that exist dates of the series. */
async function joinEvents(call: OwnCall, form: DeskForm, id: string): Promise<DeskAnswer | Refused> {
  const { api, say } = call
  const ids = form.all('event_ids').filter((one) => /^\d{1,15}$/.test(one))
  if (ids.length === 0) return { faults: { event_ids: say('series.join.choose') } }
  const answer = await api.service({
    ...{ method: 'POST', path: `/series/${id}/from-events`, headers: { 'if-match': '*' } },
    json: { event_ids: ids.map(Number) },
  })
  const fault = answer.faults.event_ids
  return fault === undefined ? answerWith(call, { id, form, done: 'joined' }, answer) : { faults: { event_ids: fault } }
}

/** Ends a series after a day: all later dates go to the trash. */
async function endSeries(call: OwnCall, form: DeskForm, id: string): Promise<DeskAnswer | Refused> {
  const { say } = call
  const read = readMoment(form.get('day'), today(call))
  if (typeof read === 'string' || read.day === undefined) return { faults: { day: say('repeat.fault.day') } }
  const { dates } = await readDates(call, Number(id), { from: addDays(read.day, 1), per_page: 500 })
  const after = `${read.day} 23:59:59`
  const first = dates.find((date) => !date.is_dropped && date.status !== 'trash' && date.recurrence_id > after)
  if (!first) return { faults: { day: say('series.end.none') } }
  return removal(call, form, { id, done: 'ended', title: say('series.end'), from: first.event_id })
}

interface Removal extends SeriesRemoval {
  readonly id: string
  readonly done: SeriesDone
  readonly title: string
}

/**
 * Removes dates after a question that says how many there are. The answer counts only for the version of the series that
 * the question was about. Otherwise it is asked again, with what would happen now.
 */
async function removal(call: OwnCall, form: DeskForm, asked: Removal): Promise<DeskAnswer | Refused> {
  const { id, done } = asked
  if (form.get('asked') !== '1') return askForRemoval(call, form, asked)
  const answer = await sendRemoval(call, asked, { version: form.get('version'), drop: form.get('drop') === '1' })
  const isInUse = datesInUse(answer) !== undefined
  if (!isInUse && answer.status !== statuses.preconditionFailed) return answerWith(call, { id, form, done }, answer)
  return askForRemoval(call, form, { ...asked, isChanged: !isInUse })
}

/** Tries a removal, and asks whether what it does is meant. */
async function askForRemoval(
  call: OwnCall,
  form: DeskForm,
  { isChanged = false, ...asked }: Removal & { readonly isChanged?: boolean },
): Promise<DeskAnswer | Refused> {
  const { id, done, title } = asked
  const { version = '' } = await readSeries(call, Number(id))
  const tried = await sendRemoval(call, asked, { version, drop: false, isTrial: true })
  const inUse = datesInUse(tried)
  const answer = inUse ? await sendRemoval(call, asked, { version, drop: true, isTrial: true }) : tried
  if (answer.status >= 400) return answerWith(call, { id, form, done }, answer)
  const { say } = call
  const back = linkTo(call, seriesAt(id, placeIn(new URLSearchParams(form.get('back')))))
  return confirmPage(call, {
    ...{ title, form, path: `/admin/series/${id}/`, submit: title, inUse, isChanged, version },
    counts: countsOf(answer.headers[countsHeader]),
    back: html`<a class="button quiet" href="${back}">${say('series.back')}</a>`,
  })
}

async function translate(
  call: OwnCall,
  form: DeskForm,
  { id, language }: { readonly id: string; readonly language: string },
): Promise<DeskAnswer | Refused> {
  const { api, say, config } = call
  const title = form.get(`title.${language}`).trim()
  if (title === '') return { faults: { [`title.${language}`]: say('fault.required') } }
  const texts = (['excerpt', 'description'] as const).flatMap((name) => {
    const text = form.get(`${name}.${language}`)
    return text === '' ? [] : [[name, text] as const]
  })
  const answer = await api.service({
    ...{ ...present, method: 'POST', path: `/series/${id}/translations` },
    json: { title, ...Object.fromEntries(texts), [languageParameterNames(config).language]: language },
  })
  const { message } = answer
  return answer.status >= 400
    ? { faults: faultsByField(call, answer.faults, { message, language }) }
    : answerWith(call, { id, form, done: 'translated' }, answer)
}
