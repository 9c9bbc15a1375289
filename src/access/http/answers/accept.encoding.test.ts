import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type AcceptedCodings, acceptedCodings, CODINGS, identityOnly, readAcceptEncoding } from './accept.encoding.ts'
import { chooseCoding, matchedEtag } from './content.coding.ts'

const plain = undefined

test('the coding with the highest weight is chosen, among equals the one that costs least (RFC 9110, 12.5.3)', () => {
  const expected: readonly (readonly [string, AcceptedCodings['best'], acceptsIdentity?: boolean])[] = [
    ['', plain],
    ['identity', plain],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['GZip', 'gzip'],
    ['gzip, deflate', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['br;q=1.0, gzip;q=0.8, *;q=0.1', 'br'],
    ['gzip;q=1.0, br;q=0.999', 'gzip'],
    ['gzip\t;\tq=0.5 , br ; q=0.4', 'gzip'],
    ['deflate, compress', plain],
    ['*', 'zstd'],
    ['*;q=0.1, br;q=0.2', 'br'],
    ['zstd;q=0, *', 'br'],
    ['zstd;q=0, br;q=0, gzip;q=0', plain],
    ['identity;q=0.5, gzip;q=0.4', plain],
    ['identity, gzip', 'gzip'],
    ['identity;q=0', plain, false],
    ['identity;q=0, gzip;q=0.1', 'gzip', false],
    ['*;q=0', plain, false],
    ['*;q=0, gzip', 'gzip', false],
    ['*;q=0, identity', plain],
    ['identity;q=0, *', 'zstd', false],
    // Members that cannot be read do not count.
    ['gzip;q=2', plain],
    ['gzip;q=0.1234', plain],
    ['gzip;level=9', plain],
    ['gzip br', plain],
    [',, ;q=1,gzip,', 'gzip'],
    ['gzip;q=0.000', plain],
  ]
  for (const [header, best, acceptsIdentity = true] of expected) {
    const read = readAcceptEncoding(header)
    assert.deepEqual([read.best, read.acceptsIdentity], [best, acceptsIdentity], header)
    assert.equal(acceptedCodings(header).best, best, header)
  }
  assert.equal(acceptedCodings(undefined).best, plain)
  assert.equal(acceptedCodings(`gzip, ${'x'.repeat(2000)}`).best, plain)
})

const names = ['identity', '*', 'deflate', ...CODINGS] as const

test('whatever is sent, no coding is chosen that was refused, and none before one that is liked more', () => {
  const members = fc.uniqueArray(fc.record({ name: fc.constantFrom(...names), thousandths: fc.nat(1000) }), {
    selector: ({ name }) => name,
  })
  fc.assert(
    fc.property(members, (list) => {
      const header = list.map(({ name, thousandths }) => `${name};q=${(thousandths / 1000).toFixed(3)}`).join(', ')
      const weights = new Map<string, number>(list.map(({ name, thousandths }) => [name, thousandths]))
      const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0

      const { best, taken, acceptsIdentity } = readAcceptEncoding(header)

      const maxOfAll = Math.max(...CODINGS.map(weightOf))
      if (best === undefined) assert.ok(maxOfAll === 0 || maxOfAll < (weights.get('identity') ?? 0), header)
      else assert.ok(weightOf(best) > 0 && weightOf(best) === maxOfAll, header)
      assert.deepEqual(
        taken,
        CODINGS.filter((coding) => weightOf(coding) > 0),
      )
      assert.equal(
        acceptsIdentity,
        weights.get('identity') !== 0 && (weights.has('identity') || weights.get('*') !== 0),
      )
    }),
  )
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      const { best, taken } = readAcceptEncoding(text)
      assert.ok(best === undefined || taken.includes(best))
    }),
  )
})

test('a response is coded from 1,024 bytes on, and a shorter one only for whoever reads nothing else', () => {
  const gzip = { best: 'gzip', acceptsIdentity: true, taken: ['gzip'] } as const

  assert.deepEqual(
    [0, 1, 1023, 1024, 1025].map((octets) => chooseCoding(gzip, octets)),
    [...[undefined, undefined, undefined], ...(['gzip', 'gzip'] as const)],
  )
  const only = { ...gzip, acceptsIdentity: false }
  assert.deepEqual(
    [0, 1, 1024].map((octets) => chooseCoding(only, octets)),
    [undefined, 'gzip', 'gzip'],
  )
  assert.equal(chooseCoding(identityOnly, 5000), undefined)
})

test('a client that has a form which it still reads is told which one (RFC 9110, 13.1.2)', () => {
  const accepted = { best: 'br', acceptsIdentity: true, taken: ['br', 'gzip'] } as const
  const found = (ifNoneMatch: string | undefined, of: AcceptedCodings = accepted) => matchedEtag('"x"', of, ifNoneMatch)

  assert.equal(found(undefined), undefined)
  assert.equal(found('*'), '"x-br"')
  assert.equal(found('*', identityOnly), '"x"')
  for (const tag of ['"x"', '"x-br"', '"x-gzip"']) {
    assert.equal(found(`"y", W/${tag}`), tag)
  }
  assert.equal(found('"x-gzip", "x"'), '"x"')
  for (const tag of ['"x-zstd"', '"y"', '']) assert.equal(found(tag), undefined)
  const onlyCoded = { best: 'gzip', acceptsIdentity: false, taken: ['gzip'] } as const
  assert.deepEqual([found('"x"', onlyCoded), found('"x-gzip"', onlyCoded)], [undefined, '"x-gzip"'])
  assert.equal(found('"x"', { best: undefined, acceptsIdentity: false, taken: [] }), '"x"')
})
