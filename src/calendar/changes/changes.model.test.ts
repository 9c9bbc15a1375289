import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { startTestApp, type TestApp, type TestRequest } from '../../../test/support/app.ts'
import { runs } from '../../../test/support/long.ts'
import type { Role } from '../../access/auth/actor.ts'

// A program keeps a copy of the calendar. It begins anywhere in a history of writes, and follows the feed. After each
// write, its copy has exactly what a crawl of the public calendar finds.

const feed = '//cal/service/v1/changes'
const plurals = {
  event: 'events',
  venue: 'venues',
  organizer: 'organizers',
  category: 'categories',
  tag: 'tags',
} as const
type Kind = keyof typeof plurals

/** The public items by kind and id. Items that an item shows have rows of their own, so their data is left out. */
type Copy = Map<string, unknown>

const own = ({ json_ld, venue, organizer, categories, tags, image, ...item }: Record<string, unknown>) => item
/** A protected event has no new row if something hidden changes, which its time of change tells in lists. */
const asCopied = (item: Record<string, unknown>) => {
  const { modified, modified_utc, ...rest } = own(item)
  return item.hide_from_listings === null ? rest : own(item)
}

interface OfSeries {
  readonly id: number
  readonly [member: string]: unknown
}

/**
 * Returns a copy with what dates have of their own. The rest of their `series` is that of the series, which a copy with
 * linked changes has too.
 *
 * @param known The series that visitors see in all their languages, if the copy has linked changes.
 */
function comparable(copy: Copy, known: ReadonlySet<number> = new Set()): Readonly<Record<string, unknown>> {
  const reduced = [...copy].map(([key, item]) => {
    const { series, ...rest } = item as { readonly series?: OfSeries }
    if (series === undefined || known.has(series.id)) return [key, item] as const
    const { id, recurrence_id, is_modified, own_fields } = series
    return [key, { ...rest, series: { id, recurrence_id, is_modified, own_fields } }] as const
  })
  return Object.fromEntries(reduced.sort(([a], [b]) => (a < b ? -1 : 1)))
}

async function publicSeries(app: TestApp): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`
    select coalesce(group_id, id) as id from records join events on record_id = id where kind = 'series' group by 1
    having min(case when status = 'publish' and password is null and is_hidden = 0 then 1 else 0 end) = 1`.execute(
    app.deps.storage.db,
  )
  return new Set(rows.map(({ id }) => Number(id)))
}

async function crawl(app: TestApp): Promise<Copy> {
  const copy: Copy = new Map()
  for (const [kind, plural] of Object.entries(plurals)) {
    const seen = await sql<{ id: number }>`${
      kind === 'category' || kind === 'tag'
        ? sql`select id from terms where taxonomy = ${kind} order by id`
        : sql`select id from records where kind = ${kind} order by id`
    }`.execute(app.deps.storage.db)
    for (const { id } of seen.rows) {
      const { status, body } = await app.send({ path: `/${plural}/${id}` })
      if (status === 200 && (kind !== 'event' || !body.hide_from_listings) && !(await isClosed(app, kind, id)))
        copy.set(`${kind} ${id}`, asCopied(body))
    }
  }
  // Protected events are only in lists, each in the language that it is asked for.
  for (const language of ['en', 'fr-CA']) {
    const query = `per_page=50&start_date=2000-01-01&end_date=2100-01-01&ml_language=${language}`
    const { body } = await app.send({ path: `/events?${query}` })
    for (const { ml_language, ml_translations, ...event } of body.events) {
      if (event.hide_from_listings === null) copy.set(`event ${event.id}`, asCopied(event))
    }
  }
  const templates = await sql<{ id: number }>`
    select records.id from records join events on events.record_id = records.id
    where kind = 'series' and is_hidden = 0 order by records.id`.execute(app.deps.storage.db)
  for (const { id } of templates.rows) {
    const { status, body } = await app.send({ path: `//cal/service/v1/series/${id}` })
    if (status === 200) copy.set(`series ${id}`, body)
  }
  return copy
}

