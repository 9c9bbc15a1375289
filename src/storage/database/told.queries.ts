import type { KyselyConfig } from 'kysely'
import type { StorageOptions } from './storage.ts'

/** Has those told of statements who want to know. Where nobody does, nothing is measured. */
export function toldQueries({
  onQuery,
  onQueryEnd,
}: Pick<StorageOptions, 'onQuery' | 'onQueryEnd'>): Pick<KyselyConfig, 'log'> {
  if (!onQuery && !onQueryEnd) return {}
  return {
    log: ({ query, queryDurationMillis }) => {
      onQuery?.(query.sql, query.parameters)
      onQueryEnd?.(query.sql, queryDurationMillis)
    },
  }
}
