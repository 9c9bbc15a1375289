import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../test/support/database.ts'
import { runs } from '../../../test/support/long.ts'
import { fold, maxSearchLength, type SearchTerms } from '../../base/text/fold.ts'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import { prepareAll } from '../../storage/database/derivation.ts'
import type { Storage } from '../../storage/database/storage.ts'
import { derivationsFor } from '../derivations.ts'
import type { TimeWindow } from '../index/event.index.ts'
import { indexEntries } from '../index/index.entries.repository.ts'
import { wrongSearchTexts } from './search.check.repository.ts'
import { matchesSearch } from './search.find.repository.ts'

const word = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('the', 'in', 'n', 'a', 'then', 'concert', 'théâtre', 'Straße', "l'été", '12'),
  },
  fc.constantFrom('東京', '東', 'R&B', '🎷', 'well-known', 'हिन्दी', '2030', 'ﬁn', `${'ab'.repeat(700)}`, '100%', '_'),
  fc.string({ unit: fc.constantFrom('a', 'n', 't', 'é', '1', "'", '京'), minLength: 1, maxLength: 5 }),
)
const gap = fc.oneof(
  { weight: 5, arbitrary: fc.constant(' ') },
  fc.constantFrom(', ', '. ', '\n', '  ', '-', ' – ', "'", '…', '-'.repeat(700)),
)
const drawnText = fc
  .tuple(
    fc.constantFrom('', ' ', '. '),
    fc.array(fc.tuple(word, gap), { maxLength: 8 }),
    fc.constantFrom('', 'a', ' n'),
  )
  .map(([before, parts, after]) => fold(before + parts.flat().join('') + after))

/** A piece of one of the texts, or a text of its own. */
const drawnTerm = (texts: readonly string[]) =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(fc.constantFrom(...texts), fc.nat(2000), fc.integer({ min: 1, max: 12 }))
        .map(([text, from, length]) =>
          [...text].slice(from % Math.max(1, text.length), (from % Math.max(1, text.length)) + length).join(''),
        ),
    },
    word.map(fold),
    fc.tuple(word, gap, word).map((parts) => fold(parts.join(''))),
    fc.constantFrom(' a', 'n ', ' the ', 'n the', 'a-', '- ', 'zzqx', "'"),
  )

/** As `searchTerms` returns them: with single spaces, and never of spaces only. */
const asTerms = (terms: readonly string[]) =>
  terms
    .map((term) => [...term.replace(/\s+/g, ' ')].slice(0, maxSearchLength).join(''))
    .filter((term) => term.trim() !== '')

function matches(text: string, { include, exclude }: SearchTerms): boolean {
  return include.every((term) => text.includes(term)) && !exclude.some((term) => text.includes(term))
}

const always: TimeWindow = { bounds: [], isInUtc: false }

async function findEvents(storage: Storage, terms: SearchTerms, window = always): Promise<readonly number[]> {
  const entries = indexEntries({ window, conditions: [matchesSearch(storage, terms)] })
  const { rows } = await sql<{ event_id: number }>`select event_id from ${entries} entry order by event_id`.execute(
    storage.db,
  )
  return rows.map(({ event_id }) => event_id)
}

/** A search must find the texts that match its terms, and no others. */
async function assertFound(storage: Storage, texts: ReadonlyMap<number, string>, terms: SearchTerms): Promise<void> {
  const found = await findEvents(storage, terms)
  const expected = [...texts].flatMap(([id, text]) => (matches(text, terms) ? [id] : []))
  assert.deepEqual(
    [...found],
    expected.toSorted((a, b) => a - b),
    JSON.stringify({ terms, texts: [...texts] }),
  )
}

async function write(storage: Storage, id: number, text: string | undefined, day?: string): Promise<void> {
  await writeAll(storage, [[id, text]], day)
}

async function writeAll(
  storage: Storage,
  texts: Iterable<readonly [number, string | undefined]>,
  day = '2030-01-22',
): Promise<void> {
  await storage.write(async (tx) => {
    for (const [id, text] of texts) {
      if (text === undefined) {
        await sql`delete from events where record_id = ${id}`.execute(tx)
        await sql`delete from records where id = ${id}`.execute(tx)
        continue
      }
      await sql`insert into records (id, kind, status, slug, title, title_folded, title_html, content, content_html, excerpt,
          excerpt_html, author_id, language, created_at, modified_at, dated_at, is_dated, search_text)
        values (${id}, 'event', 'draft', ${`e-${id}`}, 'a', 'a', 'a', '', '', '', '', 1, 'en', 0, 0, 0, 1, ${text})
        on conflict (id) do update set search_text = excluded.search_text`.execute(tx)
      await sql`insert into events (record_id, start_local, end_local, timezone, start_utc, end_utc, is_all_day, cost,
          show_map, show_map_link, is_hidden, is_sticky, is_featured, custom_fields, tickets, has_tickets)
        values (${id}, ${`${day} 19:00:00`}, ${`${day} 21:00:00`}, 'UTC', 1895338800, 1895346000, 0, '[]', 0, 0, 0, 0, 0,
          '{}', '[]', 0) on conflict (record_id) do nothing`.execute(tx)
    }
  })
}

