import { checkAll } from '../../src/operate/checks/check.service.ts'
import type { ExampleSite } from '../support/example.site.ts'

interface ListForm {
  readonly path: string
  /** Name of the items in the response. */
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
  ['administrator', 'fr-CA'],
  [undefined, ''],
] as const

/** Contract: events in the trash are listed but cannot be fetched; those with a password only with it. */
const closed: ReadonlySet<string> = new Set(['event-no-longer-available', 'event-password-protected'])

/** An inconsistency in the calendar. */
export interface CalendarFault {
  /** The same for the same fault, regardless of the record. */
  readonly title: string
  readonly text: string
}

/**
 * Returns the inconsistencies of the calendar: lists that cannot be read page by page, totals that differ from the
 * number of items.
 */
export async function faultsOfCalendar(site: ExampleSite): Promise<readonly CalendarFault[]> {
  const faults: CalendarFault[] = []
  // A record is in several lists. Each reader need fetch it only once.
  const fetched = new Set<string>()
  for (const list of lists) {
    for (const [as, language] of readers) {
      // A visitor may not request statuses that visitors cannot see.
      if (as === undefined && list.query.includes(hidden)) continue
      const query = `${list.query}${language && `&${site.deps.config.languageParameter}=${language}`}`
      faults.push(...(await faultsOfList(site, { ...list, query }, as, fetched)))
    }
  }
  return faults
}

/** Returns the findings of `cal-events check`, or none if the database is in this process only. */
export async function faultsOfDatabase({ deps }: ExampleSite): Promise<readonly CalendarFault[]> {
  const isInProcess = deps.storage.dialect.name !== deps.config.database.engine
  if (isInProcess) return []
  const findings = await checkAll(deps.config)
  return findings.flatMap(({ name, count, places }) =>
    count === 0 ? [] : [{ title: `check of ${name}`, text: places.join(', ') }],
  )
}

async function faultsOfList(
  site: ExampleSite,
  { path, name, query }: ListForm,
  as: 'administrator' | undefined,
  fetched: Set<string>,
): Promise<readonly CalendarFault[]> {
  const caller = as ? { as } : {}
  const title = `${path}?${query} as ${as ?? 'visitor'}`
  const seen = new Set<number>()
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { status, body, text } = await site.send({ ...caller, path: `${path}?per_page=50&page=${page}&${query}` })
    // Contract: an empty list has no first page.
    if (status === 404 && page === 1) return []
    if (status !== 200) return [{ title: `${title}: status ${status}`, text: `Page ${page}: ${text.slice(0, 200)}` }]
    pages = body.total_pages
    for (const { id } of body[name]) seen.add(id)
    if (page < pages) continue
    if (seen.size !== body.total) {
      return [{ title: `${title}: another total`, text: `${seen.size} items where the total is ${body.total}` }]
    }
    if (body.next_rest_url) return [{ title: `${title}: a page after the last`, text: body.next_rest_url }]
  }
  const faults: CalendarFault[] = []
  for (const id of seen) {
    const address = `${path}/${id}`
    if (fetched.has(`${address} ${as}`)) continue
    fetched.add(`${address} ${as}`)
    const { status, body } = await site.send({ ...caller, path: address })
    if (status === 200 || closed.has(body?.code)) continue
    faults.push({ title: `${path}: listed, but with status ${status}`, text: `${address} as ${as}` })
  }
  return faults
}
