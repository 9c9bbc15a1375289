import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../test/support/database.ts'
import { runs } from '../../../test/support/long.ts'
import { Problem } from '../../base/problems.ts'
import { fold, maxSearchLength, type SearchTerms } from '../../base/text/fold.ts'
import { catchUpAll, prepareAll } from '../../storage/database/derivation.ts'
import type { Storage } from '../../storage/database/storage.ts'
import { derivationsFor } from '../derivations.ts'
import { wrongSearchTexts } from './search.check.repository.ts'
import { type EventSearch, eventSearch, findEvents } from './search.find.repository.ts'
import { learnSearchTokens } from './search.state.repository.ts'

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

/** A search must find the texts that match its terms, and no others. */
async function assertFound(storage: Storage, texts: ReadonlyMap<number, string>, search: EventSearch): Promise<void> {
  const { among, except } = await findEvents(storage, search, { first: 0, last: 4_000_000 })
  const found = [...texts.keys()].filter((id) => (among?.has(id) ?? true) && !except.has(id))
  const expected = [...texts].flatMap(([id, text]) => (matches(text, search.terms) ? [id] : []))
  assert.deepEqual(found, expected, JSON.stringify({ terms: search.terms, texts: [...texts] }))
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

async function removeAll(storage: Storage, texts: ReadonlyMap<number, string>): Promise<void> {
  await writeAll(
    storage,
    [...texts.keys()].map((id) => [id, undefined]),
  )
}

async function givenStorage(rowSize: number, options: Parameters<typeof openTestDatabase>[1] = {}) {
  const { storage, remove } = await openTestDatabase({}, options)
  await storage.writeWithoutRevision(async (tx) => {
    await sql`update search_state set row_size = ${rowSize}`.execute(tx)
    await sql`insert into users (id, name, name_folded, email, role, created_at)
      values (1, 'zoe', 'zoe', 'zoe@example.org', 'editor', 0)`.execute(tx)
  })
  return { storage, remove }
}

/** Does the work that waits, as opening the database does. */
async function catchUp({ derivations, dialect, ...storage }: Storage): Promise<void> {
  await catchUpAll(derivations, dialect, (work) => storage.writeWithoutRevision(work))
}

async function wrong(storage: Storage): Promise<readonly string[]> {
  return Array.fromAsync(wrongSearchTexts(storage.db))
}

for (const rowSize of [1, 4, 8]) {
  test(`searches find the texts that contain what was asked, with ${rowSize} documents in a row`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 30 }), fc.option(drawnText, { freq: 8, nil: undefined })), {
          // Enough for rows of all levels.
          minLength: rowSize === 1 ? 90 : 10,
          maxLength: 130,
        }),
        fc.nat(),
        rowSize === 1 ? fc.constant(true) : fc.boolean(),
        async (writes, seed, isOpenedAgain) => {
          const { storage, remove } = await givenStorage(rowSize)
          try {
            const texts = new Map<number, string>()
            for (const [id, text] of writes) {
              await write(storage, id, text)
              if (text === undefined) texts.delete(id)
              else texts.set(id, text)
            }
            if (isOpenedAgain) await catchUp(storage)
            assert.deepEqual(await wrong(storage), [])
            const some = drawnTerm([...texts.values(), 'a'])
            const asked = fc.sample(fc.tuple(fc.array(some, { maxLength: 3 }), fc.array(some, { maxLength: 2 })), {
              numRuns: 60,
              seed,
            })
            for (const [included, excluded] of asked) {
              const terms = { include: asTerms(included), exclude: asTerms(excluded) }
              await assertFound(storage, texts, eventSearch(terms))
            }
          } finally {
            await remove()
          }
        },
      ),
      { numRuns: runs(6, 100) },
    )
  })
}

/** Words with many beginnings, and some ends: those that contain `ther` are in nearly all shards, or in more than eight. */
const scatteredWord = (ends: string) =>
  fc
    .tuple(
      fc.constantFrom(...'abcdefgh'),
      fc.constantFrom('ther', 'ther', 'ther', 'con', 'mu'),
      fc.constantFrom(...ends),
    )
    .map((parts) => parts.join(''))

