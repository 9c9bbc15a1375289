// Tests the fuzzer itself, against a service with deliberate faults.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serviceNamespaces } from '../../src/api.ts'
import { randomFrom } from '../../tools/bench/random.ts'
import { startExampleSite } from '../support/example.site.ts'
import { type Operation, routesIn } from './document.ts'
import { fuzz } from './fuzzing.ts'
import { diceOf, generateRequest } from './generate.ts'
import { dropIn } from './settings.ts'
import { openTarget, type Target } from './target.ts'
import type { WireRequest } from './wire.ts'

const requests = 5000
/** An arbitrary seed. It is fixed so that a failure is reproducible. */
const seed = 20_300_120

test('a failure is found, and told as the least request that has it', async (t) => {
  const target = await openTarget(await startExampleSite(t))
  const isBroken = ({ method, target: address, body }: WireRequest) =>
    method === 'POST' && address.startsWith('/cal/events/v1/events') && body.includes('__proto__')

  const { findings } = await fuzz([brokenTarget(target, isBroken)], { requests, seed, maxFindings: 1 })

  const [first] = findings
  assert.deepEqual(first, {
    fault: 'status 500',
    requests: [{ method: 'POST', target: '/cal/events/v1/events', headers: [], body: '__proto__' }],
    isRepeatable: true,
    seed,
    form: 'standard',
  })
})

test('a failure that takes what was written before is told with the least of it', async (t) => {
  const target = await openTarget(await startExampleSite(t))
  const isDelete = ({ method, target: address }: WireRequest) => method === 'DELETE' && /\/venues\/\d+/.test(address)
  let deleted = 0
  const broken = brokenTarget(
    target,
    ({ method, target: address }) => deleted > 0 && method === 'GET' && address.startsWith('/cal/events/v1/tags'),
    (request, hasWritten) => {
      if (hasWritten && isDelete(request)) deleted++
    },
    () => {
      deleted = 0
    },
  )

  const { findings } = await fuzz([broken], { requests, seed, maxFindings: 1 })

  const [first] = findings
  assert.ok(first?.isRepeatable)
  const [last, deleting, ...made] = first.requests.toReversed()
  assert.ok(deleting && isDelete(deleting), JSON.stringify(first))
  // If it is not one of the initial venues, an earlier request must create it.
  assert.ok(made.length <= 1 && made.every(({ method }) => method === 'POST'), JSON.stringify(first))
  assert.deepEqual(last, { method: 'GET', target: '/cal/events/v1/tags', headers: [], body: '' })
})

test('bodies of requests that read are made too, and texts of as many marks as there is room for', () => {
  const list: Operation = {
    ...{ method: 'GET', path: '/cal/events/v1/events', inPath: [], inBody: [], bodies: [] },
    inQuery: [{ name: 'search', known: ['concert'] }],
  }
  const dice = diceOf(randomFrom(seed))
  const made = Array.from({ length: 10_000 }, () => generateRequest(dice, list))

  const searches = made.filter(({ body }) => body.includes('"search":'))
  const longest = Math.max(
    ...searches.map(({ body }) => Buffer.from(body, 'latin1').toString().split('\u0301\u0323').length),
  )
  assert.deepEqual(new Set(searches.map(({ method }) => method)).has('GET'), true)
  assert.ok(searches.some(({ method }) => method === 'HEAD'))
  assert.equal(longest - 1, 249_000)
  assert.ok(made.filter(({ body }) => body === '').length > made.length / 2)
})

test('whatever the framework serves is asked, whether or not anybody has described it', () => {
  const printed = `├── /docs (GET, HEAD)
│   └── / (GET, HEAD)
│       └── :name (GET, HEAD)
├── * (HEAD, DELETE)
└── /cal/service/v1/media (POST, GET)
    └── /:id (GET, DELETE)
`

  assert.deepEqual(
    routesIn(printed).map(({ method, path, inPath }) => `${method} ${path} ${inPath.map(({ name }) => name)}`),
    [
      ...['GET /docs ', 'GET /docs/ ', 'GET /docs/{name} name'],
      ...['POST /cal/service/v1/media ', 'GET /cal/service/v1/media '],
      ...['GET /cal/service/v1/media/{id} id', 'DELETE /cal/service/v1/media/{id} id'],
    ],
  )
})

test('every operation of the service’s own namespaces is asked as its document describes it', async (t) => {
  const target = await openTarget(await startExampleSite(t, dropIn), 'drop-in')

  const operations = await target.operations()

  const asked = new Map(operations.map((operation) => [`${operation.method} ${operation.path}`, operation]))
  for (const namespace of serviceNamespaces) {
    const base = `/wp-json/${namespace.name({ vendorWord: 'tribe' })}`
    for (const { path, endpoints } of namespace.routes) {
      for (const { methods, path: inPath, args } of endpoints) {
        for (const method of methods) {
          const found = asked.get(`${method} ${base}${path || '/'}`)
          assert.ok(found, `${method} ${base}${path}`)
          const known = [...found.inPath, ...found.inQuery, ...found.inBody].map(({ name }) => name)
          for (const name of Object.keys({ ...inPath, ...args })) assert.ok(known.includes(name), `${path}: ${name}`)
          assert.ok(found.inPath.every(({ known: values }) => values.length > 0))
        }
      }
    }
  }
})

/** The target, which answers some requests as if the service had broken. */
function brokenTarget(
  target: Target,
  isBroken: (request: WireRequest) => boolean,
  seen: (request: WireRequest, hasWritten: boolean) => void = () => {},
  forget = () => {},
): Target {
  return {
    ...target,
    // Only some, because the search ends after a number of requests, and with pages of the desk it takes longer.
    operations: async () => (await target.operations()).filter(({ path }) => path.startsWith('/cal/events/v1')),
    judge: async (request) => {
      const judged = await target.judge(request)
      const fault = isBroken(request) ? 'status 500' : undefined
      seen(request, judged.hasWritten)
      return { ...judged, fault }
    },
    restore: async () => {
      forget()
      await target.restore()
    },
  }
}
