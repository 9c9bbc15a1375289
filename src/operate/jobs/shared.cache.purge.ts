import type { FastifyBaseLogger } from 'fastify'
import type { Deps } from '../../access/deps.ts'
import { surrogateKey } from '../../access/http/answers/shared.cache.ts'
import { type Periodic, startPeriodic } from '../../base/concurrency/periodic.ts'

/** How often a process looks for writes. */
const lookEveryMs = 250
/** An answer that was on its way to the shared cache while this was purged is gone after the second time. */
const againAfterMs = 2000
const timeoutMs = 2000

interface PurgeReports {
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'info'>
  /** Reports that the revision is unknown. */
  readonly report: (error: unknown) => void
}

/**
 * Purges all shared caches after each write, as the revision ends what the response cache has. Each process does it, since
 * only its own memory tells what it has purged. So it writes nothing.
 */
export function startPurging(
  { config, storage }: Pick<Deps, 'config' | 'storage'>,
  { log, report }: PurgeReports,
): Periodic {
  const urls = config.sharedCachePurgeUrls
  let purged: number | undefined
  let againAt = Number.POSITIVE_INFINITY
  let isFailing = false
  const look = async () => {
    const revision = await storage.revision()
    if (revision === purged && performance.now() < againAt) return
    try {
      await Promise.all(urls.map(purge))
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, 'A shared cache was not purged. This is tried again until it is.')
      isFailing = true
      return
    }
    if (isFailing) log.info('All shared caches are purged again.')
    isFailing = false
    againAt = revision === purged ? Number.POSITIVE_INFINITY : performance.now() + againAfterMs
    purged = revision
  }
  return startPeriodic(look, { intervalMs: lookEveryMs, isImmediate: true, onError: report })
}

async function purge(url: string): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', xkey: surrogateKey },
    body: JSON.stringify({ tags: [surrogateKey] }),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`The shared cache answered ${response.status}.`)
}
