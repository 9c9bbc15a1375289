import { type Actor, isSignedIn } from '../../access/auth/actor.ts'
import { mayCreate, mayEdit, mayEditOthers, type OwnedRecord } from '../../access/auth/policy.ts'
import { accepted, refused } from '../../access/http/argument.rules.ts'
import { filledTextSchema, integerSchema } from '../../access/http/argument.schema.ts'
import type { Argument, Arguments } from '../../access/http/argument.ts'
import {
  type Call,
  type Endpoint,
  type EndpointResult,
  endpoint,
  openToAll,
  type Route,
  recordHeaders,
} from '../../access/http/route.ts'
import { replayById, writeOnce } from '../../access/idempotency/idempotency.ts'
import { slugFrom } from '../../base/text/slug.ts'
import { assertMayRecall } from '../records/recall.ts'
import { translationRule } from '../records/record.arguments.ts'
import { findOwnedRecord } from '../records/record.repository.ts'
import { isRecordSlugTaken } from '../records/record.slug.ts'
import { editableVersion, versionInPath } from '../records/record.version.ts'
import { findIdBySlug } from '../records/record.versions.repository.ts'
import { writeContext } from '../records/write.context.ts'
import { sentName, sourceNameArguments } from '../sources/source.arguments.ts'
import { createNamed, presentSourceOf } from '../sources/source.service.ts'
import { translationOf } from '../translations/group.service.ts'
import { contentLanguage, readContext, viewerOfReading } from '../translations/viewer.ts'
import {
  eventChangeArguments,
  eventCreateArguments,
  eventDraftFrom,
  eventPatchFrom,
  passwordArgument,
} from './event.arguments.ts'
import { createEvent, hasLinks } from './event.create.service.ts'
import { listEndpoint } from './event.list.routes.ts'
import { readWithPassword } from './event.password.attempts.ts'
import { presentEvent } from './event.present.ts'
import { findEventOrFail, readEvent } from './event.read.service.ts'
import { withLinks } from './event.repository.ts'
import { changeEvent, trashEvent } from './event.service.ts'
import { listEventStandings } from './event.standing.repository.ts'
import type { CalendarEvent } from './event.ts'

const tag = 'Events'

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

/** Contract: on update an unknown slug is a 404 (events.md §4). The value is then 0, which no event has as its id. */
const updatedSlugArgument = {
  ...slugArgument,
  read: async (raw, reading) =>
    accepted(
      (await findIdBySlug(reading.db, { kind: 'event', slug: slugFrom(String(raw)) }, viewerOfReading(reading))) ?? 0,
    ),
} as const satisfies Argument<number>

const schema = async () => (await import('./event.schema.ts')).EventSchema
const unknownEvent = ['rest-invalid-event-id', 'rest-event-not-found'] as const
const unreadableEvent = ['event-no-longer-available', 'event-not-accessible', 'event-password-protected'] as const
const newLinks = ['could-not-create-venue', 'could-not-create-organizer'] as const

/** How an endpoint of one event is called, and what else may go wrong there. */
type ItemDescription = Pick<Endpoint, 'operation' | 'summary' | 'problems'>

const createEndpoint = endpoint({
  methods: ['POST'],
  isRepeatable: true,
  isBatchable: true,
  operation: 'createEvent',
  summary: 'events.create',
  answer: { status: 201, schema, headers: recordHeaders },
  problems: ['rest_forbidden', ...newLinks, 'source-of-another-user', 'external-id-exists'],
  path: {},
  args: { ...eventCreateArguments, ...sourceNameArguments },
  isOpenTo: mayCreate,
  translationOf: translationRule('event'),
  isTaken: (tx, { slug }, { language, defaultLanguage }) =>
    isRecordSlugTaken(tx, { kind: 'event', language: language ?? defaultLanguage }, slug),
  handle: async (call) => {
    const draft = eventDraftFrom(call.values)
    const translation = translationOf(call)
    const sent = sentName(call.values)
    const { dialect } = call.deps.storage
    const event = await writeOnce(call, replayEvent(call), (tx) => {
      const write = writeContext(call, tx)
      const standing = async (id: number) => (await listEventStandings(tx, dialect, [id])).get(id) ?? {}
      return createNamed(write, { kind: 'event', sent, standing }, () => createEvent(write, draft, translation))
    })
    const isLinked = translation.of !== undefined || hasLinks(draft)
    return answerEvent(call, event, { status: 201, isLinked, isNamed: sent.name !== undefined })
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

function trashEndpoint<P extends Arguments, A extends Arguments>(described: ItemDescription, path: P, args: A) {
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
      const event = await writeOnce(call, replayEvent(call), (tx) => trashEvent(writeContext(call, tx), idOf(call)))
      return answerEvent(call, event)
    },
  })
}

