import ipaddr from 'ipaddr.js'

/** Tests whether an address, as a socket reports it, belongs to these networks. */
export type Networks = (address: string) => boolean

/** Tests whether a proxy is trusted. `hop` is its distance from the service: 0 for the connected one. */
export type ProxyTrust = (address: string, hop: number) => boolean

/** Address ranges that are not on the public Internet. */
const privateRanges: ReadonlySet<string> = new Set(['loopback', 'private', 'linkLocal', 'uniqueLocal'])
const maxProxies = 10

/** Reads comma-separated networks and addresses. `private` stands for loopback and all private networks. */
export function parseNetworks(text: string): Networks {
  const names = text.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]))
  const ranges = names.filter((name) => name !== 'private').map(parseNetwork)
  const hasPrivate = names.includes('private')
  return (address) => {
    if (names.length === 0 || !ipaddr.isValid(address)) return false
    // On a dual-stack socket, an IPv4 client appears as ::ffff:192.0.2.1.
    const parsed = ipaddr.process(address)
    if (hasPrivate && privateRanges.has(parsed.range())) return true
    return ranges.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits))
  }
}

function parseNetwork(name: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (ipaddr.isValidCIDR(name)) return ipaddr.parseCIDR(name)
  if (!ipaddr.isValid(name)) throw new Error('networks such as 203.0.113.0/24, addresses, or the word private')
  const address = ipaddr.parse(name)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** Reads the proxies whose forwarded headers are trusted; undefined means none. `true` means one proxy. */
export function parseProxyTrust(text: string): ProxyTrust | undefined {
  if (/^(false|no|off|0|)$/i.test(text)) return undefined
  if (/^(true|yes|on)$/i.test(text)) return (_address, hop) => hop < 1
  if (/^\d+$/.test(text)) {
    const proxies = Number(text)
    if (proxies > maxProxies) throw new Error(`true, false, a number of proxies up to ${maxProxies}, or their networks`)
    return (_address, hop) => hop < proxies
  }
  return parseNetworks(text)
}
