import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Config } from '../config/config.ts'

/** What is known of a request here. */
type ForwardedRequest = Pick<IncomingMessage, 'headers' | 'socket'>
type ProxySettings = Pick<Config, 'trustProxy' | 'trustedHeaders'>

/** Where a client wanted to go, as the nearest proxy says. */
export interface ForwardedOrigin {
  readonly host: string | undefined
  readonly scheme: string | undefined
}

/** A port, or what a proxy says for one that it hides (RFC 7239, 6.2 and 6.3). */
const nodeForm = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::(?:\d{1,5}|_[\w.-]+))?$/i

/**
 * Who asked each proxy, as they say: the word of the nearest one is the last.
 *
 * Only the headers of one kind count: those that a proxy does not write come from the client, as it sent them.
 *
 * @returns None where the one that is connected is not believed.
 */
export function forwardedFor(config: ProxySettings, request: ForwardedRequest): readonly string[] {
  if (!isForwarded(config, request)) return []
  if (config.trustedHeaders === 'forwarded')
    return elementsOf(request).map((element) => parameterOf(element, 'for') ?? '')
  return itemsOf(request.headers['x-forwarded-for'])
}

/** Undefined where the one that is connected is not believed. */
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
 * The address of a client as proxies write it: with or without port, brackets and quotes (RFC 7239, 6), an IPv4 address
 * in IPv6 as itself.
 *
 * @returns '' where it names none: `unknown`, a hidden name such as `_gazonk`, or anything else.
 */
export function nodeAddress(node: string): string {
  const text = unquoted(node)
  const [, bracketed, plain] = nodeForm.exec(text) ?? []
  const address = bracketed ?? plain ?? text
  if (isIP(address) === 0) return ''
  return isIP(address) === 4 ? address : ipaddr.process(address).toString()
}

function isForwarded({ trustProxy }: ProxySettings, { socket }: ForwardedRequest): boolean {
  return trustProxy?.(socket.remoteAddress ?? '', 0) ?? false
}

/** The elements of a `Forwarded` header, one of each proxy (RFC 7239, 4). */
function elementsOf({ headers }: ForwardedRequest): readonly string[] {
  return itemsOf(headers.forwarded)
}

/**
 * Items of a list. Quotes do not count: one that a client has opened and left open would take in what proxies add, and
 * these put no comma into theirs.
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
