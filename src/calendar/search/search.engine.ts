import type { Dialect } from '../../storage/database/dialect.ts'
import type { EventDerivation } from '../index/stale.events.repository.ts'
import type { SearchIndex } from './search.index.ts'
import { postgresSearch } from './search.postgres.repository.ts'
import { sqliteSearch } from './search.sqlite.repository.ts'

const searchIndexes: Readonly<Record<Dialect['name'], SearchIndex>> = {
  sqlite: sqliteSearch,
  postgres: postgresSearch,
}

/** Returns the search index of a database engine. */
export function searchIndexOf({ name }: Pick<Dialect, 'name'>): SearchIndex {
  return searchIndexes[name]
}

/** The search index as a derivation, for every database engine. */
export const searchIndex: EventDerivation = {
  tables: [...new Set(Object.values(searchIndexes).flatMap(({ tables }) => tables))],
  refresh: async (tx, dialect, changes) => {
    await searchIndexOf(dialect).refresh(tx, dialect, changes)
    return []
  },
  finish: async (tx, dialect) => searchIndexOf(dialect).finish?.(tx),
}
