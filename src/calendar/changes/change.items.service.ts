import { visitor } from '../../access/auth/actor.ts'
import type { Deps } from '../../access/deps.ts'
import type { Addresses } from '../../access/http/addresses.ts'
import { nextTurn } from '../../base/concurrency/turns.ts'
import type { ChangeKind } from '../changelog/change.log.ts'
import { listEntriesById } from '../directory/directory.repository.ts'
import type { Directory, Fields } from '../directory/directory.ts'
import { listEventsByIds } from '../events/list/ids.repository.ts'
import { lengthInList, maxListCharacters } from '../events/model/length.ts'
import { presentJsonLd } from '../events/present/event.jsonld.ts'
import { presentEvent } from '../events/present/event.present.ts'
import { organizers } from '../organizers/organizer.directory.ts'
import { presentSeries } from '../series/series.present.ts'
import { listPublicSeries } from '../series/series.public.repository.ts'
import { listMatchingTerms } from '../terms/term.lookup.repository.ts'
import { presentSingleTerm } from '../terms/term.present.ts'
import { withAncestors } from '../terms/term.repository.ts'
import { type ReadContext, viewerOf } from '../translations/viewer.ts'
import { venues } from '../venues/venue.directory.ts'
import { countEventsOfEntries } from './change.page.repository.ts'
import type { Change } from './change.page.ts'

/** How the items of the feed are shown: as the contract's namespace shows them to visitors, or as JSON-LD. */
interface ItemView {
  readonly deps: Pick<Deps, 'config' | 'storage'>
  readonly addresses: Addresses
  readonly form: 'v1' | 'schema.org'
}

/** An item as the feed shows it. */
export interface ChangedItem extends Change {
  /** Undefined if visitors may not see the item. */
  readonly data: object | undefined
  /** How many events of the feed show this venue or organizer. */
  readonly affects?: number | undefined
}

const itemsAtOnce = 100
/** An event takes a tenth of a millisecond, and no request of a visitor may take more than 50. */
const maxItems = 200

/**
 * Returns changes with their items as of now, in the same order. It stops when they have more text than a response may
 * have, or 200 items, but after at least one part of them. Runs a few queries for each part.
 */
export async function withItems(view: ItemView, changes: readonly Change[]): Promise<readonly ChangedItem[]> {
  const { config, storage } = view.deps
  const viewer = viewerOf({ actor: visitor, language: undefined, deps: { config } })
  const context = { db: storage.db, dialect: storage.dialect, viewer }
  const items: ChangedItem[] = []
  let length = 0
  let count = 0
  const isFull = () => length >= maxListCharacters || count >= maxItems
  for (let place = 0; place < changes.length && !isFull(); place += itemsAtOnce) {
    // Other requests do not wait for a long page.
    if (place > 0) await nextTurn()
    const part = changes.slice(place, place + itemsAtOnce)
    const shown = await itemsOf(context, view, part)
    for (const change of part) {
      const item = shown.get(`${change.kind} ${change.id}`)
      items.push({ ...change, data: item?.data, affects: item?.affects })
      length += item?.length ?? 0
      if (item) count += 1
    }
  }
  return items
}

interface ShownItem {
  readonly data: object
  /** The number of its characters, roughly. */
  readonly length: number
  readonly affects?: number
}

type ShownItems = ReadonlyMap<string, ShownItem>

async function itemsOf(context: ReadContext, view: ItemView, changes: readonly Change[]): Promise<ShownItems> {
  const idsOf = (kind: ChangeKind) => [
    ...new Set(changes.flatMap((change) => (change.kind === kind && !change.isDeleted ? [change.id] : []))),
  ]
  const parts = await Promise.all([
    eventsOf(context, view, idsOf('event')),
    entriesOf(context, view, { directory: venues, ids: idsOf('venue') }),
    entriesOf(context, view, { directory: organizers, ids: idsOf('organizer') }),
    termsOf(context, view, { taxonomy: 'category', ids: idsOf('category') }),
    termsOf(context, view, { taxonomy: 'tag', ids: idsOf('tag') }),
    seriesOf(context, view, idsOf('series')),
  ])
  return new Map(parts.flat())
}

type KeyedItem = readonly [key: string, item: ShownItem]

async function eventsOf(
  context: ReadContext,
  { deps: { config }, addresses, form }: ItemView,
  ids: readonly number[],
): Promise<readonly KeyedItem[]> {
  if (ids.length === 0) return []
  const events = await listEventsByIds(context, { ids, status: ['publish'], isOutline: false })
  return events.flatMap((event): KeyedItem[] => {
    const isMasked = event.passwordDigest !== undefined
    if (form === 'schema.org' && isMasked) return []
    const data =
      form === 'v1' ? presentEvent(event, { config, addresses, isMasked }) : presentJsonLd(event, { config, addresses })
    return [[`event ${event.id}`, { data, length: lengthInList(event) }]]
  })
}

async function entriesOf<F extends Fields>(
  { db }: ReadContext,
  { deps: { config }, addresses }: ItemView,
  { directory, ids }: { readonly directory: Directory<F>; readonly ids: readonly number[] },
): Promise<readonly KeyedItem[]> {
  const entries = [...(await listEntriesById(db, directory, ids)).values()].filter(({ status }) => status === 'publish')
  const counts = await countEventsOfEntries(
    db,
    entries.map(({ groupId }) => groupId),
  )
  return entries.map((entry): KeyedItem => {
    const [key, item] = keyed(
      `${directory.kind} ${entry.id}`,
      directory.present(entry, { addresses, siteZone: config.siteZone }),
    )
    return [key, { ...item, affects: counts.get(entry.groupId) ?? 0 }]
  })
}

async function termsOf(
  { db }: ReadContext,
  { addresses }: ItemView,
  { taxonomy, ids }: { readonly taxonomy: 'category' | 'tag'; readonly ids: readonly number[] },
): Promise<readonly KeyedItem[]> {
  if (ids.length === 0) return []
  const terms = (await listMatchingTerms(db, taxonomy, { ids })).filter(
    ({ introducedBy }) => introducedBy === undefined,
  )
  const full = await withAncestors(db, terms)
  return full.map((term) => keyed(`${taxonomy} ${term.id}`, presentSingleTerm(term, addresses, { allow: ['GET'] })))
}

async function seriesOf(
  { db, dialect }: ReadContext,
  { addresses }: ItemView,
  ids: readonly number[],
): Promise<readonly KeyedItem[]> {
  const found = await listPublicSeries(db, dialect, ids)
  return found.map(({ templateId, series, template }) =>
    keyed(`series ${templateId}`, presentSeries(series, template, addresses)),
  )
}

function keyed(key: string, data: object): KeyedItem {
  return [key, { data, length: JSON.stringify(data).length }]
}
