import { mayCreate } from '../../access/auth/policy.ts'
import type { Call } from '../../access/http/call.ts'
import { endpoint, openToAll, type Route, recordHeaders } from '../../access/http/route.ts'
import { type Replay, writeOnce } from '../../access/idempotency/idempotency.ts'
import { fail } from '../../base/problems.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { findTemplate } from '../events/event.repository.ts'
import { eventDraftFrom, eventPatchFrom } from '../events/model/event.arguments.ts'
import { changedTimes, parseLocalDateTime } from '../events/model/event.changes.ts'
import { timesOf } from '../events/model/event.ts'
import { seriesChangedHeader } from '../events/model/series.arguments.ts'
import { findEventOrFail } from '../events/read/read.service.ts'
import { assertMayRecall } from '../records/recall.ts'
import { validatorsInPath } from '../records/record.validators.ts'
import { type WriteContext, writeContext } from '../records/write.context.ts'
import {
  dateArguments,
  datePath,
  datesArguments,
  followArguments,
  joinArguments,
  previewArguments,
  seriesChangeArguments,
  seriesCreateArguments,
  seriesPath,
  seriesRemoveArguments,
  translateArguments,
} from './series.arguments.ts'
import { changeDates, changeSeries } from './series.change.service.ts'
import { createSeries, firstSegment, type SeriesResult } from './series.create.service.ts'
import { addDate, followAgain, translateSeries } from './series.date.service.ts'
import { joinEvents } from './series.joining.service.ts'
import { presentChanges, presentDate, presentPreview, presentSeries } from './series.present.ts'
import { readDates, readSeries } from './series.read.service.ts'
import { expandWithin, recurrenceFrom } from './series.recurrence.ts'
import { restoreSeries, trashDates, trashSeries } from './series.trash.service.ts'

/** Shows the dates that a rule gives, without a series. */
const previewEndpoint = endpoint({
  methods: ['POST'],
  operation: 'previewSeries',
  summary: 'series.preview',
  about: 'series.preview.about',
  answer: { schema: async () => (await import('./series.schema.ts')).SeriesPreviewSchema },
  problems: ['rest_forbidden', 'series-invalid-rule', 'series-too-many-dates', 'series-no-dates'],
  args: previewArguments,
  isOpenTo: mayCreate,
  handle: async ({ deps, values, addresses }) => {
    const { config } = deps
    const {
      start_date: start,
      end_date: end = start,
      timezone = 'site',
      all_day: isAllDay = false,
      recurrence,
    } = values
    const at = deps.now()
    const zone = timezone === 'site' ? config.siteZone : timezone
    const local = parseLocalDateTime(start, { zone, now: at })
    const first = timesOf({ start: local, end: local, zone, isAllDay })
    const times = changedTimes(first, { end }, { siteZone: config.siteZone, at })
    const segment = firstSegment(times, recurrenceFrom(recurrence, times))
    return { status: 200, body: presentPreview(expandWithin([segment], { config, at }), segment, addresses) }
  },
})

const tag = 'Series'
const schema = async () => (await import('./series.schema.ts')).SeriesSchema
/** As much as a write of an event has in the contract's namespace: several texts of 64 KB. */
const maxBodyBytes = 1024 * 1024
const writing = {
  maxBodyBytes,
  isRepeatable: true,
  isBatchable: true,
  isOpenTo: mayCreate,
  answer: { schema },
} as const
const ruleFaults = ['series-invalid-rule', 'series-too-many-dates', 'series-no-dates'] as const
const known = ['rest_forbidden', 'series-not-found'] as const
const changing = [
  ...known,
  'series-is-in-trash',
  'series-dates-in-use',
  'rest-event-not-found',
  'series-scope',
] as const

interface Remembered extends Pick<SeriesResult, 'seriesId' | 'counts'> {
  readonly templateId?: number
  readonly eventId: number
}

/** How the result of a write of a series is found again. */
function replay({ actor }: Pick<Call, 'actor'>): Replay<SeriesResult> {
  return {
    remember: ({ event, seriesId, templateId = seriesId, counts }): Remembered => {
      return { seriesId, templateId, eventId: event.id, counts }
    },
    recall: async (tx, remembered) => {
      // What an earlier version remembered has no template.
      const { seriesId, templateId = seriesId, eventId, counts } = remembered as Remembered
      return { seriesId, templateId, counts, event: assertMayRecall(actor, await findEventOrFail(tx, eventId)) }
    },
  }
}

