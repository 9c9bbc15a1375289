import cluster from 'node:cluster'
import { say } from './output.ts'
import { startOrFail, stopService, stopSignal, welcome } from './service.ts'
import { configFor, type SettingOptions } from './settings.ts'

/**
 * Serves until the process is told to end, and then finishes what is in flight.
 *
 * @throws ConfigError naming every fault at once.
 */
export async function serve(options: SettingOptions): Promise<number> {
  if (cluster.isWorker) return (await import('./worker.ts')).serveAsWorker(options)
  const config = configFor(options)
  if (config.workers > 1) return (await import('./workers.ts')).serveWithWorkers(config)
  let told: Promise<void> | undefined
  // From here on an administrator may be made, whose password is told before the process ends. There is no other
  // process that could serve meanwhile, so a hang-up ends it as well.
  const service = await startOrFail(config, () => {
    told = stopSignal(['SIGHUP'])
  })
  say(welcome(config, service))
  await told
  return stopService(config, service)
}