/** Terms that only drafts have are not public, except by their exact id. */
async function isClosed(app: TestApp, kind: string, id: number): Promise<boolean> {
  if (kind !== 'category' && kind !== 'tag') return false
  const { rows } = await sql<{ by: number | null }>`select introduced_by as by from terms where id = ${id}`.execute(
    app.deps.storage.db,
  )
  return rows[0]?.by !== null
}

/** Follows the feed from an address to its end, and returns the address where the next reading begins. */
async function follow(app: TestApp, copy: Copy, from: string): Promise<string> {
  for (let path = from; ; ) {
    const { status, body } = await app.send({ path })
    assert.equal(status, 200)
    let before = -1
    for (const item of body.items) {
      assert.ok(item.modified > before - (path.includes('linked=') ? 1 : 0), 'Numbers ascend.')
      before = item.modified
      const key = `${item.kind} ${item.id}`
      if (item.state === 'deleted') copy.delete(key)
      else copy.set(key, item.kind === 'series' ? item.data : asCopied(item.data))
    }
    path = `/${new URL(body.next).pathname}${new URL(body.next).search}`
    if (!body.has_more) return path
  }
}

const events = fc.record({
  title: fc.constantFrom('Yoga', 'Jazz'),
  status: fc.constantFrom('publish', 'publish', 'draft', 'private', 'pending'),
  hide_from_listings: fc.boolean(),
  event_password: fc.constantFrom('', '', '', 'secret'),
  categories: fc.constantFrom([], ['music'], ['music', 'dance']),
  tags: fc.constantFrom([], ['late']),
  date: fc.constantFrom('2030-01-01 00:00:00', '2030-01-16 00:00:00'),
})
const patches = fc.record(
  {
    title: fc.constantFrom('Tango', 'Opera'),
    status: fc.constantFrom('publish', 'draft'),
    event_password: fc.constantFrom('', 'x'),
    hide_from_listings: fc.boolean(),
    description: fc.constantFrom('A', 'B'),
    categories: fc.constantFrom(['dance']),
  },
  { requiredKeys: [] },
)
const recurrences = fc.constantFrom(
  ...['FREQ=WEEKLY;COUNT=2', 'FREQ=WEEKLY;COUNT=3', 'FREQ=WEEKLY;COUNT=4', 'FREQ=YEARLY'].map((rrule) => ({ rrule })),
)
interface OfAllDates {
  readonly title?: string
  readonly slug?: string
  readonly status?: string
  readonly recurrence?: object
  readonly hide_from_listings?: boolean
  readonly event_password?: string
}

const ofAllDates: fc.Arbitrary<OfAllDates> = fc.oneof(
  fc.record({ title: fc.constantFrom('Tai chi', 'Reading') }),
  fc.record({ recurrence: recurrences }),
  fc.record({ title: fc.constantFrom('Drawing', 'Chess'), recurrence: recurrences }),
  fc.record({ slug: fc.constantFrom('drawing', 'chess') }),
  fc.record({ status: fc.constantFrom('publish', 'draft') }),
  fc.record({ hide_from_listings: fc.boolean() }),
  fc.record({ event_password: fc.constantFrom('', 'x') }),
)
const roles = fc.constantFrom<Role>('contributor', 'author', 'editor', 'administrator')
const which = fc.nat({ max: 20 })
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('create' as const), as: roles, event: events, hasVenue: fc.boolean() }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('change' as const), as: roles, event: patches, which }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('trash' as const),
      as: roles,
      kind: fc.constantFrom<Kind>('event', 'venue', 'organizer', 'category', 'tag'),
      which,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('restore' as const), kind: fc.constantFrom<Kind>('event', 'venue'), which }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('rename' as const),
      as: roles,
      kind: fc.constantFrom<Kind>('venue', 'organizer', 'category', 'tag'),
      which,
      status: fc.constantFrom('publish', 'draft', undefined),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('tree' as const), which, parent: which }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('repeat' as const),
      which,
      isDate: fc.boolean(),
      scope: fc.constantFrom('this', 'following', 'all'),
      event: ofAllDates,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('series' as const),
      how: fc.constantFrom('change', 'change', 'trash', 'restore', 'translate', 'add'),
      which,
      event: ofAllDates,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('translate' as const), which, status: fc.constantFrom('publish', 'draft') }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pass' as const), days: fc.constantFrom(1, 500) }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const created: Step = {
  ...({ do: 'create', as: 'editor', hasVenue: false } as const),
  event: {
    ...({ title: 'Yoga', status: 'publish', hide_from_listings: false, event_password: '' } as const),
    ...({ categories: [], tags: [], date: '2030-01-01 00:00:00' } as const),
  },
}
const repeated: Step = { do: 'repeat', which: 0, isDate: false, scope: 'all', event: {} }
/** Most histories begin with an event or a series, so that later writes have something to change. */
const opening: fc.Arbitrary<readonly Step[]> = fc.constantFrom([], [created], [created, repeated], [created, repeated])

