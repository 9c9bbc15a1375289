import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CompiledQuery, sql } from 'kysely'
import { createUser } from '../src/access/auth/user.service.ts'
import { createApp } from '../src/app.ts'
import { openExternalDeps } from '../src/main.ts'
import type { Storage } from '../src/storage/database/storage.ts'
import { addCopies } from './support/copies.ts'
import { openTestDatabase } from './support/database.ts'

interface Asked {
  readonly text: string
  readonly parameters: readonly unknown[]
}

/** Tables that grow with the calendar. A page of a list must not scan any of them. */
const large = [
  'records',
  'events',
  'listed_events',
  'event_facets',
  'search_texts',
  'event_terms',
  'event_venues',
  'event_organizers',
  'occurrences',
]

/** Every variant of the list of events: each filter alone and with others. */
const forms = [
  ...[
    '',
    'page=3',
    'per_page=50',
    'start_date=2030-01-01',
    'start_date=2029-01-01&end_date=2031-01-01',
    'strict_dates=1',
  ],
  ...['starts_after=2030-01-01', 'starts_before=2030-01-01', 'ends_after=2030-01-01', 'ends_before=2030-01-01'],
  ...[
    'starts_after=2030-01-01&ends_before=2030-02-01',
    'categories=1',
    'categories=1,2',
    'tags=3',
    'tags=3&categories=1',
  ],
  ...['venue=2', 'venue=2,3', 'organizer=4', 'venue=2&organizer=4&categories=1', 'featured=true', 'featured=false'],
  ...['featured=true&categories=1', 'search=dance', 'search=dance+-music', 'include=5,6', 'post_parent=5'],
  ...[
    'ticketed=true',
    'ticketed=false',
    'geoloc=true',
    'geoloc=true&geoloc_lat=45.5&geoloc_lng=-73.5&geoloc_radius=20',
  ],
  ...['ml_language=fr-CA', 'ml_language=en&categories=1', 'password=open'],
  ...['series=30003', 'series=30003,30006', 'series=30003&categories=1', 'post_parent=30003'],
  ...[
    ...['', '&page=3', '&categories=1', '&search=dance', '&include=5,6', '&orderby=title', '&per_page=50'],
    ...['&start_date=2021-01-01&end_date=2031-01-01', '&ends_after=2030-01-01', '&starts_before=2030-01-01'],
  ].map((more) => `occurrences=next${more}`),
  ...[
    'orderby=title',
    'orderby=status',
    'orderby=modified&categories=1',
    'orderby=created&order=asc',
    'orderby=start&order=desc',
  ],
]

/** Variants that only callers who may create events can request. */
const editorForms = [...forms, 'status=any', 'status=draft', 'status=publish,private']

const times = { start_date: '2030-01-20 10:00', end_date: '2030-01-20 12:00' }
const links = { venue: 2, organizer: 4, categories: [1, 'New'], tags: ['Three'] }

/** Requests for one record. Ids as below. */
const single: readonly (readonly ['GET' | 'POST' | 'DELETE', path: string, json?: object])[] = [
  ['GET', '/events/5'],
  ['GET', '/events/5?language=fr'],
  ['POST', '/events', { title: 'Plain', ...times }],
  ['POST', '/events', { title: 'Linked', ...times, ...links }],
  ['POST', '/events', { title: 'Linked', ...times, ...links, venue: { venue: 'New' }, status: 'draft' }],
  ['POST', '/events/5', { title: 'Dance again', featured: true }],
  ['POST', '/events/5', { ...links, ...times, image: '', event_status: 'canceled' }],
  ['POST', '/events/5', { status: 'draft' }],
  ['POST', '/events/5', { status: 'publish', slug: 'dance-2' }],
  ['POST', '/venues/2', { venue: 'House', city: 'Laval' }],
  ['POST', '/organizers/4', { email: 'a@example.org' }],
  ['POST', '/categories/1', { name: 'One', description: 'All' }],
  ['DELETE', '/events/6'],
  ['DELETE', '/venues/1'],
]

/** A step that reads all events, or all records of a kind. */
const walkOfMany =
  /^SEARCH \w+ USING (?:PRIMARY KEY \(facet=\?\)|(?:COVERING )?INDEX (?!audit_kind)\w+ \(kind=\?(?: AND status=\?)?\))/

