import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/support/long.ts'
import { isPublicAddress } from './outbound.address.ts'

/** IANA IPv4 special-purpose registry, with multicast and the broadcast address: first address and prefix length. */
const specialNetworks = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.0.0/29', '192.0.0.8/32', '192.0.0.9/32', '192.0.0.10/32', '192.0.0.170/32', '192.0.0.171/32'],
  ...['192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.168.0.0/16', '192.175.48.0/24'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4', '255.255.255.255/32'],
]

/** IANA IPv6 special-purpose registry, with site-local, multicast and IPv4-compatible addresses. */
const specialNetworks6 = [
  ...['::1/128', '::/128', '::/96', '::ffff:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64', '100:0:0:1::/64'],
  ...['2001::/23', '2001::/32', '2001:1::1/128', '2001:1::2/128', '2001:1::3/128', '2001:2::/48', '2001:3::/32'],
  ...['2001:4:112::/48', '2001:10::/28', '2001:20::/28', '2001:30::/28', '2001:db8::/32', '2002::/16'],
  ...['2620:4f:8000::/48', '3fff::/20', '5f00::/16', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
]

const dotted = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.')
const value4Of = (address: string) => address.split('.').reduce((value, part) => value * 256 + Number(part), 0)

/** The eight groups of an IPv6 address as one number. */
function value6Of(address: string): bigint {
  const [before = '', after] = address.split('::')
  const head = before.split(':').filter(Boolean)
  const tail = (after ?? '').split(':').filter(Boolean)
  const groups = [...head, ...Array(8 - head.length - tail.length).fill('0'), ...tail]
  return groups.reduce((value, group) => value * 65536n + BigInt(`0x${group}`), 0n)
}

const inside = fc.constantFrom(...specialNetworks).chain((network) => {
  const [first = '', length] = network.split('/')
  return fc.integer({ min: 0, max: 2 ** (32 - Number(length)) - 1 }).map((offset) => value4Of(first) + offset)
})

const inside6 = fc.constantFrom(...specialNetworks6).chain((network) => {
  const [first = '', length] = network.split('/')
  return fc.bigInt({ min: 0n, max: 2n ** BigInt(128 - Number(length)) - 1n }).map((offset) => value6Of(first) + offset)
})

const octal = (value: number) => (value === 0 ? '0' : `0${value.toString(8)}`)
const parts = (value: number) => dotted(value).split('.').map(Number)

/** Notations of an IPv4 address that resolvers and browsers have accepted. */
const notations: readonly ((value: number) => string)[] = [
  dotted,
  String,
  octal,
  (value) => `0x${value.toString(16)}`,
  (value) => parts(value).map(octal).join('.'),
  (value) =>
    parts(value)
      .map((part) => `0x${part.toString(16)}`)
      .join('.'),
  (value) => `${value >>> 24}.${value & 0xffffff}`,
  (value) => `${value >>> 24}.${(value >>> 16) & 255}.${value & 0xffff}`,
]

/** The IPv6 addresses that contain an IPv4 address. */
const carriers: readonly ((hex: string) => string)[] = [
  (hex) => `::ffff:${hex}`,
  (hex) => `::ffff:0:${hex}`,
  (hex) => `::${hex}`,
  (hex) => `64:ff9b::${hex}`,
  (hex) => `64:ff9b:1::${hex}`,
  (hex) => `2002:${hex}::1`,
  (hex) => `2001:0:4136:e378:8000:63bf:${hex}`,
]

const groups = (value: number) => `${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`
const address6 = (value: bigint) =>
  value
    .toString(16)
    .padStart(32, '0')
    .replace(/(.{4})(?=.)/g, '$1:')

test('no IPv4 address of a special network is public, in whatever notation', () => {
  fc.assert(
    fc.property(inside, fc.constantFrom(...notations), (value, notation) => {
      const written = notation(value)

      assert.equal(isPublicAddress(written), false, written)
      assert.equal(isPublicAddress(new URL(`http://${written}/`).hostname), false, written)
    }),
    { numRuns: runs(400, 2_000) },
  )
})

test('no IPv6 address of a special network is public, shortened or not', () => {
  fc.assert(
    fc.property(inside6, (value) => {
      const written = address6(value)

      assert.equal(isPublicAddress(written), false, written)
      assert.equal(isPublicAddress(new URL(`http://[${written}]/`).hostname.slice(1, -1)), false, written)
    }),
    { numRuns: runs(400, 2_000) },
  )
})

test('no IPv6 address that carries an IPv4 one is public, whatever it carries', () => {
  const any = fc.oneof(inside, fc.integer({ min: 0, max: 2 ** 32 - 1 }))
  fc.assert(
    fc.property(any, fc.constantFrom(...carriers), (value, carrier) => {
      assert.equal(isPublicAddress(carrier(groups(value))), false, carrier(groups(value)))
    }),
    { numRuns: runs(200, 1_000) },
  )
})

test('the addresses at which clouds tell their machines secrets are not public', () => {
  const metadata = ['169.254.169.254', '169.254.170.2', '168.63.129.16', '100.100.100.200', '192.0.0.192']
  for (const address of [...metadata, 'fd00:ec2::254', 'fd20:ce::254']) {
    assert.equal(isPublicAddress(address), false, address)
  }
})

test('the neighbours of special networks are public', () => {
  const neighbours = [
    ...['1.0.0.0', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0'],
    ...['168.63.129.15', '168.63.129.17', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0'],
    ...['191.255.255.255', '192.0.1.0', '192.0.3.0', '192.31.195.255', '192.52.194.0', '192.167.255.255'],
    ...['192.169.0.0', '198.17.255.255', '198.20.0.0', '198.51.99.255', '203.0.114.0', '223.255.255.255'],
    ...['2000::', '2001:200::', '2001:db7:ffff::', '2001:db9::', '2003::', '2620:4f:8001::', '3ffe::', '3fff:1000::'],
    ...['8.8.8.8', '2606:4700::1111', '2a00:1450::1'],
  ]
  for (const address of neighbours) assert.equal(isPublicAddress(address), true, address)
})

test('what is no address is not public', () => {
  for (const text of ['', ' ', 'localhost', '8.8.8.8/8', '1.2.3.4.5', '256.1.1.1', '08.8.8.8', '[2606:4700::1111]']) {
    assert.equal(isPublicAddress(text), false, text)
  }
})
