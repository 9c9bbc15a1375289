import { resolve } from 'node:path'
import { readableFile } from './file.faults.ts'

/** The location of the data. */
export type DatabaseAddress = { readonly engine: 'sqlite'; readonly file: string } | ServerAddress

export interface ServerAddress {
  readonly engine: 'postgres'
  /** The address for the driver, with its password. */
  readonly url: string
  /** The address as it may be printed, without its password. */
  readonly shown: string
}

/** Whether connections keep named statements. “auto” asks the server. */
export type PrepareMode = 'auto' | 'on' | 'off'

/** @throws Error that says what the value must be. */
export function parsePrepareMode(text: string): PrepareMode {
  if (text !== 'auto' && text !== 'on' && text !== 'off') throw new Error('auto, on or off')
  return text
}

/** As of libpq. Of several servers, the one that can be written to is used in any case. */
const sessionTargets = ['any', 'read-write', 'primary']
const tlsModes = ['disable', 'require', 'verify-ca', 'verify-full']
const tlsFiles = ['sslrootcert', 'sslcert', 'sslkey']
const allowed = 'empty, sqlite:PATH, or postgres://USER:PASSWORD@HOST:PORT/DATABASE'

/**
 * Reads the address of the database. Returns undefined if the text is empty.
 *
 * @throws Error that says what the value must be.
 */
export function parseDatabaseUrl(text: string): DatabaseAddress | undefined {
  if (text === '') return undefined
  const file = /^sqlite:(.+)$/.exec(text)?.[1]
  if (file !== undefined) return { engine: 'sqlite', file: resolve(file) }
  const url = parsed(text)
  if (!url) throw new Error(allowed)
  const target = url.searchParams.get('target_session_attrs')
  if (target !== null && !sessionTargets.includes(target))
    throw new Error(`an address whose target_session_attrs is one of ${sessionTargets.join(', ')}`)
  const tls = url.searchParams.get('sslmode')
  if (tls !== null && !tlsModes.includes(tls))
    throw new Error(`an address whose sslmode is one of ${tlsModes.join(', ')}`)
  if (tls === 'verify-ca' && !url.searchParams.has('sslrootcert')) {
    throw new Error('an address with sslrootcert, because its sslmode is verify-ca')
  }
  // The driver would report this only on each connection attempt.
  for (const name of tlsFiles) assertReadable(name, url.searchParams.get(name))
  return { engine: 'postgres', url: text, shown: withoutPassword(text) }
}

function assertReadable(name: string, file: string | null): void {
  if (file === null || file === '') return
  try {
    readableFile(file)
  } catch (error) {
    throw new Error(`an address whose ${name}, ${file}, is ${(error as Error).message}`, { cause: error })
  }
}

/**
 * Reads the comma-separated addresses of servers.
 *
 * @throws Error that says what the value must be.
 */
export function parseServerUrls(text: string): readonly ServerAddress[] {
  return addressesIn(text).map((address) => {
    const server = parseDatabaseUrl(address)
    if (server?.engine !== 'postgres') throw new Error('postgres://… addresses, comma-separated')
    return server
  })
}

/** Returns the text of several addresses as it may be printed. */
export function withoutPasswords(text: string): string {
  return addressesIn(text).map(withoutPassword).join(', ')
}

/** A password may contain a comma: a comma separates addresses only if another address follows. */
function addressesIn(text: string): readonly string[] {
  if (text.trim() === '') return []
  return text.split(/,(?=\s*postgres(?:ql)?:\/\/)/i).map((address) => address.trim())
}

/** Returns the address of a database as it may be printed. For an invalid address, this is only the scheme. */
export function withoutPassword(text: string): string {
  if (text === '' || text.startsWith('sqlite:')) return text
  const url = parsed(text)
  return url ? hidden(url, hostsIn(text)) : `${/^[a-z]*:/i.exec(text)?.[0] ?? ''}…`
}

/** What precedes the hosts of an address, and the hosts. */
const hostPart = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)/i

function hostsIn(text: string): readonly string[] {
  return hostPart.exec(text)?.[2]?.split(',') ?? []
}

/** Returns an address for each of its servers, which commas separate as in libpq. */
export function serverUrls(text: string): readonly string[] {
  return hostsIn(text).map((host) =>
    text.replace(hostPart, (_, before: string) => before + host).replace(/([?&])target_session_attrs=[^&]*&?/, '$1'),
  )
}

/** Whether only a server that can be written to may be used. */
export function mustBeWritable(text: string): boolean {
  return hostsIn(text).length > 1 || /[?&]target_session_attrs=(?:read-write|primary)/.test(text)
}

function parsed(text: string): URL | undefined {
  const [first, ...others] = hostsIn(text).map((host) =>
    parsedOne(text.replace(hostPart, (_, before) => before + host)),
  )
  return others.every((url) => url?.host) && !/,(?:,|$)/.test(hostPart.exec(text)?.[2] ?? '') ? first : undefined
}

function parsedOne(text: string): URL | undefined {
  // An address with a socket path in `?host=` has no host, which a web URL requires.
  const complete = text.replace(/^(postgres(?:ql)?:\/\/[^/?#]*@)(?=[/?#]|$)/i, '$1localhost')
  if (!/^postgres(?:ql)?:\/\//i.test(complete) || !URL.canParse(complete)) return undefined
  return new URL(complete)
}

function hidden(url: URL, hosts: readonly string[]): string {
  const shown = new URL(url)
  if (shown.password !== '') shown.password = '…'
  for (const name of ['password', 'sslpassword']) if (shown.searchParams.has(name)) shown.searchParams.set(name, '…')
  const text = shown.href.replaceAll('%E2%80%A6', '…')
  return hosts.length > 1 ? text.replace(hostPart, (_, before) => before + hosts.join(',')) : text
}
