import type { PullFolder } from './pull.folder.ts'
import type { SiteAnswer, SiteClient } from './site.client.ts'

// The lists of the site, page by page.

/** Returns the address of a route with a query. */
export type AddressOf = (path: string, query?: Readonly<Record<string, string>>) => URL

/** What the steps of one run share. */
export interface Pull {
  readonly client: SiteClient
  readonly folder: PullFolder
  readonly api: AddressOf
  readonly isSignedIn: boolean
  readonly refused: Record<string, number>
}

/** The most pages of a list. */
const maxPages = 10_000

/** All states but the trash, which has no interface for visitors. */
export const eventStates = 'publish,future,draft,pending,private'

/** A page of a list, as it is kept. */
interface KeptPage {
  readonly total_pages: number
  readonly items: readonly unknown[]
}

/** A list to fetch. */
interface PagedList {
  /** Its name in the folder. */
  readonly name: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** Returns what is kept of an item. */
  readonly keep?: (item: unknown) => unknown
}

/** Fetches a list as the interface for visitors shows it, of all states that the user may read. */
export async function pullRecordedList(
  { client, folder, api, isSignedIn, refused }: Pull,
  list: string,
): Promise<void> {
  const hasStates = isSignedIn && (list === 'venues' || list === 'organizers')
  for (let page = 1, pages = 1; page <= Math.min(pages, maxPages); page += 1) {
    const name = `lists/${list}-${page}.json`
    let body = await folder.readJson<unknown>(name)
    if (body === undefined) {
      const query = { per_page: '50', hide_empty: 'false', page: String(page) }
      const path = `tribe/events/v1/${list}`
      const answer = await client.get(api(path, { ...query, ...(hasStates ? { status: eventStates } : {}) }))
      // The list is empty, or has become shorter.
      if (answer.status === 404) return
      if (answer.status !== 200) {
        refused[path] = answer.status
        return
      }
      body = answer.body
      await folder.writeJson(name, body)
    }
    pages = isObject(body) ? Number(body.total_pages ?? 1) : 1
  }
}

/** Fetches all pages of a list, keeps them, and returns their items. A list that the site refuses is noted. */
export async function pullPages(
  { client, folder, api, refused }: Pull,
  { name: list, path, query, headers = {}, keep = (item) => item }: PagedList,
): Promise<readonly unknown[]> {
  const items: unknown[] = []
  for (let page = 1, pages = 1; page <= Math.min(pages, maxPages); page += 1) {
    const name = `${list}-${page}.json`
    let kept = await folder.readJson<KeptPage>(name)
    if (!kept) {
      const answer = await client.get(api(path, { ...query, page: String(page) }), headers)
      if (answer.status !== 200) {
        // A page past the end: the list has become shorter.
        if (page === 1 && !isEndOfList(answer)) refused[path] = answer.status
        break
      }
      const found = itemsOf(answer.body)
      const own = isObject(answer.body) ? Number(answer.body.total_pages) : Number.NaN
      kept = { total_pages: answer.totalPages ?? (own > 0 ? own : 1), items: found.map(keep) }
      await folder.writeJson(name, kept)
    }
    items.push(...kept.items)
    pages = kept.total_pages
  }
  return items
}

/** Whether an empty list is answered as not found, instead of a route that is not there. */
function isEndOfList({ status, body }: SiteAnswer): boolean {
  return status === 404 && isObject(body) && body.code !== 'rest_no_route'
}

export async function pullOne({ client, folder, api, refused }: Pull, name: string, path: string): Promise<void> {
  if ((await folder.readJson(name)) !== undefined) return
  const answer = await client.get(api(path))
  if (answer.status === 200) await folder.writeJson(name, answer.body)
  else refused[path] = answer.status
}

/** Returns the items of an answer: a list, or an object with one. */
export function itemsOf(body: unknown): readonly unknown[] {
  if (Array.isArray(body)) return body
  return isObject(body) ? (Object.values(body).find((value) => Array.isArray(value)) ?? []) : []
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0
}
