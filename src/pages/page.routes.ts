import type { Sent } from '../http/argument.ts'
import { slugFrom } from '../text/slug.ts'
import { dayPage } from './day.page.ts'
import { organizerPage, venuePage } from './directory.page.ts'
import { eventPage } from './event.page.ts'
import { idPage } from './id.page.ts'
import { listPage } from './list.page.ts'
import { mapPage } from './map.page.ts'
import { monthPage } from './month.page.ts'
import { pathOf } from './page.addresses.ts'
import type { PageAnswer, PageCall } from './page.ts'
import { notFoundPage } from './problem.page.ts'
import { robots, sitemapFile, sitemapIndex } from './sitemap.ts'
import { categoryPage, tagPage } from './term.page.ts'

/** What makes the page of an address. */
export type Show = (call: PageCall) => Promise<PageAnswer>

interface PageRoute {
  readonly pattern: RegExp
  readonly show: (call: PageCall, ...parts: string[]) => Promise<PageAnswer>
}

/** All pages, by their path below the language. Each ends with a slash; without it the path leads there. */
const routes: readonly PageRoute[] = [
  { pattern: /^\/events$/, show: listPage },
  { pattern: /^\/events\/map$/, show: mapPage },
  { pattern: /^\/events\/month$/, show: (call) => monthPage(call) },
  { pattern: /^\/events\/month\/(\d{4}-\d\d)$/, show: monthPage },
  { pattern: /^\/events\/(\d{4}-\d\d-\d\d)$/, show: dayPage },
  { pattern: /^\/events\/category\/(.+)$/, show: categoryPage },
  { pattern: /^\/tag\/([^/]+)$/, show: tagPage },
  { pattern: /^\/event\/([^/]+)$/, show: eventPage },
  { pattern: /^\/venue\/([^/]+)$/, show: venuePage },
  { pattern: /^\/organizer\/([^/]+)$/, show: organizerPage },
]

/** Files for machines, at the root of the site. */
const fileRoutes: readonly PageRoute[] = [
  { pattern: /^\/robots\.txt$/, show: robots },
  { pattern: /^\/sitemap\.xml$/, show: sitemapIndex },
  {
    pattern: /^\/sitemap-(\d{1,6})\.xml$/,
    show: async (call, number = '') => (await sitemapFile(call, number)) ?? notFoundPage(call),
  },
]

/** The page that stands at a path; undefined where none does. */
export function matchPage(path: string, query: Sent): Show | undefined {
  if (isIdQuery(path, query)) return idPage
  for (const { pattern, show } of fileRoutes) {
    const match = pattern.exec(path)
    if (match) return (call) => show(call, ...match.slice(1))
  }
  const bare = path.replace(/\/$/, '')
  for (const { pattern, show } of routes) {
    const match = pattern.exec(bare)
    if (!match) continue
    const parts = match.slice(1).map(slugsIn)
    return path.endsWith('/') ? (call) => show(call, ...parts) : withSlash
  }
  return undefined
}

/** Whether the root of the site is asked for a record by its id. */
export function isIdQuery(path: string, { post_type: type, p: id }: Sent): boolean {
  return path === '/' && type !== undefined && id !== undefined
}

async function withSlash(call: PageCall): Promise<PageAnswer> {
  const { addresses, path, search, textLanguage } = call
  const address = `${textLanguage === 'fr' ? '/fr' : ''}${path}/${search === '' ? '' : `?${search}`}`
  return { kind: 'elsewhere', status: 301, url: pathOf({ addresses }, address) }
}

/** Parts of an address as they are stored, in whatever way they are written. */
function slugsIn(part: string): string {
  return part.split('/').map(slugFrom).join('/')
}
