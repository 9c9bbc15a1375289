import type { Config } from './config.ts'

const mebibyte = 1024 * 1024

/**
 * Returns how the bytes for caches are shared between whole responses, and linked records that many responses contain.
 */
export function cacheBudgets({ cacheMegabytes }: Pick<Config, 'cacheMegabytes'>) {
  const bytes = cacheMegabytes * mebibyte
  return { answers: (bytes * 3) / 4, linked: bytes / 4 }
}
