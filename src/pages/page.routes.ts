import type { Sent } from '../http/argument.ts'
import { dayPage } from './day.page.ts'
import { eventPage } from './event.page.ts'
import { listPage } from './list.page.ts'
import { monthPage } from './month.page.ts'
import type { PageAnswer, PageCall } from './page.ts'

/** What makes the page of an address. */
export type Show = (call: PageCall) => Promise<PageAnswer>

interface PageRoute {
  readonly pattern: RegExp
  readonly show: (call: PageCall, ...parts: string[]) => Promise<PageAnswer>
}

/** All pages, by their path below the language. Each ends with a slash; without it the path leads there. */
const routes: readonly PageRoute[] = [
  { pattern: /^\/events$/, show: listPage },
  { pattern: /^\/events\/month$/, show: (call) => monthPage(call) },
  { pattern: /^\/events\/month\/(\d{4}-\d\d)$/, show: monthPage },
  { pattern: /^\/events\/(\d{4}-\d\d-\d\d)$/, show: dayPage },
  { pattern: /^\/event\/([^/]+)$/, show: eventPage },
]

/** The page that stands at a path; undefined where none does. */
export function matchPage(path: string, _query: Sent): Show | undefined {
  const bare = path.endsWith('/') ? path.slice(0, -1) : path
  for (const { pattern, show } of routes) {
    const match = pattern.exec(bare)
    if (!match) continue
    const parts = match.slice(1).map(decoded)
    return (call) => show(call, ...parts)
  }
  return undefined
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment).toWellFormed().replaceAll('\0', '')
  } catch {
    return segment
  }
}
