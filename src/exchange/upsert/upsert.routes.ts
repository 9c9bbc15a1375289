import { mayCreate } from '../../access/auth/policy.ts'
import { type Arguments, resolveDeferredValues } from '../../access/http/arguments/argument.ts'
import type { EndpointRequest } from '../../access/http/call.ts'
import { alwaysShort } from '../../access/http/read.cost.ts'
import { endpoint, type LazySchema, type Route, recordHeaders } from '../../access/http/route.ts'
import { isRepeated, type Replay, writeOnce } from '../../access/idempotency/idempotency.ts'
import { organizers } from '../../calendar/organizers/organizer.directory.ts'
import { editableValidators } from '../../calendar/records/record.validators.ts'
import { writeContext } from '../../calendar/records/write.context.ts'
import { listNamed, markSeen } from '../../calendar/sources/source.repository.ts'
import { sourceKey } from '../../calendar/sources/source.ts'
import { venues } from '../../calendar/venues/venue.directory.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { importRoute } from './import.routes.ts'
import { sentArguments, sentKinds } from './source.kinds.ts'
import { assertPath, externalIdPath, forceArgument, sourcePath } from './source.path.ts'
import { sweepRoute } from './sweep.routes.ts'
import type { SentKind, SentValues } from './upsert.kind.ts'
import {
  digestOfSent,
  findNamedOrFail,
  isSentAgain,
  removeItem,
  type UpsertResult,
  upsertItems,
} from './upsert.service.ts'

const tag = 'Sources'
/** As a body in the namespace of events. */
const maxBodyBytes = 1024 * 1024

const path = { source: sourcePath, external_id: externalIdPath }

/** The differences between the routes of the kinds. */
interface KindOfRoute<A extends Arguments> {
  readonly kind: SentKind
  readonly plural: 'events' | 'venues' | 'organizers'
  readonly noun: 'Event' | 'Venue' | 'Organizer'
  readonly schema: LazySchema
  readonly args: A
}

const replayResult: Replay<UpsertResult> = {
  remember: ({ id, outcome, kept }) => ({ id, outcome, kept }),
  recall: async (_tx, remembered) => remembered as UpsertResult,
}

type NamedRequest = Pick<EndpointRequest<typeof path>, 'deps' | 'actor' | 'path'>

const keyOf = (path: { readonly source: string; readonly external_id: string }) =>
  sourceKey({ name: path.source, externalId: path.external_id })

function routeOf<A extends Arguments>({ kind, plural, noun, schema, args }: KindOfRoute<A>): Route {
  const answer = { schema, headers: recordHeaders }
  const named = { path, isOpenTo: mayCreate, target: (request: NamedRequest) => assertPath(request, request.path) }
  const put = endpoint({
    methods: ['PUT'],
    operation: `putSource${noun}`,
    summary: `sources.${plural}.put`,
    about: 'sources.put.about',
    answer: { ...answer, others: [201, 204] },
    problems: ['rest_forbidden', 'source-of-another-user'],
    ...named,
    args: { ...args, force: forceArgument } as Arguments,
    hasLanguage: true,
    isRepeatable: true,
    isBatchable: true,
    maxBodyBytes,
    handle: async (call) => {
      const { deps, actor, keyed, path: given } = call
      const { storage, config, now } = deps
      const isForced = call.values.force === true
      const item = { key: keyOf(given), digest: digestOfSent(call.sent, config) }
      const known = (await listNamed(storage.db, kind.kind, [item.key])).get(item.key)
      const isSame = isSentAgain(item, known, isForced)
      const isDone = isSame || (await isRepeated(storage.db, keyed, deps))
      // Nothing is fetched for a write that is done.
      const values = isDone ? call.values : await resolveDeferredValues(call.values, { deps, actor, isOpen: true })
      const { force: _force, ...own } = values as SentValues
      const source = { kind, name: given.source, isForced, language: call.language ?? config.defaultLanguage }
      const work = async (tx: Tx): Promise<UpsertResult> => {
        if (known && isSame) {
          // Another write may have come between. It then counts as the later one.
          await markSeen(tx, { kind: kind.kind, at: now() }, [item.key])
          return { id: known.id, outcome: 'unchanged', kept: [] }
        }
        const [result] = await upsertItems(writeContext({ deps, actor }, tx), source, [{ ...item, values: own }])
        return result as UpsertResult
      }
      // Without a revision, cached answers stay valid.
      const { id, outcome, kept } =
        isSame && !keyed ? await storage.writeWithoutRevision(work) : await writeOnce(call, replayResult, work)
      const headers = kept.length > 0 ? { 'X-Fields-Kept': kept.join(', ') } : undefined
      if (outcome === 'unchanged') return { status: 204, body: {}, ...(headers ? { headers } : {}) }
      const { body, version } = await kind.answer(call, id, outcome === 'created' ? 201 : 200)
      return { status: outcome === 'created' ? 201 : 200, body, version, ...(headers ? { headers } : {}) }
    },
  })
  const get = endpoint({
    methods: ['GET'],
    isShort: alwaysShort,
    operation: `getSource${noun}`,
    summary: `sources.${plural}.get`,
    answer,
    problems: ['rest_forbidden', 'source-of-another-user', 'external-id-not-found'],
    ...named,
    args: {},
    handle: async (call) => {
      const { id } = await findNamedOrFail(call.deps.storage.db, kind, keyOf(call.path))
      const { body, version } = await kind.answer(call, id, 200)
      return { status: 200, body, version }
    },
  })
  const remove = endpoint({
    methods: ['DELETE'],
    operation: `removeSource${noun}`,
    summary: `sources.${plural}.remove`,
    about: 'remove.about',
    answer,
    problems: ['rest_forbidden', 'source-of-another-user', 'external-id-not-found'],
    ...named,
    args: {},
    isRepeatable: true,
    isBatchable: true,
    handle: async (call) => {
      const { deps, actor } = call
      const replay: Replay<{ readonly id: number }> = {
        remember: ({ id }) => id,
        recall: async (_tx, id) => ({ id: Number(id) }),
      }
      const { id } = await writeOnce(call, replay, (tx) =>
        removeItem(writeContext({ deps, actor }, tx), kind, keyOf(call.path)),
      )
      const { body, version } = await kind.answer(call, id, 200)
      return { status: 200, body, version }
    },
  })
  return {
    path: `/sources/{source}/${plural}/{external_id}`,
    tag,
    endpoints: [get, put, remove],
    validators: async (db, { source, external_id }, { actor }) => {
      const key = keyOf({ source: String(source), external_id: String(external_id) })
      const named = (await listNamed(db, kind.kind, [key])).get(key)
      return named && editableValidators(db, { kind: kind.kind, id: named.id }, actor)
    },
  }
}

/** Records by the ids of their sources. */
export const sourceRoutes: readonly Route[] = [
  routeOf({
    ...{ kind: sentKinds.event, plural: 'events', noun: 'Event', args: sentArguments.event },
    schema: async () => (await import('../../calendar/events/present/event.schema.ts')).EventSchema,
  }),
  routeOf({
    ...{ kind: sentKinds.venue, plural: 'venues', noun: 'Venue', args: sentArguments.venue },
    schema: venues.schemas.one,
  }),
  routeOf({
    ...{ kind: sentKinds.organizer, plural: 'organizers', noun: 'Organizer', args: sentArguments.organizer },
    schema: organizers.schemas.one,
  }),
  sweepRoute,
  importRoute,
]