/** Texts of such words. The more words, the fewer documents are undecided after the first shards. */
const scatteredTexts = fc
  .tuple(fc.constantFrom(1, 4, 12, 60), fc.constantFrom('hi', 'op', 'ijkl', 'ijklmnop'))
  .chain(([most, ends]) =>
    fc.array(
      fc.oneof(
        { weight: 9, arbitrary: fc.array(scatteredWord(ends), { minLength: Math.ceil(most / 2), maxLength: most }) },
        fc.constant(['none']),
      ),
      { minLength: 150, maxLength: 220 },
    ),
  )

test('pieces of words of nearly all shards are found in frequent and in rare texts', async () => {
  const { storage, remove } = await givenStorage(1)
  try {
    await fc.assert(
      fc.asyncProperty(scatteredTexts, fc.array(fc.nat(149), { maxLength: 40 }), async (given, changed) => {
        const texts = new Map(given.map((words, place) => [place + 1, words.join(' ')]))
        await writeAll(storage, texts)
        await catchUp(storage)
        const changes = new Map(
          [...new Set(changed)].map((place, count) => [place + 1, count % 3 === 0 ? undefined : 'ather conk']),
        )
        await writeAll(storage, changes)
        for (const [id, text] of changes)
          if (text === undefined) texts.delete(id)
          else texts.set(id, text)
        const asked = [
          [['ther'], []],
          [['ther', 'con'], []],
          [['ther', 'conk'], []],
          [['ther', 'a'], ['mu']],
          [['ther', 'i con'], []],
          [['con'], ['ther']],
          [['ther', 'zz'], []],
          [[], ['ther']],
          [['a'], ['ther', 'con']],
          [
            ['con', 'ther'],
            ['the', 'conk', 'mui'],
          ],
          [['heri', 'jb'], []],
        ] as const
        for (const [include, exclude] of asked) {
          const terms = { include, exclude }
          for (const limits of [{ rangesAtOnce: 1 }, { sampledRanges: 1 }, { sampledRanges: 1, rangesAtOnce: 1 }, {}])
            await assertFound(storage, texts, eventSearch(terms, limits))
        }
        await removeAll(storage, texts)
      }),
      { numRuns: runs(8, 100) },
    )
  } finally {
    await remove()
  }
})

test('pieces are found while rows wait to be merged', async () => {
  const { storage, remove } = await givenStorage(1)
  try {
    await fc.assert(
      fc.asyncProperty(scatteredTexts, async (given) => {
        const texts = new Map<number, string>()
        for (const [place, words] of given.entries()) {
          texts.set(place + 1, words.join(' '))
          await write(storage, place + 1, words.join(' '))
          if (place < 55) continue
          for (const terms of [
            { include: ['ther'], exclude: [] },
            { include: ['n'], exclude: ['ther'] },
          ]) {
            await assertFound(storage, texts, eventSearch(terms))
          }
        }
        await removeAll(storage, texts)
      }),
      { numRuns: runs(3, 30) },
    )
  } finally {
    await remove()
  }
})

/** Whether a search is answered, and not refused. An answer must be right. */
async function isAnswered(storage: Storage, texts: ReadonlyMap<number, string>, search: EventSearch): Promise<boolean> {
  try {
    await assertFound(storage, texts, search)
    return true
  } catch (error) {
    if (error instanceof Problem && error.code === 'query-too-dear') return false
    throw error
  }
}

test('a search is refused if it takes too much work, the same at each attempt, whatever its terms are', async () => {
  const { storage, remove } = await givenStorage(1)
  try {
    const text = fold('then concert in the theatre with other theses')
    const texts = new Map(Array.from({ length: 200 }, (_, place) => [place + 1, text]))
    await writeAll(storage, texts)
    await catchUp(storage)
    // The words of the phrase have a byte of position in each of the texts. All of these have their rows, but some of few.
    const leastOf = { 'n the': [400, 3000], the: [40, 400], t: [20, 100] } as const
    for (const [term, [low, high]] of Object.entries(leastOf)) {
      const terms = { include: [term], exclude: ['zz', 'zzz zz'] }
      const most = Array.from({ length: 75 }, (_, place) => place * 40)
      const answered = await Promise.all(
        most.map((mostWork) => isAnswered(storage, texts, eventSearch(terms, { mostWork }))),
      )
      const least = most[answered.indexOf(true)] ?? 0
      assert.ok(least >= low && least <= high, `${term}: ${least}`)
      assert.deepEqual(
        answered,
        most.map((work) => work >= least),
      )
    }
  } finally {
    await remove()
  }
})