async function givenStorage(options: Parameters<typeof openTestDatabase>[1] = {}) {
  const { storage, remove } = await openTestDatabase({}, options)
  await storage.writeWithoutRevision(async (tx) => {
    await sql`insert into users (id, name, name_folded, email, role, created_at)
      values (1, 'zoe', 'zoe', 'zoe@example.org', 'editor', 0)`.execute(tx)
  })
  return { storage, remove }
}

async function wrong(storage: Storage): Promise<readonly string[]> {
  return Array.fromAsync(wrongSearchTexts(storage))
}

test('searches find the texts that contain what was asked, after any changes', async () => {
  const { storage, remove } = await givenStorage()
  const texts = new Map<number, string>()
  try {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 30 }), fc.option(drawnText, { freq: 8, nil: undefined })), {
          minLength: 10,
          maxLength: 40,
        }),
        fc.nat(),
        async (writes, seed) => {
          for (const [id, text] of writes) {
            await write(storage, id, text)
            if (text === undefined) texts.delete(id)
            else texts.set(id, text)
          }
          assert.deepEqual(await wrong(storage), [])
          const some = drawnTerm([...texts.values(), 'a'])
          const asked = fc.sample(fc.tuple(fc.array(some, { maxLength: 3 }), fc.array(some, { maxLength: 2 })), {
            numRuns: 60,
            seed,
          })
          for (const [included, excluded] of asked) {
            await assertFound(storage, texts, { include: asTerms(included), exclude: asTerms(excluded) })
          }
        },
      ),
      { numRuns: runs(12, 200) },
    )
  } finally {
    await remove()
  }
})

test('a search of some days finds the events that begin on them, also those that moved', async () => {
  const { storage, remove } = await givenStorage()
  try {
    for (const [place, day] of ['2030-01-21', '2030-01-22', '2030-01-22', '2030-01-23'].entries())
      await write(storage, place + 1, 'concert', day)
    const day: TimeWindow = {
      bounds: [
        { edge: 'start', operator: '>=', localDateTime: '2030-01-22 00:00:00' as LocalDateTime },
        { edge: 'start', operator: '<=', localDateTime: '2030-01-22 23:59:59' as LocalDateTime },
      ],
      isInUtc: false,
    }
    const found = async (terms: SearchTerms) => findEvents(storage, terms, day)

    assert.deepEqual(await found({ include: ['cert'], exclude: [] }), [2, 3])
    assert.deepEqual(await found({ include: ['ce'], exclude: [] }), [2, 3])
    assert.deepEqual(await found({ include: [], exclude: ['jazz'] }), [2, 3])

    await storage.write((tx) =>
      sql`update events set start_local = '2030-01-22 08:00:00' where record_id = 4`.execute(tx),
    )
    await storage.write((tx) =>
      sql`update events set start_local = '2030-01-23 08:00:00' where record_id = 2`.execute(tx),
    )

    assert.deepEqual(await found({ include: ['cert'], exclude: [] }), [3, 4])
    assert.deepEqual(await wrong(storage), [])
  } finally {
    await remove()
  }
})

test('each year has its texts and its trigrams for itself on PostgreSQL', async () => {
  const { storage, remove } = await givenStorage()
  try {
    const days = ['0001-01-01', '2009-12-31', '2010-01-01', '2028-02-29', '2039-12-31', '2040-01-01', '9999-12-31']
    for (const [place, day] of days.entries()) await write(storage, place + 1, 'concert', day)

    const found = await findEvents(storage, { include: ['cert'], exclude: [] })

    assert.deepEqual(found, [1, 2, 3, 4, 5, 6, 7])
    assert.deepEqual(await wrong(storage), [])
    if (storage.dialect.name !== 'postgres') return
    const { rows } = await sql<{ part: string }>`
      select tableoid::regclass::text as part from search_texts order by place`.execute(storage.db)
    const parts = ['earlier', 'earlier', '2010', '2028', '2039', 'later', 'later']
    assert.deepEqual(
      rows.map(({ part }) => part.split('_').at(-1)),
      parts,
    )
  } finally {
    await remove()
  }
})

test('the events of a calendar without an index are indexed when it is opened', async () => {
  const { storage, remove } = await givenStorage({ derivations: [] })
  try {
    for (const id of [1, 2, 3]) await write(storage, id, `concert ${id}`)
    assert.equal((await wrong(storage)).length, 4)

    await storage.writeWithoutRevision((tx) => prepareAll(derivationsFor(), tx, storage.dialect))

    assert.deepEqual(await wrong(storage), [])
    await assertFound(storage, new Map([1, 2, 3].map((id) => [id, `concert ${id}`])), {
      include: ['cert 2'],
      exclude: [],
    })
  } finally {
    await remove()
  }
})
