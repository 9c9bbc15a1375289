import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import type { Config } from '../config/config.ts'
import { forwardedFor, nodeAddress } from './forwarded.ts'

type ProxySettings = Pick<Config, 'trustProxy' | 'trustedHeaders'>

/** Bits of an IPv6 address that a provider gives to one customer: all below them are theirs. */
const networkParts = 4

/**
 * The address of the client: that of the connection, or where it is a proxy that is believed, what it says, and so on.
 *
 * @returns '' where nobody knows: a client that a proxy does not name is not the proxy.
 */
export function clientAddress(config: ProxySettings, request: IncomingMessage): string {
  const { trustProxy } = config
  let address = nodeAddress(request.socket.remoteAddress ?? '')
  if (!trustProxy?.(address, 0)) return address
  const nodes = forwardedFor(config, request)
  // From the nearest proxy to the farthest: whoever is not believed says nothing of those before.
  for (let hop = 0; hop < nodes.length && trustProxy(address, hop); hop += 1) {
    address = nodeAddress(nodes.at(-1 - hop) ?? '')
    if (address === '') break
  }
  return address
}

/**
 * What a client is counted by: its address, of IPv6 the network of one customer; undefined where the address stands for
 * no single client.
 */
export function clientKey(
  config: ProxySettings & Pick<Config, 'isExempt'>,
  request: IncomingMessage,
): string | undefined {
  const address = clientAddress(config, request)
  return config.isExempt(address) ? undefined : networkOf(address)
}

/**
 * Who holds what a process has little of: a client, also one that `isExempt` names, since some must give way to others
 * whoever they are. '' stands for all of whom nobody knows.
 *
 * @param address As `clientAddress` gives it.
 */
export function clientNetworkOf(address: string): string {
  return networkOf(address) ?? ''
}

/** An IPv4 address, or of IPv6 the network of one customer, in one notation each; undefined for what is no address. */
export function networkOf(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return undefined
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return parsed.parts
    .slice(0, networkParts)
    .map((part) => part.toString(16))
    .join(':')
}
