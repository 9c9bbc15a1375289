import { mayCreate } from '../../access/auth/policy.ts'
import { pathArgument } from '../../access/http/arguments/argument.kinds.ts'
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
import type { TrashedKind } from './purge.repository.ts'
import { purgeRecord, purgeSeries } from './purge.service.ts'

/**
 * The shared part of all endpoints that restore a record. They answer with the record as the contract's namespace shows
 * it.
 */
const restoring = {
  methods: ['POST'],
  isRepeatable: true,
  isBatchable: true,
  problems: ['rest_forbidden', 'record-not-found', 'record-not-in-trash'],
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

const kinds = [
  { kind: 'event', plural: 'events', tag: 'Events' },
  { kind: 'venue', plural: 'venues', tag: 'Venues' },
  { kind: 'organizer', plural: 'organizers', tag: 'Organizers' },
  { kind: 'series', plural: 'series', tag: 'Series' },
] as const satisfies readonly { readonly kind: TrashedKind; readonly plural: string; readonly tag: string }[]

function purgeEndpoint({ kind, plural, tag }: (typeof kinds)[number]) {
  return endpoint({
    methods: ['DELETE'],
    remembersAnswer: {},
    operation: kind === 'series' ? 'purgeSeries' : `purge${tag.slice(0, -1)}`,
    summary: `${plural}.purge`,
    about: 'purge.about',
    answer: { schema: async () => (await import('./purge.schema.ts')).PurgedRecordSchema },
    problems: ['rest_forbidden', 'record-not-found', 'record-not-in-trash'],
    // A caller without the right to write must not learn which records exist.
    path: { id: pathArgument('record-not-found', `id.${kind}`) },
    isOpenTo: mayCreate,
    handle: async ({ deps, actor, path }) => {
      const id = path.id ?? 0
      const purged = kind === 'series' ? purgeSeries({ deps, actor }, id) : purgeRecord({ deps, actor, kind }, id)
      const { versions, events, dates } = await purged
      const deleted = versions.map(({ id, language, titleHtml }) => ({ id, language, title: titleHtml }))
      return { status: 200, body: { deleted, events, ...(dates === undefined ? {} : { dates }) } }
    },
  })
}

/** Deleting events, venues, organizers and series that are in the trash. */
export const purgeRoutes: readonly Route[] = kinds.map((one) => ({
  ...{ path: `/trash/${one.plural}/{id}`, tag: one.tag, endpoints: [purgeEndpoint(one)] },
  validators: validatorsInPath(one.kind),
}))