interface WriteAnswer {
  readonly status?: 200 | 201
  /** The template that the request names. */
  readonly named?: number
}

/** Writes once, and answers with the series as it is then, in the language of the template that was named. */
async function answerWrite(
  call: Pick<Call, 'deps' | 'actor' | 'addresses' | 'keyed'>,
  write: (context: WriteContext) => Promise<SeriesResult>,
  { status = 200, named }: WriteAnswer = {},
) {
  const { deps, actor, addresses } = call
  const result = await writeOnce(call, replay(call), async (tx: Tx) => ({
    ...(named === undefined ? {} : { templateId: named }),
    ...(await write(writeContext({ deps, actor }, tx))),
  }))
  const { templateId = result.seriesId } = result
  const { series, template } = await readSeries({ db: deps.storage.db, actor }, templateId)
  const body = {
    ...presentSeries(series, template, addresses),
    event_id: Number(result.event.id),
    changes: presentChanges(result),
  }
  return { status, body, version: template.changeCount, headers: seriesChangedHeader(result.counts) }
}

const createEndpoint = endpoint({
  ...writing,
  methods: ['POST'],
  operation: 'createSeries',
  summary: 'series.create',
  about: 'series.create.about',
  answer: { schema, status: 201 },
  problems: ['rest_forbidden', ...ruleFaults],
  args: seriesCreateArguments,
  hasLanguage: true,
  handle: async (call) => {
    const { recurrence } = call.values
    const language = call.language ?? call.deps.config.defaultLanguage
    const draft = eventDraftFrom(call.values)
    return answerWrite(call, (write) => createSeries(write, { draft, recurrence, language }), { status: 201 })
  },
})

const readEndpoint = endpoint({
  methods: ['GET'],
  operation: 'getSeries',
  hasValidator: true,
  summary: 'series.get',
  answer: { schema, headers: recordHeaders },
  problems: ['series-not-found', 'series-is-in-trash'],
  path: seriesPath,
  isOpenTo: openToAll,
  handle: async ({ deps, actor, addresses, path: { id } }) => {
    const { series, template } = await readSeries({ db: deps.storage.db, actor }, id)
    return { status: 200, body: presentSeries(series, template, addresses), version: template.changeCount }
  },
})

const changeEndpoint = endpoint({
  ...writing,
  methods: ['PATCH'],
  operation: 'changeSeries',
  summary: 'series.change',
  about: 'series.change.about',
  problems: [...changing, ...ruleFaults],
  path: seriesPath,
  args: seriesChangeArguments,
  handle: async (call) => {
    const { recurrence, past, drop, from } = call.values
    const change = { patch: eventPatchFrom(call.values), recurrence, past, drop }
    const named = { named: call.path.id }
    if (change.patch.status === 'trash') return answerWrite(call, (write) => trashSeries(write, call.path.id), named)
    return answerWrite(
      call,
      async (write) => {
        if (from === undefined) return changeSeries(write, call.path.id, change)
        await assertDateOf(write, call.path.id, from)
        return changeDates(write, from, { ...change, scope: 'following' })
      },
      named,
    )
  },
})

const trashEndpoint = endpoint({
  ...writing,
  methods: ['DELETE'],
  operation: 'trashSeries',
  summary: 'series.remove',
  about: 'series.remove.about',
  problems: changing,
  path: seriesPath,
  args: seriesRemoveArguments,
  handle: (call) => {
    const { from, drop } = call.values
    return answerWrite(
      call,
      async (write) => {
        if (from === undefined) return trashSeries(write, call.path.id)
        await assertDateOf(write, call.path.id, from)
        return trashDates(write, from, { scope: 'following', drop })
      },
      { named: call.path.id },
    )
  },
})

/** @throws series-date-not-found */
async function assertDateOf({ tx }: WriteContext, templateId: number, eventId: number): Promise<void> {
  const { seriesId } = await findEventOrFail(tx, eventId)
  const template = await findTemplate(tx, templateId)
  if (seriesId === undefined || seriesId !== template?.groupId) fail('series-date-not-found')
}

