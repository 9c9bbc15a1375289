import type { ExampleSite } from '../support/example.site.ts'

interface ListForm {
  readonly path: string
  /** Name of the items in the answer. */
  readonly name: string
  readonly query: string
}

const ever = 'start_date=0001-01-01&end_date=9999-12-31'
const hidden = 'status=trash,draft,private,pending,future'
const lists: readonly ListForm[] = [
  ...['', '&status=publish', `&${hidden}`].map((status) => ({
    path: '/events',
    name: 'events',
    query: `${ever}${status}`,
  })),
  ...['venues', 'organizers'].flatMap((name) =>
    ['', 'status=publish', hidden].map((query) => ({ path: `/${name}`, name, query })),
  ),
  ...['categories', 'tags'].map((name) => ({ path: `/${name}`, name, query: '' })),
]
const readers = [
  ['administrator', ''],
  ['administrator', '&ml_language=fr-CA'],
  [undefined, ''],
] as const

/** Contract: events in the trash are listed but cannot be fetched; those with a password only with it. */
const closed: ReadonlySet<string> = new Set(['event-no-longer-available', 'event-password-protected'])

/** What does not fit together in the calendar: lists that cannot be walked, totals that are not those of the items. */
export async function faultsOfCalendar(site: ExampleSite): Promise<readonly string[]> {
  const faults: string[] = []
  for (const list of lists) {
    for (const [as, language] of readers) {
      // A visitor may not name statuses that visitors do not see.
      if (as === undefined && list.query.includes(hidden)) continue
      faults.push(...(await faultsOfList(site, { ...list, query: `${list.query}${language}` }, as)))
    }
  }
  return faults
}

async function faultsOfList(
  site: ExampleSite,
  { path, name, query }: ListForm,
  as: 'administrator' | undefined,
): Promise<readonly string[]> {
  const caller = as ? { as } : {}
  const title = `${path}?${query} as ${as ?? 'visitor'}`
  const seen = new Set<number>()
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { status, body, text } = await site.send({ ...caller, path: `${path}?per_page=50&page=${page}&${query}` })
    // Contract: a list in which nothing is has no first page.
    if (status === 404 && page === 1) return []
    if (status !== 200) return [`${title}, page ${page}: status ${status} ${text.slice(0, 200)}`]
    pages = body.total_pages
    for (const { id } of body[name]) seen.add(id)
    if (page < pages) continue
    if (seen.size !== body.total) return [`${title}: ${seen.size} items where the total is ${body.total}`]
    if (body.next_rest_url) return [`${title}: a page after the last`]
  }
  const faults: string[] = []
  for (const id of seen) {
    const { status, body } = await site.send({ ...caller, path: `${path}/${id}` })
    if (status !== 200 && !closed.has(body?.code)) faults.push(`${path}/${id}, listed in ${title}: status ${status}`)
  }
  return faults
}
