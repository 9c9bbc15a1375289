import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Config } from '../config/config.ts'

/** Bits of an IPv6 address that a provider gives to one customer: all below them are theirs. */
const customerParts = 4

/**
 * The address of the client: that of the connection, or where it is a proxy that is believed, what it says, and so on.
 *
 * @returns '' where nobody knows.
 */
export function clientAddress({ trustProxy }: Pick<Config, 'trustProxy'>, request: IncomingMessage): string {
  let address = request.socket.remoteAddress ?? ''
  if (!trustProxy?.(address, 0)) return address
  const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',')
  // From the nearest proxy to the farthest: whoever is not believed says nothing of those before.
  for (let hop = 0; trustProxy(address, hop); hop += 1) {
    const before = forwarded.at(-1 - hop)?.trim() ?? ''
    if (isIP(before) === 0) break
    address = before
  }
  return address
}

/**
 * What a client is counted by: its address, of IPv6 the network of one customer; undefined where the address stands for
 * no single client.
 */
export function clientKey(
  config: Pick<Config, 'trustProxy' | 'isExempt'>,
  request: IncomingMessage,
): string | undefined {
  const address = clientAddress(config, request)
  return config.isExempt(address) ? undefined : networkOf(address)
}

/** An IPv4 address, or of IPv6 the network of one customer, in one notation each; undefined for what is no address. */
export function networkOf(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return undefined
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return parsed.parts
    .slice(0, customerParts)
    .map((part) => part.toString(16))
    .join(':')
}
