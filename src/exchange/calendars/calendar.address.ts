import { setTimeout as pause } from 'node:timers/promises'
import { giveWay } from '../../base/concurrency/turns.ts'
import { type FetchDocument, type FetchedDocument, OutboundError, webAddressOf } from '../../base/outbound/outbound.ts'
import { decodeText } from '../../base/text/decode.ts'
import { decodeEntities } from '../../base/text/escape.ts'
import { readCalendar } from './calendar.reading.ts'
import type { ForeignCalendar } from './foreign.records.ts'
import type { CalendarReading } from './ics.events.ts'
import { maxCalendarBytes } from './ics.parts.ts'
import { type SitePage, scriptsIn } from './jsonld.ts'

// What is at an address: a calendar (RFC 5545), a page that tells search engines about its events, or a sitemap of such.

export interface CalendarAddress {
  readonly url: string
  /** What the address has answered. */
  readonly first: Buffer
  /**
   * Fetches another page of the site.
   *
   * @throws OutboundError
   */
  readonly fetch: (url: string, timeoutMs: number) => Promise<Pick<FetchedDocument, 'status' | 'body'>>
  /** Only pages whose addresses contain it. */
  readonly match?: string | undefined
  readonly maxPages?: number
  /** For all pages together. */
  readonly timeoutMs?: number
  /** Between two requests: by default as long as the site took to answer, so that half of its time is free. */
  readonly pauseMs?: number
  readonly onPage?: ((done: number, total: number) => void) | undefined
}

const accept = 'text/calendar, text/html;q=0.9, application/xml;q=0.8'
const firstLimits = { maxBytes: maxCalendarBytes, timeoutMs: 30_000, maxRedirects: 5 }
const pageLimits = { maxBytes: 2 * 1024 * 1024, maxRedirects: 5, headers: { accept } }
const longestPauseMs = 1000
const maxSitemaps = 500
/** As many addresses as one sitemap may name. All sitemaps of a site together are read so far. */
const maxLocs = 50_000
const usualSitemaps = ['/sitemap.xml', '/sitemap_index.xml', '/wp-sitemap.xml']
const gone: ReadonlySet<number> = new Set([404, 410])
const busy: ReadonlySet<number> = new Set([429, 503])

/**
 * Fetches what a user has named, and no address within a private network.
 *
 * @throws OutboundError
 */
export const fetchFirst = (
  fetch: FetchDocument,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<FetchedDocument> => fetch(url, { ...firstLimits, headers: { accept, ...headers } })

/** Fetches the pages that an answer names, as carefully. */
export const fetchPages =
  (fetch: FetchDocument): CalendarAddress['fetch'] =>
  (url, timeoutMs) =>
    fetch(url, { ...pageLimits, ...withinSite(url), timeoutMs })

/** Lets no redirect of a page lead to another site. */
export const withinSite = (url: string) => ({
  mayLeadTo: ({ hostname }: URL) => siteOf(hostname) === siteOf(new URL(url).hostname),
})

/**
 * Reads the events at an address by what it has answered.
 *
 * @throws not-a-calendar, rest_request_too_large
 */
export async function readAddress(address: CalendarAddress, reading: CalendarReading): Promise<ForeignCalendar> {
  const { first } = address
  if (/^\s*BEGIN:VCALENDAR/i.test(decodeText(first.subarray(0, 200)))) return readCalendar(first, reading)
  const { pages, isWhole, read, total } = await pagesAt(address)
  const calendar = await readCalendar(pages, reading)
  if (!isWhole) return { ...calendar, pages: 'some', notes: [{ key: 'import.site.part', values: { read, total } }] }
  return { ...calendar, pages: calendar.notes.length === 0 ? 'all' : 'some' }
}

/** Returns what the pages of a site say to search engines. Other sites are not asked. */
async function pagesAt({
  url,
  first,
  fetch,
  match = '',
  maxPages = 200,
  timeoutMs = 40_000,
  pauseMs,
  onPage,
}: CalendarAddress) {
  const site = new URL(webAddressOf(url))
  const text = decodeText(first)
  const isSitemap = /\.xml$/i.test(site.pathname) || /<(?:urlset|sitemapindex)\b/i.test(text.slice(0, 1000))
  const isHome = site.pathname === '/' && !isSitemap
  const waiting = isHome ? usualSitemaps.map((path) => new URL(path, site).href) : []
  const known = new Set([site.href, ...waiting])
  const named: string[] = []
  let [untilMs, isWhole, read, tookMs, locs] = [performance.now() + timeoutMs, true, 0, 0, 0]

  const textAt = async (page: string): Promise<string> => {
    const waitMs = pauseMs ?? Math.min(longestPauseMs, tookMs)
    if (performance.now() + waitMs >= untilMs) {
      isWhole = false
      return ''
    }
    await pause(waitMs)
    const beganMs = performance.now()
    try {
      const { status, body } = await fetch(
        page,
        Math.max(1, Math.ceil(Math.min(firstLimits.timeoutMs, untilMs - beganMs))),
      )
      if (status === 200 || gone.has(status)) read += 1
      else isWhole = false
      if (busy.has(status)) untilMs = 0
      return status === 200 ? decodeText(body) : ''
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      isWhole = false
      return ''
    } finally {
      tookMs = performance.now() - beganMs
    }
  }
  const note = (sitemap: string) => {
    for (const [, written = ''] of sitemap.matchAll(/<loc>\s*(?:<!\[CDATA\[)?([^<\]]+)/gi)) {
      locs += 1
      if (locs > maxLocs) {
        isWhole = false
        return
      }
      const page = decodeEntities(written.trim())
      if (known.has(page)) continue
      const there = URL.canParse(page) ? new URL(page) : undefined
      if (!there || siteOf(there.host) !== siteOf(site.host)) continue
      known.add(page)
      if (/\.xml$/i.test(there.pathname)) waiting.push(page)
      else if (page.includes(match)) named.push(page)
    }
  }

  if (isSitemap) note(text)
  // A site may make up sitemaps for ever.
  for (let count = 0; waiting.length > 0 && count < maxSitemaps; count += 1) {
    note(await textAt(waiting.shift() as string))
    await giveWay()
  }
  read = 0
  const chosen = named.toSorted((one, other) => rank(one) - rank(other)).slice(0, maxPages)
  if (waiting.length > 0 || chosen.length < named.length) isWhole = false
  const pages: SitePage[] =
    isSitemap || !site.href.includes(match) ? [] : [{ url: site.href, scripts: scriptsIn(text) }]
  let size = 0
  for (const [place, page] of chosen.entries()) {
    if (size > maxCalendarBytes) {
      isWhole = false
      break
    }
    onPage?.(place, chosen.length)
    const scripts = scriptsIn(await textAt(page))
    size += scripts.join('').length
    if (scripts.length > 0) pages.push({ url: page, scripts })
  }
  return { pages, isWhole, read, total: named.length }
}

const siteOf = (host: string) => host.replace(/^www\./, '')

/** Pages that are likely to have events come first, because not all may be read. */
const rank = (page: string) => Number(!/event|evenement|%C3%A9v%C3%A9nement|agenda|calend/i.test(page))