test('a search is refused if its sample takes too much work, even if the other texts take less', async () => {
  const [frequent, rare] = ['then in the theatre '.repeat(60).trim(), 'then in the theatre']
  const leastWork = async (dearRange: number) => {
    const { storage, remove } = await givenStorage(1)
    try {
      // Nine ranges of 64 texts. The sample is the middle one.
      const ids = Array.from({ length: 576 }, (_, place) => place + 1)
      const texts = new Map(ids.map((id) => [id, Math.ceil(id / 64) === dearRange ? frequent : rare]))
      await writeAll(storage, texts)
      await catchUp(storage)
      const least = async (sampledRanges: number) => {
        const terms = { include: ['n the'], exclude: [] }
        let [low, high] = [0, 1_000_000]
        while (high - low > 50) {
          const mostWork = Math.floor((low + high) / 2)
          const isEnough = await isAnswered(storage, texts, eventSearch(terms, { mostWork, sampledRanges }))
          if (isEnough) high = mostWork
          else low = mostWork
        }
        return high
      }
      return { sampled: await least(1), unsampled: await least(9) }
    } finally {
      await remove()
    }
  }

  const inSample = await leastWork(5)
  assert.ok(inSample.sampled > 3 * inSample.unsampled, JSON.stringify(inSample))
  const outside = await leastWork(2)
  assert.equal(outside.sampled, outside.unsampled)
})

test('a search reads no tokens that were learned before', async () => {
  const { storage, remove } = await givenStorage(1)
  try {
    const texts = new Map([[1, fold('concert in the theatre')]])
    await writeAll(storage, texts)

    await learnSearchTokens(storage.db)
    await storage.writeWithoutRevision((tx) => sql`delete from search_tokens`.execute(tx))

    await assertFound(storage, texts, eventSearch({ include: ['heat'], exclude: [] }))
  } finally {
    await remove()
  }
})

test('the events of a first import are found at once, and indexed later in the order of their days', async () => {
  const { storage, remove } = await givenStorage(1, {
    derivations: derivationsFor(undefined, { leavesSearchIndex: true }),
  })
  try {
    const ids = Array.from({ length: 150 }, (_, place) => place + 1)
    for (const id of ids) await write(storage, id, `concert ${id}`, `${2099 - (id % 50)}-01-22`)
    const found = async () => [
      ...((await findEvents(storage, eventSearch({ include: ['cert 7'], exclude: [] }), { first: 0, last: 4_000_000 }))
        .among ?? []),
    ]
    const expected = ids.filter((id) => String(id).startsWith('7'))
    const starts = async () =>
      (
        await sql<{ start_local: string }>`select start_local from events join search_documents on event_id = record_id
          order by document`.execute(storage.db)
      ).rows.map(({ start_local }) => start_local)

    assert.deepEqual(await starts(), [])
    assert.deepEqual(await found(), expected)

    await catchUp(storage)
    const indexed = await starts()
    assert.equal(indexed.length, ids.length)
    assert.deepEqual(indexed, indexed.toSorted())
    assert.deepEqual(await found(), expected)
    assert.deepEqual(await wrong(storage), [])
  } finally {
    await remove()
  }
})

test('the events of an opened calendar without an index are indexed in the order of their days', async () => {
  // Nothing is derived until the calendar is opened again.
  const { storage, remove } = await givenStorage(1, { derivations: [] })
  try {
    const ids = Array.from({ length: 150 }, (_, place) => place + 1)
    for (const id of ids) await write(storage, id, `concert ${id}`, `${2099 - (id % 50)}-01-22`)
    const derivations = derivationsFor()
    await storage.writeWithoutRevision((tx) => prepareAll(derivations, tx, storage.dialect))
    await catchUp({ ...storage, derivations })

    const { rows } = await sql<{ start_local: string }>`select start_local from events
      join search_documents on event_id = record_id order by document`.execute(storage.db)
    const starts = rows.map(({ start_local }) => start_local)
    assert.equal(starts.length, ids.length)
    assert.deepEqual(starts, starts.toSorted())
  } finally {
    await remove()
  }
})
