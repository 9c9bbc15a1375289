import { flushCompileCache } from 'node:module'
import { groupedInFours } from '../access/auth/credentials.ts'
import { linkPath } from '../access/auth/link.ts'
import { namespaceOf } from '../access/http/addresses.ts'
import type { Config } from '../base/config/config.ts'
import { type Service, startService } from '../main.ts'
import { unavailable } from './database.ts'
import { CommandError, EXIT, printError, say } from './output.ts'

/**
 * The compile cache is written at the end of the process, but not if the process is killed. After this delay the first
 * requests have been answered.
 */
const compileCacheDelayMs = 2000
const endSignals: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT']

/**
 * Starts the service in this process.
 *
 * @throws CommandError if the port is in use or the database cannot be opened.
 */
export async function startOrFail(config: Config, onListening?: () => void): Promise<Service> {
  try {
    const service = await startService(config, onListening)
    setTimeout(flushCompileCache, compileCacheDelayMs).unref()
    return service
  } catch (error) {
    const { syscall, code, message } = error as NodeJS.ErrnoException
    if (syscall === 'listen' || syscall === 'bind' || syscall === 'getaddrinfo') {
      throw new CommandError(EXIT.unavailable, cannotListen(config, code, message))
    }
    throw unavailable(config, error) ?? error
  }
}

/** Returns why the service cannot listen there, and which setting to change. */
export function cannotListen({ host, port }: Pick<Config, 'host' | 'port'>, code = '', message = ''): string {
  const other = port < 65_535 ? port + 1 : 3000
  const hosts = 'HOST (or --host) must be an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them'
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `the port is in use. Set another one with PORT (or --port), such as PORT=${other}, or stop the program that uses it`,
    EACCES:
      'this user may not listen on this port. Set a port of 1024 or above with PORT (or --port), such as PORT=3000',
    EADDRNOTAVAIL: `this machine does not have this address. ${hosts}`,
    ENOTFOUND: `this host name is unknown. ${hosts}`,
  }
  return `Cannot listen on ${host}:${port}: ${reasons[code] ?? message}.`
}

/** Prints the startup message for an operator, and a warning for each combination of settings that is unsafe. */
export function sayWelcome(config: Config, service: Pick<Service, 'url' | 'administrator'>): void {
  say(welcome(config, service))
  for (const warning of unsafeSettings(config)) printError(`Warning: ${warning}`)
}

/** Returns the startup message for an operator. */
export function welcome(config: Config, { url, administrator }: Pick<Service, 'url' | 'administrator'>): string {
  const base = `${config.publicUrl ?? url}${config.restPrefix}`
  const api = `${base}/${namespaceOf(config)}`
  const lines = [
    ...(config.isServingPages ? [`Calendar      ${config.publicUrl ?? url}/events/`] : []),
    `API           ${api}/`,
    `Events        ${api}/events`,
    `OpenAPI       ${api}/doc`,
    `Reference     ${base}/docs`,
    `Listening on  ${url}`,
    `Database      ${config.databaseFile}`,
  ]
  if (!administrator) return lines.join('\n')
  const password =
    config.adminPassword === undefined
      ? `${groupedInFours(administrator.secret)}  (shown only now)`
      : 'the one in ADMIN_PASSWORD'
  return [
    ...lines,
    '',
    'The first administrator was created:',
    `  User                  ${administrator.name}`,
    `  Application password  ${password}`,
    ...(config.isServingPages
      ? [
          '',
          'To choose a password and fill the calendar in a browser, open this link. It works once, within one hour:',
          `  ${config.publicUrl ?? url}${linkPath(administrator.linkSecret)}`,
        ]
      : []),
  ].join('\n')
}

/** Whether only this machine reaches an address. */
const isLoopback = (host: string) => /^(127\.|::1$|localhost$)/.test(host)
/** An address that no operator names as a proxy (RFC 5737). */
const anyAddress = '203.0.113.1'

/** Returns a warning for each combination of settings that is unsafe, with the settings to change. */
export function unsafeSettings({
  host,
  publicUrl,
  trustProxy,
}: Pick<Config, 'host' | 'publicUrl' | 'trustProxy'>): readonly string[] {
  const isReachable = !isLoopback(host)
  const isSecure = publicUrl?.startsWith('https:') === true
  const isLocal = publicUrl !== undefined && isLoopback(new URL(publicUrl).hostname.replace(/^\[|\]$/g, ''))
  return [
    ...(isReachable && publicUrl === undefined
      ? [
          `Other machines can reach HOST=${host}, but PUBLIC_URL is empty. Set it to the address that clients use, such as PUBLIC_URL=https://events.example.org.`,
        ]
      : []),
    ...(publicUrl !== undefined && !isSecure && !isLocal
      ? [
          `PUBLIC_URL=${publicUrl} is not encrypted, so passwords and sessions can be read on the way. Put a proxy with TLS in front, and set PUBLIC_URL to its https address.`,
        ]
      : []),
    ...(isReachable && trustProxy?.(anyAddress, 0) === true
      ? [
          `TRUST_PROXY trusts everybody who reaches HOST=${host}, so clients can pretend to have another address. Set HOST=127.0.0.1, or TRUST_PROXY to the networks of the proxy, such as TRUST_PROXY=10.0.0.0/8.`,
        ]
      : []),
    ...(isSecure && trustProxy === undefined
      ? [
          'PUBLIC_URL is an https address, so a proxy is in front, but TRUST_PROXY is false: all clients share the limits of one address. Set TRUST_PROXY=true if exactly one proxy is in front.',
        ]
      : []),
  ]
}

/**
 * Waits for a signal to end. A second signal finds no listener and ends the process at once.
 *
 * @param more Additional signals with the same effect.
 */
export function stopSignal(more: readonly NodeJS.Signals[] = []): Promise<void> {
  const signals = [...endSignals, ...more]
  return new Promise((resolve) => {
    const end = () => {
      for (const signal of signals) process.off(signal, end)
      resolve()
    }
    for (const signal of signals) process.on(signal, end)
  })
}

/**
 * Ends the service and returns the exit code. If requests had to be interrupted, the process exits here, since hanging
 * work would keep it alive.
 */
export async function stopService({ shutdownTimeoutSeconds }: Config, service: Service): Promise<number> {
  if (await service.close()) return EXIT.ok
  printError(`Requests that took longer than SHUTDOWN_TIMEOUT (${shutdownTimeoutSeconds} s) were cut off.`)
  process.exit(EXIT.cut)
}
