import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { LRUCache } from 'lru-cache'
import type { Config } from '../../base/config/config.ts'
import { forwardedOrigin } from '../../base/limits/forwarded.ts'
import { isPublicAddress } from '../../base/outbound/outbound.address.ts'

/** The properties of a connection that this file uses. */
type SiteRequest = Pick<IncomingMessage, 'headers' | 'socket'>

/** Returns the site of a request, which is the scheme and host in its address, or undefined if they are not ours. */
export type FindSite = (request: SiteRequest) => string | undefined

/**
 * Names that nobody can register (RFC 6761, 6762, 8375, ICANN on `internal`), so that no other site can receive
 * requests for them.
 */
const reservedName = /^[^.]+$|\.(?:localhost|test|example|invalid|local|internal|home\.arpa|onion)$/

/** The maximum length of a name without its port (RFC 1035, 2.3.4: 255 bytes on the wire). */
const maxHostLength = 253

const maxKnownHosts = 100

/**
 * Returns a function that checks hosts against the settings. It caches the results, because clients use few hosts.
 *
 * A host that a client invents would be in every link of its response. So the host must be in the settings, or must be
 * one that no other party can own.
 */
export function createSiteFinder(config: Config): FindSite {
  // Links use that address only, regardless of the request.
  if (config.publicUrl !== undefined && !config.allowedHosts) return () => config.publicUrl
  const judged = new LRUCache<string, { readonly site: string | undefined }>({ max: maxKnownHosts })
  const judge = (named: string, request: SiteRequest) => {
    const site = isAllowedHost(config, named, request) ? (config.publicUrl ?? named) : undefined
    // A public address is ours only on connections to it, so each connection is checked again.
    if (!isWellFormed(named) || !isPublicAddress(hostnameOf(named))) judged.set(named, { site })
    return site
  }
  return (request) => {
    const named = claimedSite(config, request)
    if (named === undefined) return ownSite(config)
    const known = judged.get(named)
    return known ? known.site : judge(named, request)
  }
}

/**
 * Returns the site of an admitted request. If its host is not ours, returns the address at which the service listens.
 */
export function siteOfRequest(config: Config, request: { readonly raw: SiteRequest }): string {
  return createSiteFinder(config)(request.raw) ?? ownSite(config)
}

function ownSite({ host, port }: Config): string {
  return `http://${host}:${port}`
}

/**
 * Returns the scheme and host of the request, or '' if there is no host. Forwarded header fields count only from a
 * trusted proxy.
 */
function claimedSite(config: Config, request: SiteRequest): string | undefined {
  const forwarded = forwardedOrigin(config, request)
  const host = forwarded?.host ?? request.headers.host
  if (host === undefined) return undefined
  // The host would be in every link.
  if (host.replace(/:\d{1,5}$/, '').length > maxHostLength) return ''
  return `${forwarded?.scheme === 'https' ? 'https' : 'http'}://${host}`
}

function isAllowedHost({ publicUrl, allowedHosts }: Config, site: string, { socket }: SiteRequest): boolean {
  if (!isWellFormed(site)) return false
  const name = hostnameOf(site)
  if (publicUrl !== undefined && hostnameOf(publicUrl) === name) return true
  if (allowedHosts) {
    return (
      allowedHosts.has('*') || allowedHosts.has(name) || parentDomains(name).some((parent) => allowedHosts.has(parent))
    )
  }
  if (isIP(name) === 0) return reservedName.test(name)
  return !isPublicAddress(name) || name === socket.localAddress?.replace(/^::ffff:/, '')
}

function isWellFormed(site: string): boolean {
  const withoutUsualPort = site.toLowerCase().replace(/(?<=^http:.*):80$|(?<=^https:.*):443$/, '')
  return URL.canParse(site) && new URL(site).origin === withoutUsualPort
}

/** Returns the host of an address, without port and brackets. */
function hostnameOf(address: string): string {
  return new URL(address).hostname.replace(/^\[|\]$/g, '')
}

/** Returns the parent domains of a name: of `a.b.example`, `.b.example` and `.example`. */
function parentDomains(name: string): readonly string[] {
  return [...name.matchAll(/\./g)].map(({ index }) => name.slice(index))
}
