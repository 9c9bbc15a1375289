import type { Config } from './config.ts'

const mebibyte = 1024 * 1024

/** How the memory for what is kept is shared, in bytes: between whole answers and what many answers show. */
export function cacheBudgets({ cacheMegabytes }: Pick<Config, 'cacheMegabytes'>) {
  const bytes = cacheMegabytes * mebibyte
  return { answers: (bytes * 3) / 4, linked: bytes / 4 }
}
