import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Actor } from '../../access/auth/actor.ts'
import { cacheBudgets } from '../../base/config/cache.ts'
import type { Config } from '../../base/config/config.ts'
import type { Language } from '../../base/languages/language.ts'
import type { EventKey } from '../../calendar/events/event.list.repository.ts'
import type { LinkedEvent } from '../../calendar/events/event.ts'
import type { LinkedStates } from '../../storage/database/revision.ts'
import type { Db } from '../../storage/database/tables.ts'
import type { EntryMetadata, Feed, FeedWriter } from './feed.ts'

/** The entry of one event in a feed. */
export interface WrittenEntry {
  readonly bytes: Buffer
  readonly metadata: EntryMetadata
}

/** An entry that was written for a key. */
interface NewEntry {
  readonly key: EventKey
  readonly event: LinkedEvent
  readonly entry: WrittenEntry
}

/** The cached entries that a feed may use. */
export interface KnownEntries {
  /** Returns the entry of an event that has not changed since it was written. */
  find(key: EventKey): WrittenEntry | undefined
  /** Caches entries that were written together, with the bytes of all of them. */
  keep(written: readonly NewEntry[], bytes: Buffer): void
}

/** Written entries of all feeds of one thread. */
export type EntryCache = (states: LinkedStates, variant: string) => KnownEntries | undefined

/** A cached entry, with the state of all that it shows. */
interface CachedEntry extends WrittenEntry {
  readonly changeCount: number
  /** A change of texts that was not counted changes their size in most cases. */
  readonly octets: number
  readonly linkedRecords: number
  readonly terms: number
  /** The number of the batch that it was written in. */
  readonly batch: number
}

/** The entries that were written together. */
interface BatchEntries {
  readonly variant: string
  readonly ids: readonly number[]
}

/** The estimated size of an entry in bytes besides its text. */
const entryBytes = 500

/**
 * Caches written entries until their event, or anything that events link to, changes. An entry depends on:
 *
 * - the event and its links, whose changes its change count counts;
 * - venues, organizers, pictures and terms, whose changes `states` counts. They must be read before the keys of a feed;
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
  const batches = new LRUCache<number, BatchEntries>({
    maxSize: Math.floor(maxBytes),
    dispose: ({ variant, ids }, batch) => {
      const entries = variants.get(variant)
      if (!entries) return
      for (const id of ids) if (entries.get(id)?.batch === batch) entries.delete(id)
      if (entries.size === 0) variants.delete(variant)
    },
  })
  let lastBatch = 0
  return ({ linkedRecords, terms }, asked) => {
    if (linkedRecords === undefined || terms === undefined) return undefined
    const variant = hash('sha1', asked, 'base64url')
    let usedBatch = 0
    return {
      find: (key) => {
        const known = variants.get(variant)?.get(key.id)
        if (!known || !isPlain(key)) return undefined
        const isUnchanged = known.changeCount === key.changeCount && known.octets === key.octets
        if (!isUnchanged || known.linkedRecords !== linkedRecords || known.terms !== terms) return undefined
        if (known.batch !== usedBatch) batches.get(known.batch)
        usedBatch = known.batch
        return known
      },
      keep: (written, { buffer }) => {
        const kept = written.filter(isCacheable)
        const size = buffer.byteLength + kept.length * entryBytes
        if (kept.length === 0 || size > maxBytes) return
        lastBatch += 1
        batches.set(lastBatch, { variant, ids: kept.map(({ key }) => key.id) }, { size })
        const entries = variants.get(variant) ?? new Map<number, CachedEntry>()
        variants.set(variant, entries)
        for (const { key, entry } of kept) {
          const { bytes, metadata } = entry
          const { id, changeCount, octets } = key
          entries.set(id, { bytes, metadata, changeCount, octets, linkedRecords, terms, batch: lastBatch })
        }
      },
    }
  }
}

/** Whether an event may change between its key and its entry, or is not cached at all. */
function isCacheable({ key, event }: NewEntry): boolean {
  return isPlain(key) && isPlain(event) && event.changeCount === key.changeCount
}

/** Whether an event is shown to all its readers in the same form, and belongs to no series. */
function isPlain({ passwordDigest, seriesId }: Pick<EventKey, 'passwordDigest' | 'seriesId'>): boolean {
  return passwordDigest === undefined && seriesId === undefined
}

const caches = new WeakMap<Config, WeakMap<Db, EntryCache>>()

/** Returns the cache of this thread for entries of a database. */
export function entryCacheOf(config: Config, db: Db): EntryCache {
  const ofConfig = caches.get(config) ?? new WeakMap<Db, EntryCache>()
  caches.set(config, ofConfig)
  const cache = ofConfig.get(db) ?? createEntryCache(cacheBudgets(config).entries)
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