function changeEndpoint<P extends Arguments>(described: ItemDescription, path: P, args: typeof eventChangeArguments) {
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
      const patch = { ...eventPatchFrom(call.values), translationOf: call.translationOf }
      const event = await writeOnce(call, replayEvent(call), (tx) =>
        changeEvent(writeContext(call, tx), idOf(call), patch),
      )
      return answerEvent(call, event)
    },
  })
}

/** How the result of an event's write is found again. */
export const replayEvent = ({ actor }: Pick<Call, 'actor'>) =>
  replayById(async (tx, id) => assertMayRecall(actor, await findEventOrFail(tx, id)))

/**
 * Returns a response with an event and the linked items that the caller may see.
 *
 * @param isLinked False if the event has no venues, organizers and terms. They are then not looked for.
 * @param isNamed False if no source has named the event.
 */
export async function answerEvent(
  call: Pick<Call, 'deps' | 'actor' | 'addresses' | 'language'>,
  event: CalendarEvent,
  { status = 200, isSingle = false, isLinked = true, isNamed = true } = {},
): Promise<EndpointResult> {
  const { deps, addresses, actor } = call
  const [linked] = await withLinks(readContext(call), [event], isLinked)
  if (!linked) throw new Error(`Event ${event.id} came without its links.`)
  return {
    status,
    body: {
      ...presentEvent(linked, { config: deps.config, addresses, isSingle, isSignedIn: isSignedIn(actor) }),
      ...(isNamed ? await presentSourceOf(deps.storage.db, actor, event) : {}),
    },
    headers: contentLanguage([event]),
    version: event.changeCount,
  }
}

/** Returns the id of the event that the path names. */
function idOf(call: Pick<Call, 'path'>): number {
  return Object.values(call.path)[0] as number
}

/** The routes of events, in the order of the index. */
export const eventRoutes: readonly Route[] = [
  { path: '/events', tag, endpoints: [listEndpoint, createEndpoint] },
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
        {
          operation: 'trashEvent',
          summary: 'events.remove',
          problems: ['rest_forbidden', ...unknownEvent, 'event-is-in-trash'],
        },
        { id: idArgument },
        passwordArgument,
      ),
      changeEndpoint(
        {
          operation: 'changeEvent',
          summary: 'events.change',
          problems: ['rest_forbidden', ...unknownEvent, ...newLinks],
        },
        { id: idArgument },
        { ...passwordArgument, ...eventChangeArguments },
      ),
    ],
    target: (db, path) => findOwnedRecord(db, 'event', Number(path.id)),
    version: versionInPath('event'),
  },
  {
    path: '/events/by-slug/{slug}',
    tag,
    // An unknown slug is a bad parameter, but on changing it is a 404 (events.md §4).
    endpoints: [
      readEndpoint(
        { operation: 'getEventBySlug', summary: 'events.get.slug', problems: [...unreadableEvent] },
        { slug: slugArgument },
        {},
      ),
      trashEndpoint(
        {
          operation: 'trashEventBySlug',
          summary: 'events.remove.slug',
          problems: ['rest_forbidden', 'event-is-in-trash'],
        },
        { slug: slugArgument },
        {},
      ),
      changeEndpoint(
        {
          operation: 'changeEventBySlug',
          summary: 'events.change.slug',
          problems: ['rest_forbidden', 'rest-event-not-found', ...newLinks],
        },
        { slug: updatedSlugArgument },
        eventChangeArguments,
      ),
    ],
    target: async (db, path, asker) => {
      const id = await findIdBySlug(db, { kind: 'event', slug: slugFrom(String(path.slug)) }, asker)
      return id === undefined ? undefined : findOwnedRecord(db, 'event', id)
    },
    version: async (db, path, asker) => {
      const id = await findIdBySlug(db, { kind: 'event', slug: slugFrom(String(path.slug)) }, asker)
      return id === undefined ? undefined : editableVersion(db, { kind: 'event', id }, asker.actor)
    },
  },
]
