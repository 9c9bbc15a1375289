import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { derivationsFor } from '../../src/calendar/derivations.ts'
import { auditedTables } from '../../src/operate/audit/audited.fields.ts'
import { openSqlite } from '../../src/storage/database/sqlite/sqlite.ts'
import type { Db } from '../../src/storage/database/tables.ts'
import { openTestDatabase } from '../support/database.ts'
import { type Table, tablesOfPostgres, tablesOfSqlite } from './tables.ts'

async function givenBoth(t: {
  after(work: () => Promise<void>): void
}): Promise<{ readonly here: Db; readonly there: Db }> {
  const folder = await mkdtemp(join(tmpdir(), 'cal-events-parity-'))
  const sqlite = await openSqlite(join(folder, 'calendar.sqlite'), {
    audited: auditedTables,
    derivations: derivationsFor(),
  })
  const postgres = await openTestDatabase({})
  assert.equal(postgres.storage.dialect.name, 'postgres')
  t.after(async () => {
    await postgres.remove()
    await sqlite.close()
    await rm(folder, { recursive: true })
  })
  return { here: sqlite.db, there: postgres.storage.db }
}

/** Indexes from which only SQLite could read what they are for: the values of expressions (`records_keys`). */
const onSqliteOnly = [
  ['records', 'records_keys'],
  ['events', 'events_keys'],
] as const

/** The index of trigrams is a table of its own on SQLite, which finds long events by their ends only. */
const onPostgresOnly = [
  ['search_texts', 'search_texts_trigrams'],
  ['listed_events', 'listed_events_long_start'],
] as const

test('both engines have the same tables, columns, keys, references and indexes', async (t) => {
  const { here, there } = await givenBoth(t)

  const sqlite = await tablesOfSqlite(here)
  const postgres = await tablesOfPostgres(there)

  for (const [table, index] of onSqliteOnly) {
    const { indexes } = sqlite[table] ?? { indexes: [] }
    assert.ok(indexes.some(({ name }) => name === index))
    Object.assign(sqlite[table] ?? {}, { indexes: indexes.filter(({ name }) => name !== index) })
  }
  for (const [table, index] of onPostgresOnly) {
    const { indexes } = postgres[table] ?? { indexes: [] }
    Object.assign(postgres[table] ?? {}, { indexes: indexes.filter(({ name }) => name !== index) })
  }
  assert.deepEqual(postgres, sqlite)
  assert.ok(Object.keys(sqlite).length >= 13)
  assert.ok(everyPart(sqlite))
})

/** Checks that every kind of part occurred: a comparison of empty results would always succeed. */
function everyPart(tables: Readonly<Record<string, Table>>): boolean {
  const all = Object.values(tables)
  return (
    all.some(({ references }) => references.some(({ onDelete }) => onDelete === 'set null')) &&
    all.some(({ indexes }) => indexes.some(({ where }) => where !== '')) &&
    all.some(({ unique }) => unique.length > 0) &&
    all.some(({ columns }) => Object.values(columns).some(({ isNullable }) => isNullable)) &&
    all.every(({ key }) => key.length > 0)
  )
}

test('texts are compared by their bytes on PostgreSQL, whatever the server is set to', async (t) => {
  const { there } = await givenBoth(t)

  const { rows } = await sql<{ place: string }>`
    select table_name || '.' || column_name as place from information_schema.columns
    where table_schema = current_schema() and table_name not like 'kysely%'
      and data_type = 'text' and collation_name is distinct from 'C'`.execute(there)

  assert.deepEqual(rows, [])
})