async function idOf(app: TestApp, kind: Kind, place: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`${
    kind === 'category' || kind === 'tag'
      ? sql`select id from terms where taxonomy = ${kind} order by id`
      : sql`select id from records where kind = ${kind} order by id`
  }`.execute(app.deps.storage.db)
  return rows[place % Math.max(1, rows.length)]?.id
}

/** Returns a date of a series. */
async function dateOf(app: TestApp, place: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`select event_id as id from occurrences order by event_id`.execute(
    app.deps.storage.db,
  )
  return rows[place % Math.max(1, rows.length)]?.id
}

async function changeSeries(
  app: TestApp,
  { how, which: place, event }: Extract<Step, { do: 'series' }>,
): Promise<void> {
  const { rows } = await sql<{ id: number }>`select id from records where kind = 'series' order by id`.execute(
    app.deps.storage.db,
  )
  const { id } = rows[place % Math.max(1, rows.length)] ?? {}
  if (id === undefined) return
  const path = `//cal/service/v1/series/${id}`
  const { title = 'Traduit', status, slug } = event
  const request = {
    change: { method: 'PATCH', path: `${path}?drop=1`, json: event },
    trash: { method: 'DELETE', path },
    restore: { method: 'POST', path: `${path}/restore`, json: {} },
    translate: { method: 'POST', path: `${path}/translations?ml_language=fr-CA`, json: { title, status, slug } },
    add: { method: 'POST', path: `${path}/dates`, json: { start_date: `2030-05-0${1 + (place % 9)} 10:00:00` } },
  } as const
  await write(app, { as: 'editor', ...request[how as keyof typeof request] })
}

async function write(app: TestApp, request: TestRequest): Promise<void> {
  const { status, text } = await app.send(request)
  assert.ok(status < 500, text)
}

async function pass(app: TestApp, days: number): Promise<void> {
  const { publishDue } = await import('../events/write/schedule.ts')
  const { extendBatch } = await import('../series/series.extend.service.ts')
  app.pass(days * 86_400)
  await publishDue(app.deps)
  for (let isMore = true; isMore; ) isMore = await extendBatch(app.deps)
}

