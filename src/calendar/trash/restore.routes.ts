import { mayCreate } from '../../access/auth/policy.ts'
import { pathNumberOr } from '../../access/http/arguments/argument.rules.ts'
import { integerSchema } from '../../access/http/arguments/argument.schema.ts'
import type { Argument } from '../../access/http/arguments/argument.ts'
import { endpoint, type Route, recordHeaders } from '../../access/http/route.ts'
import { writeOnce } from '../../access/idempotency/idempotency.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { answerEntry, replayEntry } from '../directory/directory.routes.ts'
import { restoreEntry } from '../directory/directory.service.ts'
import type { Directory, Fields } from '../directory/directory.ts'
import { answerEvent, replayEvent } from '../events/present/answer.ts'
import { restoreEvent } from '../events/write/event.service.ts'
import { organizers } from '../organizers/organizer.directory.ts'
import { validatorsInPath } from '../records/record.validators.ts'
import { writeContext } from '../records/write.context.ts'
import { venues } from '../venues/venue.directory.ts'

/**
 * The shared part of all endpoints that restore a record. They answer with the record as the contract's namespace shows
 * it.
 */
const restoring = {
  methods: ['POST'],
  isRepeatable: true,
  isBatchable: true,
  problems: ['rest_forbidden', 'record-not-found', 'record-not-in-trash'],
  args: {},
} as const

const idArgument = {
  // A caller without the right to write must not learn which records exist. An invalid id counts as the id of no
  // record.
  read: pathNumberOr('record-not-found'),
  schema: integerSchema,
  type: 'integer',
  isRequired: true,
} as const satisfies Argument<number>

const restoreEventEndpoint = endpoint({
  ...restoring,
  operation: 'restoreEvent',
  summary: 'events.restore',
  answer: {
    schema: async () => (await import('../events/present/event.schema.ts')).EventSchema,
    headers: recordHeaders,
  },
  path: { id: { ...idArgument, description: 'id.event' } },
  isOpenTo: mayCreate,
  handle: async (call) => {
    const { deps, actor, addresses, path } = call
    const restore = (tx: Tx) => restoreEvent(writeContext({ deps, actor }, tx), path.id)
    const event = await writeOnce(call, replayEvent(call), restore)
    const { body, version } = await answerEvent({ deps, actor, addresses, language: undefined }, event)
    return { status: 200, body, version }
  },
})

function restoreEntryEndpoint<F extends Fields>(directory: Directory<F>) {
  return endpoint({
    ...restoring,
    operation: `restore${directory.tag.slice(0, -1)}`,
    summary: `${directory.plural}.restore`,
    answer: { schema: directory.schemas.one, headers: recordHeaders },
    path: { id: { ...idArgument, description: `id.${directory.kind}` } },
    isOpenTo: mayCreate,
    handle: async (call) => {
      const { deps, actor, addresses, path } = call
      const restore = (tx: Tx) => restoreEntry(writeContext({ deps, actor }, tx), directory, path.id)
      const entry = await writeOnce(call, replayEntry(call, directory), restore)
      const { body, version } = await answerEntry({ deps, actor, addresses, language: undefined }, directory, { entry })
      return { status: 200, body, version }
    },
  })
}

/** Taking events, venues and organizers out of the trash. */
export const restoreRoutes: readonly Route[] = [
  {
    path: '/events/{id}/restore',
    tag: 'Events',
    endpoints: [restoreEventEndpoint],
    validators: validatorsInPath('event'),
  },
  {
    path: '/venues/{id}/restore',
    tag: 'Venues',
    endpoints: [restoreEntryEndpoint(venues)],
    validators: validatorsInPath('venue'),
  },
  {
    path: '/organizers/{id}/restore',
    tag: 'Organizers',
    endpoints: [restoreEntryEndpoint(organizers)],
    validators: validatorsInPath('organizer'),
  },
]
