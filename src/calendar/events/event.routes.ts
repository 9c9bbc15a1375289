import type { Actor } from '../../access/auth/actor.ts'
import { mayCreate, mayEdit, mayEditOthers, type OwnedRecord } from '../../access/auth/policy.ts'
import { addressesOf } from '../../access/http/addresses.ts'
import { accepted, refused } from '../../access/http/arguments/argument.rules.ts'
import { filledTextSchema, integerSchema } from '../../access/http/arguments/argument.schema.ts'
import type { Argument, Arguments } from '../../access/http/arguments/argument.ts'
import type { Call } from '../../access/http/call.ts'
import { type Endpoint, endpoint, openToAll, type Route, recordHeaders } from '../../access/http/route.ts'
import { writeOnce } from '../../access/idempotency/idempotency.ts'
import { TEXT_LANGUAGES } from '../../base/languages/language.ts'
import { failParameter } from '../../base/problems.ts'
import { slugFrom } from '../../base/text/slug.ts'
import { findNextDateBySlug } from '../occurrences/occurrence.repository.ts'
import { translationRule } from '../records/record.arguments.ts'
import { recordUrl } from '../records/record.present.ts'
import { findOwnedRecord } from '../records/record.repository.ts'
import { isRecordSlugTaken } from '../records/record.slug.ts'
import { findIdBySlug } from '../records/record.translations.repository.ts'
import { editableValidators, validatorsInPath } from '../records/record.validators.ts'
import { type WriteContext, writeContext } from '../records/write.context.ts'
import { sentName, sourceNameArguments } from '../sources/source.arguments.ts'
import { createNamed } from '../sources/source.service.ts'
import { translationOf } from '../translations/group.service.ts'
import { viewerOfReading } from '../translations/viewer.ts'
import { findEvent } from './event.repository.ts'
import { listEndpoint } from './list/list.routes.ts'
import {
  eventChangeArguments,
  eventCreateArguments,
  eventDraftFrom,
  eventPatchFrom,
  passwordArgument,
} from './model/event.arguments.ts'
import type { EventPatch } from './model/event.changes.ts'
import {
  pastArgument,
  recurrenceArguments,
  type SeriesRequest,
  type SeriesWrites,
  type SeriesWritten,
  seriesTrashArguments,
} from './model/series.arguments.ts'
import { answerEvent, replayEvent } from './present/answer.ts'
import { readWithPassword } from './read/password.attempts.ts'
import { readEvent } from './read/read.service.ts'
import { listEventStandings } from './read/standing.repository.ts'
import { createEvent, hasLinks } from './write/create.service.ts'
import { changeEvent, trashEvent } from './write/event.service.ts'

/** Contract: an id that does not exist is a 404 here, not a bad parameter, so the rule accepts it. */
const idArgument = {
  type: 'integer',
  description: 'id.event',
  schema: integerSchema,
  isRequired: true,
  read: (raw) => accepted(Number(raw)),
} as const satisfies Argument<number>

/** The slug in a path. The value is the id of the event. */
const slugArgument = {
  type: 'string',
  description: 'slug.event',
  schema: filledTextSchema,
  isRequired: true,
  read: async (raw, reading) => {
    const id = await findIdBySlug(reading.db, { kind: 'event', slug: slugFrom(String(raw)) }, viewerOfReading(reading))
    return id === undefined ? refused('fault.unknown-event') : accepted(id)
  },
} as const satisfies Argument<number>

/** The slug of an event to read. The slug of a series means its next date. */
const readSlugArgument = {
  ...slugArgument,
  read: async (raw, reading) => {
    const [slug, viewer] = [slugFrom(String(raw)), viewerOfReading(reading)]
    const found =
      (await findIdBySlug(reading.db, { kind: 'event', slug }, viewer)) ??
      (await findNextDateBySlug(reading.db, viewer, { slug, at: reading.now }))
    return found === undefined ? refused('fault.unknown-event') : accepted(found)
  },
} as const satisfies Argument<number>

/** Contract: on update an unknown slug is a 404 (events.md §4). The value is then 0, which no event has as its id. */
const updatedSlugArgument = {
  ...slugArgument,
  read: async (raw, reading) =>
    accepted(
      (await findIdBySlug(reading.db, { kind: 'event', slug: slugFrom(String(raw)) }, viewerOfReading(reading))) ?? 0,
    ),
} as const satisfies Argument<number>

const tag = 'Events'

const schema = async () => (await import('./present/event.schema.ts')).EventSchema
const unknownEvent = ['rest-invalid-event-id', 'rest-event-not-found'] as const
const unreadableEvent = ['event-no-longer-available', 'event-not-accessible', 'event-password-protected'] as const
const newLinks = ['could-not-create-venue', 'could-not-create-organizer'] as const

