import { assertAllowed, mayCreate, mayEdit, mayRead } from '../../../access/auth/policy.ts'
import { pathNumberOr } from '../../../access/http/arguments/argument.rules.ts'
import { integerSchema } from '../../../access/http/arguments/argument.schema.ts'
import { endpoint, type Route, recordHeaders } from '../../../access/http/route.ts'
import { fail } from '../../../base/problems.ts'
import { listOwnedRecords } from '../../records/record.repository.ts'
import { listTranslationsInGroups } from '../../translations/group.repository.ts'
import { findEvent } from '../event.repository.ts'

const sourceEndpoint = endpoint({
  methods: ['GET'],
  operation: 'getEventSource',
  summary: 'events.source',
  about: 'events.source.about',
  answer: { schema: async () => (await import('./source.schema.ts')).EventSourceSchema, headers: recordHeaders },
  problems: ['rest_forbidden', 'record-not-found'],
  path: {
    id: {
      read: pathNumberOr('record-not-found'),
      schema: integerSchema,
      type: 'integer',
      isRequired: true,
      description: 'id.event',
    },
  },
  isOpenTo: mayCreate,
  handle: async ({ deps, actor, path }) => {
    const { db } = deps.storage
    const event = (await findEvent(db, path.id ?? 0)) ?? fail('record-not-found')
    assertAllowed(actor, mayEdit(actor, event))
    const versions = await listTranslationsInGroups(db, 'records', [event.id])
    const owned = await listOwnedRecords(
      db,
      'event',
      versions.map(({ id }) => id),
    )
    const shown = new Set(
      owned.flatMap((version) => (version.status !== 'trash' && mayRead(actor, version) ? [version.id] : [])),
    )
    const { id, status, language, title, content: description, excerpt, cost, changeCount: version } = event
    const translations = versions.flatMap((one) =>
      shown.has(one.id) && one.id !== id ? [{ language: one.language, id: one.id }] : [],
    )
    return {
      status: 200,
      body: { id, status, language, title, description, excerpt, cost, translations },
      version,
    }
  },
})

/** The texts of an event as they were written, for programs that change them. */
export const eventSourceRoutes: readonly Route[] = [
  { path: '/events/{id}/source', tag: 'Events', endpoints: [sourceEndpoint] },
]
