import ipaddr from 'ipaddr.js'

/** Whether an address, as a socket names it, is of these networks. */
export type Networks = (address: string) => boolean

/** Whether a proxy is believed: the one that is `hop` proxies away from us, 0 for the one that is connected. */
export type ProxyTrust = (address: string, hop: number) => boolean

/** What nobody on the public Internet has as an address. */
const privateRanges: ReadonlySet<string> = new Set(['loopback', 'private', 'linkLocal', 'uniqueLocal'])
const maxProxies = 10

/** Networks and single addresses, comma-separated; `private` stands for loopback and all private ones. */
export function parseNetworks(text: string): Networks {
  const names = text.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]))
  const ranges = names.filter((name) => name !== 'private').map(parseNetwork)
  const hasPrivate = names.includes('private')
  return (address) => {
    if (names.length === 0 || !ipaddr.isValid(address)) return false
    // An IPv4 client of a socket that listens for both comes as ::ffff:192.0.2.1.
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

/** Whom forwarded headers are believed from; undefined: nobody. `true` is one proxy. */
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