const rule = ['series-too-many-dates', 'series-no-dates'] as const
const trashFaults = ['series-scope', 'series-is-in-trash', 'series-dates-in-use'] as const
const changeFaults = [...trashFaults, ...rule] as const

/** The values that a write of several dates reads. */
type SeriesRequestValues = Partial<Pick<SeriesRequest, 'scope' | 'drop'>>

/** How an endpoint of one event is called, and what else may go wrong there. */
type ItemDescription = Pick<Endpoint, 'operation' | 'summary' | 'problems'>

const createEndpoint = (series: SeriesWrites) =>
  endpoint({
    methods: ['POST'],
    isRepeatable: true,
    isBatchable: true,
    operation: 'createEvent',
    summary: 'events.create',
    answer: { status: 201, schema, headers: recordHeaders },
    problems: ['rest_forbidden', ...newLinks, 'source-of-another-user', 'external-id-exists', ...rule],
    args: { ...eventCreateArguments, ...sourceNameArguments, ...recurrenceArguments },
    isOpenTo: mayCreate,
    translationOf: translationRule('event'),
    isTaken: (tx, { slug }, { language, defaultLanguage }) =>
      isRecordSlugTaken(tx, { kind: 'event', language: language ?? defaultLanguage }, slug),
    handle: async (call) => {
      const draft = eventDraftFrom(call.values)
      const translation = translationOf(call)
      const sent = sentName(call.values)
      const { recurrence } = call.values
      let counts: SeriesWritten['counts'] | undefined
      const create = async (write: WriteContext) => {
        if (recurrence === undefined) return createEvent(write, draft, translation)
        if (translation.of !== undefined) return failParameter('recurrence', 'fault.series.translation')
        const made = await series.create(write, { draft, recurrence, language: translation.language })
        counts = made.counts
        return made.event
      }
      const event = await writeOnce(call, replayEvent(call), (tx) => {
        const write = writeContext(call, tx)
        const standing = async (id: number) => (await listEventStandings(tx, [id])).get(id) ?? {}
        return createNamed(write, { kind: 'event', sent, standing }, () => create(write))
      })
      const isLinked = translation.of !== undefined || hasLinks(draft)
      return answerEvent(call, event, { status: 201, isLinked, isNamed: sent.name !== undefined, counts })
    },
  })

/** Contract: if no event has this id or slug, a caller who may edit the events of others sees all methods. */
const mayEditTarget = (actor: Actor, target: OwnedRecord | undefined) =>
  target === undefined ? mayEditOthers(actor) : mayEdit(actor, target)

function readEndpoint<P extends Arguments, A extends Arguments>(described: ItemDescription, path: P, args: A) {
  return endpoint({
    methods: ['GET'],
    ...described,
    answer: { schema, headers: recordHeaders },
    readsContext: true,
    path,
    args,
    isOpenTo: openToAll,
    handle: async (call) => {
      const { deps, actor, context, sent } = call
      const id = idOf(call)
      const password = typeof sent.password === 'string' ? sent.password : undefined
      const event = await readWithPassword(call, { id, password }, () =>
        readEvent({ db: deps.storage.db, actor }, id, { password, canSkipPassword: context === 'edit' }),
      )
      return answerEvent(call, event, { isSingle: true })
    },
  })
}

function trashEndpoint<P extends Arguments, A extends Arguments>(
  series: SeriesWrites,
  described: ItemDescription,
  { path, args: own }: { readonly path: P; readonly args: A },
) {
  const args: typeof seriesTrashArguments & A = { ...own, ...seriesTrashArguments }
  return endpoint({
    methods: ['DELETE'],
    isRepeatable: true,
    isBatchable: true,
    ...described,
    about: 'remove.about',
    answer: { schema, headers: recordHeaders },
    path,
    args,
    isOpenTo: mayEditTarget,
    handle: async (call) => {
      const { scope = 'this', drop } = call.values as SeriesRequestValues
      let counts: SeriesWritten['counts'] | undefined
      const event = await writeOnce(call, replayEvent(call), async (tx) => {
        const write = writeContext(call, tx)
        if (scope === 'this') return trashEvent(write, idOf(call))
        const done = await series.trash(write, idOf(call), { scope, drop })
        counts = done.counts
        return done.event
      })
      return answerEvent(call, event, { counts })
    },
  })
}

