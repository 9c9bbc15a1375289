import type { Dialect } from '../../storage/database/dialect.ts'
import type { EventDerivation } from '../index/stale.events.repository.ts'
import type { SearchIndex } from './search.index.ts'
import { postgresSearch } from './search.postgres.repository.ts'
import { sqliteSearch } from './search.sqlite.repository.ts'

const searchIndexes: Readonly<Record<Dialect['name'], SearchIndex>> = {
  sqlite: sqliteSearch,
  postgres: postgresSearch,
}

/** The search index of an engine. */
export function searchIndexOf({ name }: Pick<Dialect, 'name'>): SearchIndex {
  return searchIndexes[name]
}

/** The search index, kept up to date on whatever engine. */
export const searchIndex: EventDerivation = {
  tables: [...new Set(Object.values(searchIndexes).flatMap(({ tables }) => tables))],
  remove: (tx, dialect, ids) => searchIndexOf(dialect).remove(tx, dialect, ids),
  add: (tx, dialect, { ids }) => searchIndexOf(dialect).add(tx, dialect, ids),
  finish: async (tx, dialect) => searchIndexOf(dialect).finish?.(tx),
}
