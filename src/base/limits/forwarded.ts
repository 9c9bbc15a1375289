import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Config } from '../config/config.ts'

/** The parts of a request that are read here. */
type ForwardedRequest = Pick<IncomingMessage, 'headers' | 'socket'>
type ProxySettings = Pick<Config, 'trustProxy' | 'trustedHeaders'>

/** The origin that a client requested, as reported by the nearest proxy. */
export interface ForwardedOrigin {
  readonly host: string | undefined
  readonly scheme: string | undefined
}

/** A node with an optional port, or the obfuscated identifier of a hidden one (RFC 7239, 6.2 and 6.3). */
const nodeForm = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::(?:\d{1,5}|_[\w.-]+))?$/i

/**
 * Returns the client of each proxy, as the proxies report them. The nearest proxy is last.
 *
 * Reads headers of one kind only: a header that the proxy does not write comes unchanged from the client.
 *
 * @returns An empty list if the connected address is not trusted.
 */
export function forwardedFor(config: ProxySettings, request: ForwardedRequest): readonly string[] {
  if (!isForwarded(config, request)) return []
  if (config.trustedHeaders === 'forwarded')
    return elementsOf(request).map((element) => parameterOf(element, 'for') ?? '')
  return itemsOf(request.headers['x-forwarded-for'])
}

/** Returns undefined if the connected address is not trusted. */
export function forwardedOrigin(config: ProxySettings, request: ForwardedRequest): ForwardedOrigin | undefined {
  if (!isForwarded(config, request)) return undefined
  const { headers } = request
  if (config.trustedHeaders === 'x-forwarded') {
    const lastOf = (name: string) => itemsOf(headers[name]).at(-1)
    return { host: lastOf('x-forwarded-host'), scheme: lastOf('x-forwarded-proto') }
  }
  const nearest = elementsOf(request).at(-1) ?? ''
  return { host: parameterOf(nearest, 'host'), scheme: parameterOf(nearest, 'proto')?.toLowerCase() }
}

/**
 * Returns the address of a client as proxies write it: with or without port, brackets and quotes (RFC 7239, 6). An IPv4
 * address mapped to IPv6 is returned as IPv4.
 *
 * @returns '' if the node is not an address: `unknown`, an obfuscated name such as `_gazonk`, or anything else.
 */
export function nodeAddress(node: string): string {
  if (isIP(node) === 4) return node
  const text = unquoted(node)
  const [, bracketed, plain] = nodeForm.exec(text) ?? []
  const address = bracketed ?? plain ?? text
  if (isIP(address) === 0) return ''
  return isIP(address) === 4 ? address : ipaddr.process(address).toString()
}

function isForwarded({ trustProxy }: ProxySettings, { socket }: ForwardedRequest): boolean {
  return trustProxy?.(socket.remoteAddress ?? '', 0) ?? false
}

/** Returns the elements of a `Forwarded` header, one per proxy (RFC 7239, 4). */
function elementsOf({ headers }: ForwardedRequest): readonly string[] {
  return itemsOf(headers.forwarded)
}

/**
 * Splits a list at its commas and ignores quotes. If a client sends an unclosed quote, it would otherwise include what
 * the proxies append. Proxies put no commas into their quoted values.
 */
function itemsOf(header: string | string[] | undefined): readonly string[] {
  if (header === undefined) return []
  return String(header)
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function parameterOf(element: string, name: string): string | undefined {
  for (const pair of element.split(';')) {
    const at = pair.indexOf('=')
    if (at >= 0 && pair.slice(0, at).trim().toLowerCase() === name) return unquoted(pair.slice(at + 1).trim())
  }
  return undefined
}

function unquoted(text: string): string {
  return /^".*"$/s.test(text) && text.length > 1 ? text.slice(1, -1) : text
}
