import type { Actor } from '../../access/auth/actor.ts'
import { mayEditOthers, mayManage } from '../../access/auth/policy.ts'
import type { Deps } from '../../access/deps.ts'
import { type Addresses, routeUrl } from '../../access/http/addresses.ts'
import { wholeNumber } from '../../access/http/argument.rules.ts'
import { integerSchema } from '../../access/http/argument.schema.ts'
import type { Argument, Arguments } from '../../access/http/argument.ts'
import { pathNumberOr } from '../../access/http/service.reading.ts'
import { type ServiceRoute, serviceEndpoint } from '../../access/http/service.ts'
import { isoUtc } from '../../base/time/wire.ts'
import { defaultPerPage, mostPerPage, outcomeArguments } from '../cancellations/cancellation.arguments.ts'
import type { Directory, Fields } from '../directory/directory.ts'
import { versionInPath } from '../records/record.version.ts'
import { findTerm } from '../terms/term.repository.ts'
import { pluralOf, type Taxonomy } from '../terms/term.ts'
import { mergeEntries, type UnmergeResult, undoMerge } from './merge.service.ts'
import { type MovedEvent, mergeUndoDays } from './merge.ts'
import { mergeTerms, readTermUsage } from './term.merge.service.ts'
import { undoTermMerge } from './term.unmerge.service.ts'

const daySeconds = 86_400

/** Merging a venue or an organizer into another one, and undoing it. */
export function mergeRoutes<F extends Fields>(directory: Directory<F>): readonly ServiceRoute[] {
  const { kind, plural, tag } = directory
  const undo = undoEndpoint({
    ...{ plural, singular: tag.slice(0, -1), about: 'merge.undo.about', isOpenTo: mayEditOthers },
    undo: ({ deps, actor, id, isDry }) => undoMerge({ deps, actor, directory }, id, isDry),
  })
  return [
    { path: `/${plural}/{id}/merge`, tag, endpoints: [mergeEndpoint(directory)], version: versionInPath(kind) },
    { path: `/${plural}/merge/{id}/undo`, tag, endpoints: [undo] },
  ]
}

const intoArgument = {
  ...{ read: wholeNumber, schema: integerSchema, description: 'merge.into', type: 'integer', isRequired: true },
} as const satisfies Argument<number>

function mergeEndpoint<F extends Fields>(directory: Directory<F>) {
  const { kind, plural, tag } = directory
  return serviceEndpoint({
    methods: ['POST'],
    remembersAnswer: {},
    operation: `merge${tag.slice(0, -1)}`,
    summary: `${plural}.merge`,
    about: 'merge.about',
    answer: { schema: async () => (await import('./merge.schema.ts')).MergedRecordSchema },
    problems: ['rest_forbidden', 'record-not-found', `${kind}-is-in-trash`],
    path: {
      id: {
        read: pathNumberOr('record-not-found'),
        ...{ schema: integerSchema, type: 'integer', isRequired: true, description: `id.${kind}` },
      },
    },
    args: { into: intoArgument, ...outcomeArguments } as const satisfies Arguments,
    isOpenTo: mayEditOthers,
    handle: async ({ deps, actor, values, path, addresses, namespace }) => {
      const { into = 0, dry_run: isDry = false } = values
      const order = { fromId: path.id ?? 0, intoId: into }
      const { id, events, lostLanguages } = await mergeEntries({ deps, actor, directory }, order, isDry)
      const shown = presentMoved(events, values, addresses)
      return {
        status: 200,
        body: {
          ...{ dry_run: isDry, ...shown, lost_languages: lostLanguages },
          undo: presentUndo({ deps, addresses, namespace, plural }, id),
        },
      }
    },
  })
}

interface Undoing {
  readonly plural: 'venues' | 'organizers' | 'categories' | 'tags'
  readonly singular: string
  readonly about: 'merge.undo.about' | 'merge.term.undo.about'
  readonly isOpenTo: (actor: Actor) => boolean
  readonly undo: (asked: {
    readonly deps: Deps
    readonly actor: Actor
    readonly id: number
    readonly isDry: boolean
  }) => Promise<UnmergeResult>
}

