import cluster from 'node:cluster'
import { sayWelcome, startOrFail, stopService, stopSignal } from './service.ts'
import { configFor, type SettingOptions } from './settings.ts'

/**
 * Serves until the process receives a signal to end, and then finishes the requests in progress.
 *
 * @throws ConfigError naming every fault at once.
 */
export async function serve(options: SettingOptions): Promise<number> {
  if (cluster.isWorker) return (await import('./worker.ts')).serveAsWorker(options)
  const config = configFor(options)
  if (config.workers > 1) return (await import('./workers.ts')).serveWithWorkers(config)
  let told: Promise<void> | undefined
  // From here on, an administrator may be created, whose password must be printed before the process ends. No other
  // process could serve in the meantime, so SIGHUP ends this one as well.
  const service = await startOrFail(config, () => {
    told = stopSignal(['SIGHUP'])
  })
  sayWelcome(config, service)
  await told
  return stopService(config, service)
}
