import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Config } from '../config/config.ts'
import { forwardedFor, nodeAddress } from './forwarded.ts'

type ProxySettings = Pick<Config, 'trustProxy' | 'trustedHeaders'>

/** The groups of an IPv6 address that a provider assigns to one customer, who owns all addresses below them. */
const networkParts = 4

/**
 * Returns the address of the client. If the connected address is a trusted proxy, this is the address that it reports,
 * and so on along the chain.
 *
 * @returns '' if the address is unknown. A client that a proxy does not name is not the proxy.
 */
export function clientAddress(config: ProxySettings, request: IncomingMessage): string {
  const { trustProxy } = config
  let address = nodeAddress(request.socket.remoteAddress ?? '')
  if (!trustProxy?.(address, 0)) return address
  const nodes = forwardedFor(config, request)
  // From the nearest proxy to the farthest: an untrusted one ends the chain.
  for (let hop = 0; hop < nodes.length && trustProxy(address, hop); hop += 1) {
    address = nodeAddress(nodes.at(-1 - hop) ?? '')
    if (address === '') break
  }
  return address
}

/**
 * Returns the key by which a client is counted: its IPv4 address, or for IPv6 the network of one customer. Returns
 * undefined if the address does not identify a single client.
 */
export function clientKey(
  config: ProxySettings & Pick<Config, 'isExempt'>,
  request: IncomingMessage,
): string | undefined {
  const address = clientAddress(config, request)
  return config.isExempt(address) ? undefined : networkOf(address)
}

/**
 * Returns the key of a holder of scarce resources of a process. It also covers clients that `isExempt` names, since a
 * holder may lose its resource to another one in any case. '' is shared by all unknown clients.
 *
 * @param address As returned by `clientAddress`.
 */
export function clientNetworkOf(address: string): string {
  return networkOf(address) ?? ''
}

/**
 * Returns an IPv4 address, or for IPv6 the network of one customer, in canonical notation; undefined for other texts.
 */
export function networkOf(address: string): string | undefined {
  // Not every text that the library reads as an IPv4 address is in canonical notation.
  if (isIP(address) === 4) return address
  if (!ipaddr.isValid(address)) return undefined
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return parsed.parts
    .slice(0, networkParts)
    .map((part) => part.toString(16))
    .join(':')
}