/** Pages and feeds, from the root. */
const pages = [
  ...[
    '',
    '?past=1',
    '?search=dance',
    '?category=one',
    '?venue=2',
    'month/2030-01/',
    'month/2030-01/?search=dance',
    '2030-01-20/',
    'map/',
    'category/one/',
  ].map((view) => `/events/${view}`),
  ...[
    '/event/dance/',
    '/event/dance/ical/',
    '/venue/house/',
    '/venue/house/?past=1',
    '/organizer/club/',
    '/tag/three/',
  ],
  ...['/fr/events/', '/fr/events/month/2030-01/'],
  ...['ics', 'rss', 'atom', 'csv'].map((format) => `/cal/events/v1/events.${format}`),
]

/** The full scans of large tables in the plans of these statements, each with its statement. */
async function fullScans({ db, dialect }: Storage, isVisitor: boolean, statements: readonly Asked[]) {
  if (dialect.name === 'sqlite') {
    return scansIn(statements, async ({ text, parameters }) => {
      const query = CompiledQuery.raw(`explain query plan ${text}`, [...parameters])
      const { rows } = await db.executeQuery<{ detail: string }>(query)
      return rows.map(({ detail }) => detail).filter((detail) => isScanOf(/^SCAN (\w+)/.exec(detail)?.[1], text))
    })
  }
  // The tables of a test are so small that the server would prefer to scan them. This setting shows whether it has
  // another way.
  return db.transaction().execute(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx)
    return scansIn(statements, async ({ text, parameters }) => {
      const query = CompiledQuery.raw(`explain (format json) ${text}`, [...parameters])
      const { rows } = await tx.executeQuery<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(query)
      return rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => walksOf(Plan, isVisitor)))
    })
  })
}

async function scansIn(statements: readonly Asked[], scansOf: (statement: Asked) => Promise<readonly string[]>) {
  const scans: string[] = []
  for (const statement of statements) {
    scans.push(...(await scansOf(statement)).map((scan) => `${scan}\n  ${statement.text}`))
  }
  return scans
}

/** A step of a PostgreSQL plan. */
interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly PlanNode[]
}

/**
 * The columns by which a condition must use an index. A server that may not scan a table scans an index of it instead,
 * and the facet of all, or the kind of events, is nearly the whole table.
 */
const telling: Readonly<Record<string, RegExp>> = {
  records: /\b(?:id|slug|group_id|parent_id)\b|kind = '(?!event)/,
  events: /./,
  listed_events: /\b(?:place|start_local|end_local|event_id|group_id|series_id = )/,
  occurrences: /\b(?:event_id|series_id)\b/,
  event_facets: /\bfacet\b/,
  search_texts: /\b(?:place|text)\b/,
}

/**
 * The steps that scan a large table.
 *
 * @param isStrict Whether a scan of an index counts. Counts for editors read each event, and a count of nearly all
 * events reads nearly all.
 */
function walksOf(node: PlanNode, isStrict: boolean, parent?: PlanNode): readonly string[] {
  const { Plans = [], 'Node Type': type, 'Index Name': index, 'Index Cond': condition = '' } = node
  const table = node['Relation Name'] ?? parent?.['Relation Name'] ?? ''
  const below = Plans.flatMap((plan) => walksOf(plan, isStrict, node))
  const isWhole = isStrict && index !== undefined && telling[table]?.test(condition) === false
  const isWalk = large.includes(table) && (type === 'Seq Scan' || isWhole)
  return isWalk ? [`${type} of ${table} by ${index}: ${condition}`, ...below] : below
}

/** Whether this name stands for a large table in a statement. */
function isScanOf(name: string | undefined, text: string): boolean {
  if (name === undefined) return false
  const aliased = new RegExp(`"?(\\w+)"?(?: as)? "?${name}"?(?![.\\w])`, 'g')
  return large.includes(name) || [...text.matchAll(aliased)].some(([, table = '']) => large.includes(table))
}