function undoEndpoint({ plural, singular, about, isOpenTo, undo }: Undoing) {
  return serviceEndpoint({
    methods: ['POST'],
    remembersAnswer: {},
    operation: `undoMerge${singular}`,
    summary: `${plural}.merge.undo`,
    about,
    answer: { schema: async () => (await import('./merge.schema.ts')).UnmergedRecordSchema },
    problems: ['rest_forbidden', 'merge-not-found'],
    path: {
      id: {
        read: pathNumberOr('merge-not-found'),
        ...{ schema: integerSchema, type: 'integer', isRequired: true, description: 'id.merge' },
      },
    },
    args: outcomeArguments,
    isOpenTo,
    handle: async ({ deps, actor, values, path, addresses }) => {
      const { dry_run: isDry = false } = values
      const { events, skipped } = await undo({ deps, actor, id: path.id ?? 0, isDry })
      return { status: 200, body: { dry_run: isDry, ...presentMoved(events, values, addresses), skipped } }
    },
  })
}

/** Merging categories or tags, and what they are used for. */
export function termMergeRoutes(taxonomy: Taxonomy): readonly ServiceRoute[] {
  const plural = pluralOf(taxonomy)
  const tag = taxonomy === 'category' ? 'Categories' : 'Tags'
  const singular = taxonomy === 'category' ? 'Category' : 'Tag'
  const isOpenTo = (actor: Actor) => mayManage(actor, taxonomy)
  const path = {
    id: {
      read: pathNumberOr('record-not-found'),
      ...({ schema: integerSchema, type: 'integer', isRequired: true, description: `id.${taxonomy}` } as const),
    },
  } as const
  const usage = serviceEndpoint({
    ...{ methods: ['GET'], operation: `get${singular}Usage`, summary: `${plural}.usage` },
    // It counts all events of the term.
    isShort: () => false,
    answer: { schema: async () => (await import('./merge.schema.ts')).TermUsageSchema },
    problems: ['rest_forbidden', 'record-not-found'],
    ...{ path, args: {}, isOpenTo },
    handle: async ({ deps, path: { id = 0 } }) => ({ status: 200, body: await readTermUsage(deps, taxonomy, id) }),
  })
  const merge = serviceEndpoint({
    ...{ methods: ['POST'], remembersAnswer: {}, operation: `merge${singular}`, summary: `${plural}.merge` },
    about: 'merge.term.about',
    answer: { schema: async () => (await import('./merge.schema.ts')).MergedTermSchema },
    problems: ['rest_forbidden', 'record-not-found'],
    ...{ path, args: { into: intoArgument, ...outcomeArguments } as const satisfies Arguments, isOpenTo },
    handle: async ({ deps, actor, values, path: { id = 0 }, addresses, namespace }) => {
      const { into = 0, dry_run: isDry = false } = values
      const order = { fromId: id, intoId: into }
      const { events, children, id: merge } = await mergeTerms({ deps, actor, taxonomy }, order, isDry)
      const undo = presentUndo({ deps, addresses, namespace, plural }, merge)
      return { status: 200, body: { dry_run: isDry, ...presentMoved(events, values, addresses), children, undo } }
    },
  })
  const undo = undoEndpoint({
    ...{ plural, singular, about: 'merge.term.undo.about', isOpenTo },
    undo: ({ deps, id, isDry }) => undoTermMerge({ deps, taxonomy }, id, isDry),
  })
  return [
    { path: `/${plural}/{id}/usage`, tag, endpoints: [usage] },
    {
      ...{ path: `/${plural}/{id}/merge`, tag, endpoints: [merge] },
      version: async (db, { id }, { actor }) => {
        const term = isOpenTo(actor) ? await findTerm(db, taxonomy, Number(id)) : undefined
        return term && { version: term.changeCount }
      },
    },
    { path: `/${plural}/merge/{id}/undo`, tag, endpoints: [undo] },
  ]
}

/** Returns how to undo a merge; null if nothing was done. */
function presentUndo(
  {
    deps,
    addresses,
    namespace,
    plural,
  }: { readonly deps: Deps; readonly addresses: Addresses; readonly namespace: string; readonly plural: string },
  id: number | undefined,
) {
  if (id === undefined) return null
  const url = `${addresses.base}/${namespace}/${plural}/merge/${id}/undo`
  return { id, url, until: isoUtc(deps.now() + mergeUndoDays * daySeconds) }
}

/** Returns a page of the events that move. */
function presentMoved(
  events: readonly MovedEvent[],
  sent: { readonly page?: number | undefined; readonly per_page?: number | undefined },
  addresses: Addresses,
) {
  const { page = 1, per_page = defaultPerPage } = sent
  const size = Math.min(per_page, mostPerPage)
  const shown = events.slice((page - 1) * size, page * size).map(({ id, language, titleHtml, start, ...event }) => ({
    ...{ id, rest_url: routeUrl(addresses, `/events/${id}`), language, title: titleHtml, start_date: start },
    ...{ timezone: event.timezone, status: event.status },
  }))
  return { count: events.length, events: shown, next_page: events.length > page * size ? page + 1 : null }
}
