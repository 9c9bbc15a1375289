import { mayCreate } from '../../access/auth/policy.ts'
import { pathArgument } from '../../access/http/arguments/argument.kinds.ts'
import { endpoint, type Route } from '../../access/http/route.ts'
import { validatorsInPath } from '../records/record.validators.ts'
import type { TrashedKind } from './purge.repository.ts'
import { purgeRecord, purgeSeries } from './purge.service.ts'

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
    args: {},
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
