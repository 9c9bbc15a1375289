import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import packageJson from '../../../package.json' with { type: 'json' }
import type { Validators } from '../../access/http/answers/etag.ts'
import type { EventKeyPage } from '../../calendar/events/list/list.service.ts'
import type { Viewer } from '../../calendar/translations/viewer.ts'
import { memoizePerObject } from '../../storage/database/derived.values.ts'
import type { Db } from '../../storage/database/tables.ts'
import type { SeriesOfFeed } from './feed.series.ts'
import { type Feed, type FeedWriter, feedSettings } from './feed.ts'

// What this process knows of feeds that it has generated, so that it need not generate them again for a client that has
// them already. It keeps no texts.

/** Everything that a feed depends on. */
export interface FeedParts {
  readonly writer: FeedWriter
  readonly feed: Feed
  readonly viewer: Viewer
  /** Changes with what events show of the items that they link to. It is read before the events. */
  readonly changes: number
  readonly found: EventKeyPage
  /** The series of the events, if the format writes the dates of each together. */
  readonly series: SeriesOfFeed | undefined
}

/** Returns a hash of everything that a feed depends on. An event counts its changes. */
export function feedState({ writer, feed, viewer, changes, found, series }: FeedParts): string {
  const { config, memberships, ...asked } = feed
  const settings = feedSettings.map((name) => config[name])
  const events = found.items.map((key) => [key.id, key.changeCount, key.octets, found.isMasked(key)])
  const dates = [...(memberships?.values() ?? [])]
  const ofSeries = [
    dates.map(({ rules: _, ...date }) => date),
    [...new Map(dates.map(({ seriesId, rules }) => [seriesId, rules]))],
    [...(series?.states ?? [])],
  ]
  const all = [packageJson.version, settings, writer.type, asked, viewer, changes, found.total, events, ofSeries]
  return hash('sha1', JSON.stringify(all), 'base64url')
}

interface KnownFeed extends Validators {
  readonly state: string
  /** The second at which this process first saw the feed with this validator. */
  readonly since: number
}

const maxFeeds = 1000
const feedsOf = memoizePerObject((_: Db) => new LRUCache<string, KnownFeed>({ max: maxFeeds }))

/** What is known of one feed: of one address, as some reader sees it. */
export interface FeedMemory {
  find(state: string): Validators | undefined
  keep(state: string, etag: string, now: number): Validators
}

/** @param name Everything that tells the feed from others. */
export function feedMemory(db: Db, ...named: readonly unknown[]): FeedMemory {
  const feeds = feedsOf(db)
  const name = JSON.stringify(named)
  return {
    find: (state) => {
      const known = feeds.get(name)
      return known?.state === state ? known : undefined
    },
    keep: (state, etag, now) => {
      const known = feeds.get(name)
      // Two feeds of one second need different dates.
      const since = known?.etag === etag ? known.since : Math.max(now, (known?.since ?? 0) + 1)
      const lastModified = since > now ? undefined : new Date(since * 1000).toUTCString()
      feeds.set(name, { state, etag, lastModified, since })
      return { etag, lastModified }
    },
  }
}
