import ipaddr from 'ipaddr.js'

/**
 * Networks that are not on the public Internet (IANA special-purpose registries of IPv4 and IPv6), or whose addresses
 * contain another address, through which a private one could be reached. Also includes a public address at which Azure
 * serves its own machines.
 */
const blockedIPv4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '168.63.129.16/32'],
  ...['169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.168.0.0/16', '192.175.48.0/24'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
].map((network) => ipaddr.IPv4.parseCIDR(network))

/**
 * For IPv6, only global unicast is public, except these networks: Teredo, ORCHID, documentation, 6to4 and similar ones.
 */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
const blockedIPv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'].map((network) =>
  ipaddr.IPv6.parseCIDR(network),
)

/**
 * Returns true for an address on the public Internet. All IPv6 addresses that represent an IPv4 address (mapped,
 * compatible, NAT64) are refused: no picture host needs them.
 *
 * @param address As returned by a resolver, without brackets.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed instanceof ipaddr.IPv4) return !blockedIPv4.some((network) => parsed.match(network))
  return parsed.match(globalUnicast) && !blockedIPv6.some((network) => parsed.match(network))
}
