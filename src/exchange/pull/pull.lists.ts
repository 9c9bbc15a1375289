import type { PulledEvent, PullFolder } from './pull.folder.ts'
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
  /** Set if only what has changed is fetched: when the events in the lists were changed last, and those that are gone. */
  readonly changes?: { readonly modified: Map<number, string>; readonly gone: number[] }
}

/** The most pages of a list. */
const maxPages = 10_000

/** All states but the trash, which has no interface for visitors. */
export const eventStates = 'publish,future,draft,pending,private'

/** The times of all events. */
export const always = { start_date: '1970-01-02', end_date: '2100-01-01' }

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

/**
 * Fetches a list as the interface for visitors shows it, which is what an import reads, and returns its items. A list
 * that the site refuses is noted.
 */
export async function pullRecordedList(
  { client, folder, api, refused }: Pull,
  { name: list, path, query }: Pick<PagedList, 'name' | 'path' | 'query'>,
): Promise<readonly unknown[]> {
  const items: unknown[] = []
  for (let page = 1, pages = 1; page <= Math.min(pages, maxPages); page += 1) {
    const name = `${list}-${page}.json`
    let body = await folder.readJson<unknown>(name)
    if (body === undefined) {
      const answer = await client.get(api(path, { ...query, page: String(page) }))
      // The list is empty, or has become shorter.
      if (answer.status === 404) break
      if (answer.status !== 200) {
        refused[path] = answer.status
        break
      }
      body = answer.body
      await folder.writeJson(name, body)
    }
    items.push(...itemsOf(body))
    pages = isObject(body) ? Number(body.total_pages ?? 1) : 1
  }
  return items
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

/** Returns what is kept of an event in a list. */
export function keptOfList(item: unknown): object {
  return isObject(item) ? { id: item.id, modified: item.modified_gmt ?? item.modified_utc } : {}
}

/** Notes when the events of a list were changed last. */
export function noteChanges({ changes }: Pull, items: readonly unknown[]): void {
  for (const item of items) {
    const modified = isObject(item) ? moment(item.modified) : ''
    if (isObject(item) && isId(item.id) && modified !== '') changes?.modified.set(item.id, modified)
  }
}

/** Whether an event is in the folder as it is on the site. */
export async function isCurrent({ folder, changes }: Pull, id: number): Promise<boolean> {
  const kept = await folder.readJson<PulledEvent>(`events/${id}.json`)
  if (!kept || !changes) return kept !== undefined
  const [raw, v1] = [kept.raw, kept.v1].map((form) => (isObject(form) ? form : undefined))
  const modified = changes.modified.get(id)
  return modified !== undefined && [raw?.modified_gmt, v1?.modified_utc].some((one) => moment(one) === modified)
}

/** Takes an event that the site has no longer out of the folder. */
export async function putAway({ folder, changes }: Pull, id: number): Promise<void> {
  const name = `events/${id}.json`
  await folder.writeJson(`gone/${id}.json`, await folder.readJson(name))
  await folder.remove(name)
  changes?.gone.push(id)
}

function moment(raw: unknown): string {
  return typeof raw === 'string' ? raw.replace('T', ' ') : ''
}

/** Fetches one record, and returns it; undefined if the site refuses it, which is noted. */
export async function pullOne({ client, folder, api, refused }: Pull, name: string, path: string): Promise<unknown> {
  const kept = await folder.readJson(name)
  if (kept !== undefined) return kept
  const answer = await client.get(api(path))
  if (answer.status === 200) await folder.writeJson(name, answer.body)
  else refused[path] = answer.status
  return answer.status === 200 ? answer.body : undefined
}

/** Returns the items of an answer: a list, or an object with one. */
export function itemsOf(body: unknown): readonly unknown[] {
  if (Array.isArray(body)) return body
  return isObject(body) ? (Object.values(body).find((value) => Array.isArray(value)) ?? []) : []
}

/** Returns the records in the lists of a folder whose names begin so, by their ids, in the order of these. */
export async function recordsIn(folder: PullFolder, beginning: string): Promise<ReadonlyMap<number, Form>> {
  const found = new Map<number, Form>()
  for (const file of await folder.list(beginning.replace(/\/.*/, ''))) {
    if (!file.startsWith(beginning)) continue
    for (const item of itemsOf(await folder.readJson(file))) if (isObject(item)) found.set(Number(item.id), item)
  }
  return new Map([...found].toSorted(([one], [other]) => one - other))
}

/** A record in one of its forms. */
export type Form = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0
}
