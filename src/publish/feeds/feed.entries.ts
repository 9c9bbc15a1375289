import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Actor } from '../../access/auth/actor.ts'
import { cacheBudgets } from '../../base/config/cache.ts'
import type { Config } from '../../base/config/config.ts'
import type { Language } from '../../base/languages/language.ts'
import type { EventKey } from '../../calendar/events/event.keys.repository.ts'
import type { LinkedEvent } from '../../calendar/events/event.ts'
import type { Db } from '../../storage/database/tables.ts'
import type { TextBytes } from './feed.bytes.ts'
import type { EntryMetadata, Feed, FeedWriter } from './feed.ts'

/** The entry of one event in a feed. */
export interface WrittenEntry {
  readonly bytes: Buffer
  readonly metadata: EntryMetadata
}

/** Entries that were written together. */
export interface WrittenBatch {
  readonly keys: readonly EventKey[]
  /** The events of these keys that were read, in the same order. */
  readonly events: readonly LinkedEvent[]
  readonly metadata: readonly EntryMetadata[]
  readonly texts: TextBytes
}

/** The cached entries that a feed may use. */
export interface KnownEntries {
  /** Returns the entry of an event that has not changed since it was written. */
  find(key: EventKey): WrittenEntry | undefined
  /** Caches entries that were written together. */
  keep(batch: WrittenBatch): void
}

/** Written entries of all feeds of one thread. */
export type EntryCache = (shownLinks: number | undefined, variant: string) => KnownEntries | undefined

/** Cached entries that were written together, with the state of everything that they link to. */
interface CachedBatch {
  readonly variant: string
  readonly shownLinks: number
  readonly bytes: Buffer
  readonly ids: readonly number[]
}

interface CachedEntry {
  readonly batch: CachedBatch
  /** Where its bytes begin and end in those of the batch. */
  readonly from: number
  readonly to: number
  readonly metadata: EntryMetadata
  readonly changeCount: number
  /** A change of texts that was not counted changes their size in most cases. */
  readonly octets: number
}

/** The estimated size of an entry in bytes besides its text. */
const entryBytes = 500

/**
 * Caches written entries until their event, or anything that events link to, changes. An entry depends on:
 *
 * - the event and its links, whose changes its change count counts;
 * - venues, organizers, pictures and terms: `shownLinks` changes when what events show of them does. It must be read
 *   before the keys of a feed;
 * - everything in `variant`, and the configuration.
 *
 * It does not depend on the time. Entries of protected events, which not all readers see in the same form, are not
 * cached. Neither are dates of series, which show their series.
 *
 * Entries that were written together share a buffer, so that nothing is copied. They are dropped together: those of the
 * least recently used batch first.
 *
 * @param maxBytes 0: nothing is cached.
 */
export function createEntryCache(maxBytes: number): EntryCache {
  if (maxBytes < 1) return () => undefined
  const variants = new Map<string, Map<number, CachedEntry>>()
  const batches = new LRUCache<CachedBatch, CachedBatch>({
    maxSize: Math.floor(maxBytes),
    sizeCalculation: ({ bytes, ids }) => bytes.buffer.byteLength + ids.length * entryBytes,
    dispose: (batch) => {
      const entries = variants.get(batch.variant)
      if (!entries) return
      for (const id of batch.ids) if (entries.get(id)?.batch === batch) entries.delete(id)
      if (entries.size === 0) variants.delete(batch.variant)
    },
  })
  return (shownLinks, asked) => {
    if (shownLinks === undefined) return undefined
    const variant = hash('sha1', asked, 'base64url')
    let used: CachedBatch | undefined
    return {
      find: (key) => {
        const known = variants.get(variant)?.get(key.id)
        if (known?.changeCount !== key.changeCount || known.octets !== key.octets || !isPlain(key)) return undefined
        const { batch, from, to, metadata } = known
        if (batch.shownLinks !== shownLinks) return undefined
        if (batch !== used) batches.get(batch)
        used = batch
        return { bytes: batch.bytes.subarray(from, to), metadata }
      },
      keep: ({ keys, events, metadata, texts: { bytes, ends } }) => {
        // Others would take their room, and never be found.
        if (!events.some(isPlain)) return
        const batch = { variant, shownLinks, bytes, ids: events.map(({ id }) => id) }
        batches.set(batch, batch)
        // A batch larger than the cache is not in it.
        if (!batches.has(batch)) return
        const entries = variants.get(variant) ?? new Map<number, CachedEntry>()
        variants.set(variant, entries)
        let place = 0
        for (const key of keys) {
          const [event, about, to] = [events[place], metadata[place], ends[place]]
          if (event?.id !== key.id || !about || to === undefined) continue
          const { id, changeCount, octets } = key
          const from = ends[place - 1] ?? 0
          if (isPlain(key) && isPlain(event) && event.changeCount === changeCount)
            entries.set(id, { batch, from, to, metadata: about, changeCount, octets })
          place += 1
        }
      },
    }
  }
}

/** Whether an event is shown to all its readers in the same form, and belongs to no series. */
function isPlain({ passwordDigest, seriesId }: Pick<EventKey, 'passwordDigest' | 'seriesId'>): boolean {
  return passwordDigest === undefined && seriesId === undefined
}

const caches = new WeakMap<Config, WeakMap<Db, EntryCache>>()

/**
 * Returns the cache of this thread for entries of a database. With replicas, nothing is cached: a statement may go to
 * another server than the previous one, so the numbers of a feed may be newer than its events.
 */
export function entryCacheOf(config: Config, db: Db): EntryCache {
  const ofConfig = caches.get(config) ?? new WeakMap<Db, EntryCache>()
  caches.set(config, ofConfig)
  const cache =
    ofConfig.get(db) ?? createEntryCache(config.databaseReplicas.length > 0 ? 0 : cacheBudgets(config).entries)
  ofConfig.set(db, cache)
  return cache
}

/** What an entry depends on besides the configuration and the data. */
export interface EntryReader {
  readonly writer: FeedWriter
  readonly feed: Feed
  /** The reader, who determines which venues and organizers are shown. */
  readonly actor: Actor
  /** The requested language, which determines the language of venues, organizers and terms. */
  readonly language: Language | undefined
}

/** Identifies the form of the entries of a feed. Entries of the same event have the same form only in the same variant. */
export function entryVariant({ writer, feed, actor, language }: EntryReader): string {
  const { addresses, identity, isSignedIn, memberships } = feed
  const asked = [language ?? null, feed.language]
  return JSON.stringify([writer.type, asked, addresses, identity, isSignedIn, memberships !== undefined, actor])
}