test('no list of events, feed or page of them walks through a table that grows with the calendar', async (t) => {
  const asked: Asked[] = []
  const visitor = {}
  const { config, storage, remove } = await openTestDatabase(
    { SITE_TIMEZONE: 'America/Toronto', LOG_LEVEL: 'silent', CACHE_MEGABYTES: '0' },
    { onQuery: (text, parameters) => asked.push({ text, parameters }) },
  )
  const deps = { config, storage, ...(await openExternalDeps(config)), now: () => Date.UTC(2030, 0, 15, 12) / 1000 }
  const server = createApp(deps)
  t.after(async () => {
    await server.close()
    await remove()
  })
  const { secret } = await createUser(deps, { name: 'editor', role: 'editor' })
  const authorization = `Basic ${btoa(`editor:${secret}`)}`
  const send = async (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    headers: Record<string, string>,
    json?: object,
  ) => {
    const url = pages.includes(path) || path.startsWith('//') ? path.replace('//', '/') : `/cal/events/v1${path}`
    const answer = await server.inject({ method, url, headers, ...(json ? { payload: json } : {}) })
    assert.ok([200, 201].includes(answer.statusCode), `${path} ${answer.body}`)
  }
  for (const name of ['One', 'Two']) await send('POST', '/categories', { authorization }, { name })
  await send('POST', '/tags', { authorization }, { name: 'Three' })
  for (const venue of ['Hall', 'House']) await send('POST', '/venues', { authorization }, { venue })
  // Ids of records: venues 1 and 2; the place of the third is a venue as well, the fourth an organizer.
  await send('POST', '/venues', { authorization }, { venue: 'Barn' })
  await send('POST', '/organizers', { authorization }, { organizer: 'Club' })
  for (const title of ['Dance', 'Music']) {
    await send('POST', '/events', { authorization }, { title, ...times, categories: [1], venue: 2 })
  }
  await addCopies(storage, { eventId: 5, venueId: 2, organizerId: 4 })
  const scans: string[] = []
  let plans = 0

  for (const [headers, all] of [
    [visitor, [...forms, ...pages]],
    [{ authorization }, editorForms],
  ] as const) {
    const isVisitor = headers === visitor
    // Many forms ask the same of the same events.
    const known = new Set<string>()
    for (const form of all) {
      asked.length = 0
      await send('GET', pages.includes(form) ? form : `/events?${form}`, headers)
      const statements = asked.filter((statement) => {
        const key = JSON.stringify(statement)
        return /^\s*(?:select|with)/i.test(statement.text) && !known.has(key) && known.add(key)
      })
      plans += statements.length
      const found = await fullScans(storage, isVisitor, statements)
      scans.push(...found.map((scan) => `${form} as ${isVisitor ? 'visitor' : 'editor'}: ${scan}`))
    }
  }

  // What concerns one record reads this record, and neither the whole list nor all records of its kind. The planner of
  // SQLite knows no sizes, so it may prefer the kind.
  const service = (path: string) => `//cal/service/v1${path}`
  const administrator = await createUser(deps, { name: 'administrator', role: 'administrator' })
  const full = `Basic ${btoa(`administrator:${administrator.secret}`)}`
  for (const [method, path, json] of [
    ...single,
    ['GET', '/events/5?context=edit'],
    ['GET', service('/events/5/source')],
    ['GET', service('/events/5/history')],
    ['GET', service('/audit?kind=event')],
    ['POST', service('/venues/2/merge'), { into: 3, dry_run: true }],
    ['POST', service('/categories/2/merge'), { into: 1, dry_run: true }],
  ] as const) {
    asked.length = 0
    await send(method, path, { authorization: full }, json)
    for (const { text, parameters } of asked.slice()) {
      if (storage.dialect.name !== 'sqlite' || !/^\s*(?:select|with|insert|update|delete)/i.test(text)) continue
      const query = CompiledQuery.raw(`explain query plan ${text}`, [...parameters])
      const { rows } = await storage.db.executeQuery<{ detail: string }>(query)
      const walks = rows.filter(({ detail }) => walkOfMany.test(detail))
      scans.push(...walks.map(({ detail }) => `${method} ${path}: ${detail}\n  ${text}`))
    }
  }

  assert.deepEqual(scans, [])
  assert.ok(plans > 400, `Only ${plans} plans were looked at.`)
})