function changeEndpoint<P extends Arguments>(
  series: SeriesWrites,
  described: ItemDescription,
  { path, args: own }: { readonly path: P; readonly args: typeof eventChangeArguments },
) {
  const args = { ...own, ...recurrenceArguments, ...seriesTrashArguments, ...pastArgument }
  return endpoint({
    methods: ['POST', 'PUT', 'PATCH'],
    isRepeatable: true,
    isBatchable: true,
    ...described,
    about: 'change.about',
    answer: { schema, headers: recordHeaders },
    path,
    args,
    isOpenTo: mayEditTarget,
    translationOf: translationRule('event'),
    handle: async (call) => {
      const patch = { ...(await withoutOwnPage(call, eventPatchFrom(call.values))), translationOf: call.translationOf }
      const { scope = 'this', recurrence, past, drop } = call.values
      let counts: SeriesWritten['counts'] | undefined
      const event = await writeOnce(call, replayEvent(call), async (tx) => {
        const write = writeContext(call, tx)
        if (scope === 'this' && recurrence === undefined) return changeEvent(write, idOf(call), patch)
        const { translationOf: _, ...values } = patch
        if (call.translationOf !== undefined)
          return failParameter(scope === 'this' ? 'recurrence' : 'scope', 'fault.series.translation')
        const done = await series.change(write, idOf(call), { patch: values, recurrence, scope, past, drop })
        counts = done.counts
        return done.event
      })
      return answerEvent(call, event, { counts })
    },
  })
}

/** Leaves out a website that is the page of the event: an answer shows it for an event without one (rulings.md 44). */
async function withoutOwnPage(call: Call, patch: EventPatch): Promise<EventPatch> {
  const { website, ...others } = patch
  const { deps, addresses } = call
  if (!website?.startsWith(addresses.site)) return patch
  const event = await findEvent(deps.storage.db, idOf(call))
  const pages = TEXT_LANGUAGES.map(
    (variant) => event && recordUrl(addressesOf(deps.config, addresses.site, variant), event),
  )
  return pages.includes(website) ? others : patch
}

function idOf(call: Pick<Call, 'path'>): number {
  return Object.values(call.path)[0] as number
}

/** Returns the routes of events, in the order of the index. */
export const eventRoutes = (series: SeriesWrites): readonly Route[] => [
  { path: '/events', tag, endpoints: [listEndpoint, createEndpoint(series)] },
  {
    path: '/events/{id}',
    tag,
    endpoints: [
      readEndpoint(
        { operation: 'getEvent', summary: 'events.get', problems: [...unknownEvent, ...unreadableEvent] },
        { id: idArgument },
        passwordArgument,
      ),
      trashEndpoint(
        series,
        {
          operation: 'trashEvent',
          summary: 'events.remove',
          problems: ['rest_forbidden', ...unknownEvent, 'event-is-in-trash', ...trashFaults],
        },
        { path: { id: idArgument }, args: passwordArgument },
      ),
      changeEndpoint(
        series,
        {
          operation: 'changeEvent',
          summary: 'events.change',
          problems: ['rest_forbidden', ...unknownEvent, ...newLinks, ...changeFaults],
        },
        { path: { id: idArgument }, args: { ...passwordArgument, ...eventChangeArguments } },
      ),
    ],
    target: (db, path) => findOwnedRecord(db, 'event', Number(path.id)),
    validators: validatorsInPath('event'),
  },
  {
    path: '/events/by-slug/{slug}',
    tag,
    // An unknown slug is a bad parameter, but on changing it is a 404 (events.md §4).
    endpoints: [
      readEndpoint(
        { operation: 'getEventBySlug', summary: 'events.get.slug', problems: [...unreadableEvent] },
        { slug: readSlugArgument },
        {},
      ),
      trashEndpoint(
        series,
        {
          operation: 'trashEventBySlug',
          summary: 'events.remove.slug',
          problems: ['rest_forbidden', 'event-is-in-trash', ...trashFaults],
        },
        { path: { slug: slugArgument }, args: {} },
      ),
      changeEndpoint(
        series,
        {
          operation: 'changeEventBySlug',
          summary: 'events.change.slug',
          problems: ['rest_forbidden', 'rest-event-not-found', ...newLinks, ...changeFaults],
        },
        { path: { slug: updatedSlugArgument }, args: eventChangeArguments },
      ),
    ],
    target: async (db, path, asker) => {
      const id = await findIdBySlug(db, { kind: 'event', slug: slugFrom(String(path.slug)) }, asker)
      return id === undefined ? undefined : findOwnedRecord(db, 'event', id)
    },
    validators: async (db, path, asker) => {
      const id = await findIdBySlug(db, { kind: 'event', slug: slugFrom(String(path.slug)) }, asker)
      return id === undefined ? undefined : editableValidators(db, { kind: 'event', id }, asker.actor)
    },
  },
]
