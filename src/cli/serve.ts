import cluster from 'node:cluster'
import type { Config } from '../config/config.ts'
import { EXIT, say } from './output.ts'
import { endSignal, startedService, welcome } from './service.ts'

/** Serves until the process is told to end, and then finishes what is in flight. */
export async function serve(config: Config): Promise<number> {
  if (cluster.isWorker) return (await import('./worker.ts')).serveAsWorker(config)
  if (config.workers > 1) return (await import('./workers.ts')).serveWithWorkers(config)
  const service = await startedService(config)
  say(welcome(config, service))
  await endSignal()
  await service.close()
  return EXIT.ok
}
