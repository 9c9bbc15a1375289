import { mayCreate } from '../../access/auth/policy.ts'
import { type Arguments, resolveDeferredValues } from '../../access/http/argument.ts'
import { alwaysShort } from '../../access/http/read.cost.ts'
import { type LazySchema, recordHeaders } from '../../access/http/route.ts'
import { type ServiceRoute, serviceEndpoint } from '../../access/http/service.ts'
import { isRepeated, type Replay, writeOnce } from '../../access/idempotency/idempotency.ts'
import { organizers } from '../../calendar/organizers/organizer.directory.ts'
import { editableVersion } from '../../calendar/records/record.version.ts'
import { writeContext } from '../../calendar/records/write.context.ts'
import { listNamed, markSeen } from '../../calendar/sources/source.repository.ts'
import { venues } from '../../calendar/venues/venue.directory.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { importRoute } from './import.routes.ts'
import { sentArguments, upsertKinds } from './source.kinds.ts'
import { assertPath, externalIdPath, forceArgument, sourcePath } from './source.path.ts'
import { sweepRoute } from './sweep.routes.ts'
import type { UpsertKind } from './upsert.kind.ts'
import {
  digestOfSent,
  findNamedOrFail,
  isSentAgain,
  removeItem,
  type SentItem,
  type UpsertResult,
  upsertItems,
} from './upsert.service.ts'

const tag = 'Sources'
/** As a body in the namespace of events. */
const maxBodyBytes = 1024 * 1024

const path = { source: sourcePath, external_id: externalIdPath }

/** The differences between the routes of the kinds. */
interface KindOfRoute<A extends Arguments> {
  readonly kind: UpsertKind
  readonly plural: 'events' | 'venues' | 'organizers'
  readonly noun: 'Event' | 'Venue' | 'Organizer'
  readonly schema: LazySchema
  readonly args: A
}

const replayResult: Replay<UpsertResult> = {
  remember: ({ id, outcome, kept }) => ({ id, outcome, kept }),
  recall: async (_tx, remembered) => remembered as UpsertResult,
}

function routeOf<A extends Arguments>({ kind, plural, noun, schema, args }: KindOfRoute<A>): ServiceRoute {
  const answer = { schema, headers: recordHeaders }
  const put = serviceEndpoint({
    methods: ['PUT'],
    operation: `putSource${noun}`,
    summary: `sources.${plural}.put`,
    about: 'sources.put.about',
    answer: { ...answer, others: [201, 204] },
    problems: ['rest_forbidden', 'source-of-another-user'],
    path,
    args: { ...args, force: forceArgument } as Arguments,
    hasLanguage: true,
    isRepeatable: true,
    isBatchable: true,
    maxBodyBytes,
    isOpenTo: mayCreate,
    target: (request) => assertPath(request, request.path.source, request.path.external_id),
    handle: async (call) => {
      const { deps, actor, keyed, path: named } = call
      const { storage, config, now } = deps
      const isForced = call.values.force === true
      const item = { externalId: named.external_id, digest: digestOfSent(call.sent, config) }
      const name = named.source
      const names = { kind: kind.kind, name }
      const known = (await listNamed(storage.db, names, [item.externalId])).get(item.externalId)
      const isSame = isSentAgain(item, known, isForced)
      const isDone = isSame || (await isRepeated(storage.db, keyed, deps))
      // Nothing is fetched for a write that is done.
      const values = isDone ? call.values : await resolveDeferredValues(call.values, { deps, actor, isOpen: true })
      const { force: _force, ...own } = values as Record<string, unknown>
      const source = {
        kind,
        name,
        isForced,
        language: call.language ?? config.defaultLanguage,
        dialect: storage.dialect,
      }
      const work = async (tx: Tx): Promise<UpsertResult> => {
        if (known && isSame) {
          // Another write may have come between. It then counts as the later one.
          await markSeen(tx, { ...names, at: now() }, [item.externalId])
          return { id: known.id, outcome: 'unchanged', kept: [] }
        }
        const complete: SentItem = { ...item, values: own }
        const [result] = await upsertItems(writeContext({ deps, actor }, tx), source, [complete])
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
  const get = serviceEndpoint({
    methods: ['GET'],
    isShort: alwaysShort,
    operation: `getSource${noun}`,
    summary: `sources.${plural}.get`,
    answer,
    problems: ['rest_forbidden', 'source-of-another-user', 'external-id-not-found'],
    path,
    args: {},
    isOpenTo: mayCreate,
    target: (request) => assertPath(request, request.path.source, request.path.external_id),
    handle: async (call) => {
      const { source: name, external_id: externalId } = call.path
      const { id } = await findNamedOrFail(call.deps.storage.db, { kind, name, externalId })
      const { body, version } = await kind.answer(call, id, 200)
      return { status: 200, body, version }
    },
  })
  const remove = serviceEndpoint({
    methods: ['DELETE'],
    operation: `removeSource${noun}`,
    summary: `sources.${plural}.remove`,
    about: 'remove.about',
    answer,
    problems: ['rest_forbidden', 'source-of-another-user', 'external-id-not-found'],
    path,
    args: {},
    isRepeatable: true,
    isBatchable: true,
    isOpenTo: mayCreate,
    target: (request) => assertPath(request, request.path.source, request.path.external_id),
    handle: async (call) => {
      const { deps, actor } = call
      const { source: name, external_id: externalId } = call.path
      const replay: Replay<{ readonly id: number }> = {
        remember: ({ id }) => id,
        recall: async (_tx, id) => ({ id: Number(id) }),
      }
      const { id } = await writeOnce(call, replay, (tx) =>
        removeItem(writeContext({ deps, actor }, tx), { kind, name, externalId }),
      )
      const { body, version } = await kind.answer(call, id, 200)
      return { status: 200, body, version }
    },
  })
  return {
    path: `/sources/{source}/${plural}/{external_id}`,
    tag,
    endpoints: [get, put, remove],
    version: async (db, { source, external_id }, { actor }) => {
      const name = String(source)
      const found = await listNamed(db, { kind: kind.kind, name }, [String(external_id)])
      const named = found.get(String(external_id))
      return named && editableVersion(db, { kind: kind.kind, id: named.id }, actor)
    },
  }
}

/** Records by the ids of their sources. */
export const sourceRoutes: readonly ServiceRoute[] = [
  routeOf({
    ...{ kind: upsertKinds.event, plural: 'events', noun: 'Event', args: sentArguments.event },
    schema: async () => (await import('../../calendar/events/event.schema.ts')).EventSchema,
  }),
  routeOf({
    ...{ kind: upsertKinds.venue, plural: 'venues', noun: 'Venue', args: sentArguments.venue },
    schema: venues.schemas.one,
  }),
  routeOf({
    ...{ kind: upsertKinds.organizer, plural: 'organizers', noun: 'Organizer', args: sentArguments.organizer },
    schema: organizers.schemas.one,
  }),
  sweepRoute,
  importRoute,
]
