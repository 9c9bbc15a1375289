import type { KyselyConfig } from 'kysely'
import type { StorageOptions } from '../storage.ts'

/** Reports statements to the callbacks that are set. Without a callback, nothing is measured. */
export function queryLogging({
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
