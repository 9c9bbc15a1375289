import type { Config } from './config.ts'

const mebibyte = 1024 * 1024

/**
 * Returns how the bytes for caches are shared between whole responses, linked records that many responses contain, and
 * entries that many feeds contain.
 */
export function cacheBudgets({ cacheMegabytes }: Pick<Config, 'cacheMegabytes'>) {
  const bytes = cacheMegabytes * mebibyte
  return { answers: bytes / 2, linked: bytes / 4, entries: bytes / 4 }
}
