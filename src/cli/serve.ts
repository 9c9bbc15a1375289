import { spaced } from '../auth/credentials.ts'
import type { Config } from '../config/config.ts'
import { namespaceOf } from '../http/addresses.ts'
import { type Service, startService } from '../main.ts'
import { unavailable } from './database.ts'
import { CommandError, EXIT, say } from './output.ts'

const endSignals = ['SIGTERM', 'SIGINT'] as const

/** Serves until the process is told to end, and then finishes what is in flight. */
export async function serve(config: Config): Promise<number> {
  const service = await started(config)
  say(welcome(config, service))
  await endSignal()
  await service.close()
  return EXIT.ok
}

async function started(config: Config): Promise<Service> {
  try {
    return await startService(config)
  } catch (error) {
    const { syscall, code, message } = error as NodeJS.ErrnoException
    if (syscall === 'listen' || syscall === 'bind' || syscall === 'getaddrinfo') {
      const reason = code === 'EADDRINUSE' ? 'the port is taken' : message
      throw new CommandError(EXIT.unavailable, `Cannot listen on ${config.host}:${config.port}: ${reason}.`)
    }
    throw unavailable(config, error) ?? error
  }
}

/** What an operator wants to know of a service that has just started. */
function welcome(config: Config, { url, administrator }: Service): string {
  const base = `${config.publicUrl ?? url}${config.restPrefix}`
  const api = `${base}/${namespaceOf(config)}`
  const lines = [
    `Listening on  ${url}`,
    `API           ${api}/`,
    `Events        ${api}/events`,
    `OpenAPI       ${api}/doc`,
    `Reference     ${base}/docs`,
    `Database      ${config.databaseFile}`,
  ]
  if (!administrator) return lines.join('\n')
  const password =
    config.adminPassword === undefined
      ? `${spaced(administrator.secret)}  (shown only now)`
      : 'the one in ADMIN_PASSWORD'
  return [
    ...lines,
    '',
    'The first administrator has been made:',
    `  User                  ${administrator.name}`,
    `  Application password  ${password}`,
  ].join('\n')
}

/** Waits for a signal to end. A second one finds no listener and ends the process at once. */
function endSignal(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      for (const signal of endSignals) process.off(signal, end)
      resolve()
    }
    for (const signal of endSignals) process.on(signal, end)
  })
}