async function take(app: TestApp, made: Step): Promise<void> {
  if (made.do === 'create') {
    const json = {
      ...{ ...made.event, start_date: '2030-02-01 10:00:00', end_date: '2030-02-01 11:00:00' },
      ...(made.hasVenue ? { venue: { venue: 'Hall' }, organizer: { organizer: 'Club' } } : {}),
    }
    await write(app, { as: made.as, method: 'POST', path: '/events', json })
  } else if (made.do === 'pass') {
    await pass(app, made.days)
  } else if (made.do === 'series') {
    await changeSeries(app, made)
  } else {
    const kind = 'kind' in made ? made.kind : made.do === 'tree' ? 'category' : 'event'
    const id =
      (made.do === 'repeat' && made.isDate && (await dateOf(app, made.which))) || (await idOf(app, kind, made.which))
    if (id === undefined) return
    const path = `/${plurals[kind]}/${id}`
    if (made.do === 'change') {
      await write(app, { as: made.as, method: 'POST', path, json: made.event })
    } else if (made.do === 'repeat') {
      const of = (await app.send({ as: 'editor', path })).body
      // An event begins to repeat; the dates of a series change by themselves or together.
      const json = of.series === undefined ? { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } } : made.event
      const scope = of.series === undefined ? '' : `?scope=${made.scope}&drop=1`
      await write(app, { as: 'editor', method: 'POST', path: `${path}${scope}`, json })
    } else if (made.do === 'trash') {
      await write(app, { as: made.as, method: 'DELETE', path })
    } else if (made.do === 'restore') {
      await write(app, { as: 'editor', method: 'POST', path: `//cal/service/v1${path}/restore`, json: {} })
    } else if (made.do === 'rename') {
      const name =
        kind === 'venue' || kind === 'organizer' ? { [kind]: 'New', status: made.status } : { name: `N${id}` }
      await write(app, { as: made.as, method: 'POST', path, json: name })
    } else if (made.do === 'tree') {
      const parent = await idOf(app, 'category', made.parent)
      await write(app, { as: 'editor', method: 'POST', path, json: { parent, slug: `s-${id}-${made.parent}` } })
    } else {
      const json = {
        ...{
          title: 'Traduit',
          start_date: '2030-02-01 10:00:00',
          end_date: '2030-02-01 11:00:00',
          status: made.status,
        },
        ...{ ml_language: 'fr-CA', ml_translation_of: id },
      }
      await write(app, { as: 'editor', method: 'POST', path: '/events', json })
    }
  }
}

/** `CHANGES_HISTORIES=2000` is a thorough run. */
const histories = Number(process.env.CHANGES_HISTORIES ?? runs(25, 100))

test('a copy that follows the feed from anywhere equals a crawl after every write', async (t) => {
  const app = await startTestApp(t, { RATE_LIMIT: '0', DEFAULT_LANGUAGE: 'en' })
  await fc.assert(
    fc.asyncProperty(
      opening,
      fc.array(step, { minLength: 1, maxLength: 12, size: 'max' }),
      fc.nat({ max: 12 }),
      async (first, more, begins) => {
        const steps = [...first, ...more]
        let copies: readonly Copy[] = []
        let nexts: readonly string[] = []
        for (const [place, made] of steps.entries()) {
          if (place === Math.min(begins, steps.length - 1)) {
            copies = [new Map(), new Map()]
            nexts =
              begins % 2 === 0
                ? await followAll(app, copies, [`${feed}?per_page=3`, `${feed}?per_page=3&linked=true`])
                : await crawlFrom(app, copies)
          }
          await take(app, made)
          if (nexts.length === 0) continue
          nexts = await followAll(app, copies, nexts)
          const crawled = await crawl(app)
          const [copy = crawled, linked = crawled] = copies
          assert.deepEqual(comparable(copy), comparable(crawled), JSON.stringify(made))
          const known = await publicSeries(app)
          assert.deepEqual(comparable(linked, known), comparable(crawled, known), `linked, ${JSON.stringify(made)}`)
        }
        await app.deps.storage.write(async (tx) => {
          for (const table of [
            'occurrences',
            'series_rules',
            'series_state',
            'event_terms',
            'event_venues',
            'event_organizers',
            'events',
            'venues',
            'organizers',
          ] as const)
            await tx.deleteFrom(table).execute()
          await tx.updateTable('records').set({ parent_id: null, image_id: null }).execute()
          await tx.deleteFrom('records').execute()
          await tx.deleteFrom('terms').execute()
        })
      },
    ),
    { numRuns: histories },
  )
})

/** Begins with a crawl: the cursor comes with its first page. */
async function crawlFrom(app: TestApp, copies: readonly Copy[]): Promise<readonly string[]> {
  const { headers } = await app.send({ path: '/events' })
  for (const [key, item] of await crawl(app)) for (const copy of copies) copy.set(key, item)
  return ['', '&linked=true'].map((more) => `${feed}?after=${headers['x-changes-cursor']}&per_page=3${more}`)
}

async function followAll(app: TestApp, copies: readonly Copy[], from: readonly string[]): Promise<readonly string[]> {
  const nexts: string[] = []
  for (const [place, copy] of copies.entries()) nexts.push(await follow(app, copy, from[place] ?? ''))
  return nexts
}
