import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { LRUCache } from 'lru-cache'
import type { Config } from '../../base/config/config.ts'
import { forwardedOrigin } from '../../base/limits/forwarded.ts'
import { isPublicAddress } from '../../base/outbound/outbound.address.ts'

/** What is known of a connection here. */
type Asked = Pick<IncomingMessage, 'headers' | 'socket'>

/** Finds the site of a request: scheme and host by which its client came; undefined where they are not ours. */
export type FindSite = (request: Asked) => string | undefined

/** Names that nobody can register (RFC 6761, 6762, 8375, ICANN on `internal`): no stranger gets what is sent to them. */
const reservedName = /^[^.]+$|\.(?:localhost|test|example|invalid|local|internal|home\.arpa|onion)$/

/** Most characters of a name, without its port (RFC 1035, 2.3.4: 255 octets as they are sent). */
const longestHost = 253

const maxKnownHosts = 100

/**
 * Judges hosts by the settings, and remembers those that it has judged: clients come by few names.
 *
 * A host that a client made up would stand in every link of its answer. So it must be one that is named in the settings,
 * or one that no stranger can own.
 */
export function siteFinder(config: Config): FindSite {
  // Links are made of that address alone, and nobody's word counts.
  if (config.publicUrl !== undefined && !config.allowedHosts) return () => config.publicUrl
  const judged = new LRUCache<string, { readonly site: string | undefined }>({ max: maxKnownHosts })
  const judge = (named: string, request: Asked) => {
    const site = isOurs(config, named, request) ? (config.publicUrl ?? named) : undefined
    // A public address is ours on the connections that came to it, and is judged for each of them.
    if (!isWellFormed(named) || !isPublicAddress(hostnameOf(named))) judged.set(named, { site })
    return site
  }
  return (request) => {
    const named = namedSite(config, request)
    if (named === undefined) return ownSite(config)
    const known = judged.get(named)
    return known ? known.site : judge(named, request)
  }
}

/** The site of a request that was let in; where it was not ours, that of the address at which the service listens. */
export function siteOf(config: Config, request: { readonly raw: Asked }): string {
  return siteFinder(config)(request.raw) ?? ownSite(config)
}

function ownSite({ host, port }: Config): string {
  return `http://${host}:${port}`
}

/** Scheme and host as the client named them, '' for no name; what is forwarded counts only from a trusted proxy. */
function namedSite(config: Config, request: Asked): string | undefined {
  const forwarded = forwardedOrigin(config, request)
  const host = forwarded?.host ?? request.headers.host
  if (host === undefined) return undefined
  // It would stand in every link.
  if (host.replace(/:\d{1,5}$/, '').length > longestHost) return ''
  return `${forwarded?.scheme === 'https' ? 'https' : 'http'}://${host}`
}

function isOurs({ publicUrl, allowedHosts }: Config, site: string, { socket }: Asked): boolean {
  if (!isWellFormed(site)) return false
  const name = hostnameOf(site)
  if (publicUrl !== undefined && hostnameOf(publicUrl) === name) return true
  if (allowedHosts) {
    return allowedHosts.has('*') || allowedHosts.has(name) || parentsOf(name).some((parent) => allowedHosts.has(parent))
  }
  if (isIP(name) === 0) return reservedName.test(name)
  return !isPublicAddress(name) || name === socket.localAddress?.replace(/^::ffff:/, '')
}

function isWellFormed(site: string): boolean {
  const withoutUsualPort = site.toLowerCase().replace(/(?<=^http:.*):80$|(?<=^https:.*):443$/, '')
  return URL.canParse(site) && new URL(site).origin === withoutUsualPort
}

/** Host of an address, without port and brackets. */
function hostnameOf(address: string): string {
  return new URL(address).hostname.replace(/^\[|\]$/g, '')
}

/** Of `a.b.example`: `.b.example` and `.example`. */
function parentsOf(name: string): readonly string[] {
  return [...name.matchAll(/\./g)].map(({ index }) => name.slice(index))
}
