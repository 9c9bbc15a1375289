import cluster from 'node:cluster'
import { say } from './output.ts'
import { ended, endSignal, startedService, welcome } from './service.ts'
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
  const service = await startedService(config)
  say(welcome(config, service))
  // There is no other process that could serve meanwhile.
  await endSignal(['SIGHUP'])
  return ended(config, service)
}