const restoreEndpoint = endpoint({
  ...writing,
  methods: ['POST'],
  operation: 'restoreSeries',
  summary: 'series.restore',
  problems: [...known, 'record-not-in-trash', 'series-no-dates'],
  path: seriesPath,
  handle: (call) => answerWrite(call, (write) => restoreSeries(write, call.path.id), { named: call.path.id }),
})

const datesEndpoint = endpoint({
  methods: ['GET'],
  operation: 'listSeriesDates',
  summary: 'series.dates',
  answer: { schema: async () => (await import('./series.schema.ts')).SeriesDatesSchema },
  problems: ['series-not-found', 'series-is-in-trash'],
  path: seriesPath,
  args: datesArguments,
  isOpenTo: openToAll,
  handle: async ({ deps, actor, addresses, values, path: { id } }) => {
    const reader = { db: deps.storage.db, actor }
    const { from, to, cursor, per_page = 100 } = values
    const page = await readDates(reader, await readSeries(reader, id), {
      ...{ from, to, cursor },
      perPage: Math.min(per_page, datesArguments.per_page.schema.maximum),
    })
    const dates = page.dates.map((date) => presentDate(date, addresses))
    return { status: 200, body: { dates, next_cursor: page.nextCursor ?? null } }
  },
})

const addEndpoint = endpoint({
  ...writing,
  methods: ['POST'],
  operation: 'addSeriesDate',
  summary: 'series.dates.add',
  problems: [...known, 'series-is-in-trash', 'series-too-many-dates'],
  path: seriesPath,
  args: dateArguments,
  handle: (call) =>
    answerWrite(call, (write) => addDate(write, call.path.id, call.values.start_date), { named: call.path.id }),
})

const joinEndpoint = endpoint({
  ...writing,
  methods: ['POST'],
  operation: 'joinEventsToSeries',
  summary: 'series.join',
  about: 'series.join.about',
  problems: [...known, 'series-is-in-trash', 'series-too-many-dates'],
  path: seriesPath,
  args: joinArguments,
  handle: (call) =>
    answerWrite(call, (write) => joinEvents(write, call.path.id, call.values.event_ids), { named: call.path.id }),
})

const translateEndpoint = endpoint({
  ...writing,
  methods: ['POST'],
  operation: 'translateSeries',
  summary: 'series.translate',
  about: 'series.translate.about',
  answer: { schema, status: 201 },
  problems: [...known, 'series-is-in-trash', 'rest_missing_callback_param', 'ml_translation_exists'],
  path: seriesPath,
  args: translateArguments,
  hasLanguage: true,
  handle: (call) => {
    const { language, deps } = call
    if (language === undefined) {
      return fail('rest_missing_callback_param', { details: { params: [deps.config.languageParameter] } })
    }
    const { title, description: content, excerpt, slug, status } = call.values
    const draft = { title, content, excerpt, slug, status }
    return answerWrite(call, (write) => translateSeries(write, call.path.id, { draft, language }), { status: 201 })
  },
})

const followEndpoint = endpoint({
  ...writing,
  methods: ['POST'],
  operation: 'followSeries',
  summary: 'series.follow',
  about: 'series.follow.about',
  problems: ['rest_forbidden', 'series-date-not-found', 'rest-event-not-found', 'series-scope', 'series-is-in-trash'],
  path: datePath,
  args: followArguments,
  handle: (call) => answerWrite(call, (write) => followAgain(write, call.path.id, call.values.fields)),
})

const validators = validatorsInPath('series')

/** Series: what happens again and again. */
export const seriesRoutes: readonly Route[] = [
  { path: '/series', tag, endpoints: [createEndpoint] },
  { path: '/series/preview', tag, endpoints: [previewEndpoint] },
  { path: '/series/{id}', tag, endpoints: [readEndpoint, changeEndpoint, trashEndpoint], validators },
  { path: '/series/{id}/restore', tag, endpoints: [restoreEndpoint], validators },
  { path: '/series/{id}/dates', tag, endpoints: [datesEndpoint, addEndpoint], validators },
  { path: '/series/{id}/from-events', tag, endpoints: [joinEndpoint], validators },
  { path: '/series/{id}/translations', tag, endpoints: [translateEndpoint], validators },
  { path: '/events/{id}/follow', tag, endpoints: [followEndpoint], validators: validatorsInPath('event') },
]
