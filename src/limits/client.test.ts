import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import fc from 'fast-check'
import { readConfig } from '../config/config.ts'
import { clientAddress, clientKey } from './client.ts'

/** A request as it reaches us, from a proxy or a client. */
function request(remoteAddress: string, forwarded?: string): IncomingMessage {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage
}

const addressBy = (TRUST_PROXY: string, remote: string, forwarded?: string) =>
  clientAddress(readConfig({ TRUST_PROXY }), request(remote, forwarded))
const keyOf = (address: string, environment: Readonly<Record<string, string>> = {}) =>
  clientKey(readConfig(environment), request(address))

test('what proxies say counts as far as they are believed', () => {
  const forged = '6.6.6.6, 198.51.100.7, 10.0.0.9'

  assert.equal(addressBy('false', '203.0.113.1', forged), '203.0.113.1')
  assert.equal(addressBy('true', '10.0.0.1', '6.6.6.6, 198.51.100.7'), '198.51.100.7')
  assert.equal(addressBy('1', '10.0.0.1', forged), '10.0.0.9')
  assert.equal(addressBy('2', '10.0.0.1', forged), '198.51.100.7')
  assert.equal(addressBy('10.0.0.0/8', '10.0.0.1', forged), '198.51.100.7')
  assert.equal(addressBy('private', '::ffff:10.0.0.1', forged), '198.51.100.7')
  assert.equal(addressBy('10.0.0.0/8', '203.0.113.1', forged), '203.0.113.1')
  assert.equal(addressBy('true', '10.0.0.1'), '10.0.0.1')
  assert.equal(addressBy('true', '10.0.0.1', 'unknown'), '10.0.0.1')
})

test('no header makes a client another one where one proxy is believed', () => {
  fc.assert(
    fc.property(fc.string(), (header) => {
      assert.equal(addressBy('true', '10.0.0.1', `${header}, 198.51.100.7`), '198.51.100.7')
    }),
  )
})

test('IPv6 is counted by the network of a customer, IPv4 by address, in whatever notation', () => {
  assert.equal(keyOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2')
  assert.equal(keyOf('2001:db8:1:2::'), '2001:db8:1:2')
  assert.notEqual(keyOf('2001:db8:1:3::'), keyOf('2001:db8:1:2::'))
  assert.equal(keyOf('::ffff:198.51.100.7'), '198.51.100.7')
})

test('addresses that stand for no single client are not counted, by default those of private networks', () => {
  for (const address of [
    '127.0.0.1',
    '::1',
    '10.1.2.3',
    '192.168.0.5',
    '172.20.0.1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '',
  ]) {
    assert.equal(keyOf(address), undefined, address)
  }
  assert.equal(keyOf('198.51.100.7', { RATE_LIMIT_EXEMPT: '198.51.100.0/24' }), undefined)
  assert.equal(keyOf('127.0.0.1', { RATE_LIMIT_EXEMPT: '' }), '127.0.0.1')
})
