import assert from 'node:assert/strict'
import { type Attack, maxProcessorMs, type Target } from './target.ts'

/** Two alternating marks, which normalization must sort: the normalized text has them in another order. */
const marks = (count: number) => `a${'\u0301\u0323'.repeat(count)}`

async function assertCheap(target: Target, title: string, work: () => Promise<unknown>): Promise<void> {
  const ms = await target.processorMs(work)
  assert.ok(ms < maxProcessorMs, `${title} took ${Math.round(ms)} ms of the processor`)
}

const lists = ['/events', '/venues', '/organizers', '/categories', '/tags', '/events.ics', '/events.csv']
const numbers = (count: number) => Array.from({ length: count }, (_, place) => place + 1)

/** Searches that once took from a second to minutes, by their problem. */
const searches: Readonly<Record<string, string>> = {
  'runs of combining marks': marks(7000),
  'very long runs of combining marks': marks(249_000),
  'marks that are letters before they are marks': `a${'\uff9e\u0323'.repeat(4000)}`,
  'twenty thousand words': numbers(20_000).join(' '),
  'a megabyte of words': numbers(150_000).join('w ').slice(0, 1_000_000),
  'letters that are eighteen each': '\ufdfa'.repeat(340_000),
  'some letters that are eighteen each': '\ufdfa '.repeat(3000),
}

export const attacks: readonly Attack[] = [
  ...Object.entries(searches).map(
    ([title, search]): Attack => ({
      title: `a search for ${title} is refused at once, in a body and by POST as well`,
      play: async (target) => {
        for (const path of lists) {
          await assertCheap(target, path, async () => {
            for (const headers of [{}, { 'x-http-method-override': 'GET' }]) {
              const method = 'x-http-method-override' in headers ? 'POST' : 'GET'
              const { status } = await target.send({ path, method, headers, json: { search } })
              assert.ok(status === 400 || status === 413, `${path}: ${status}`)
            }
          })
        }
      },
    }),
  ),
  {
    title: 'a search in an address costs next to nothing, on pages as well',
    play: async (target) => {
      for (const text of [marks(900), '\ufdfa'.repeat(600), numbers(2500).join(' ')]) {
        const search = encodeURIComponent(text).slice(0, 15_000).replace(/%.?$/, '')
        for (const path of [...lists, '//events/', '//fr/events/']) {
          await assertCheap(target, path, () =>
            target.send({ path: `${path}?search=${search}&category=${search.slice(0, 60)}` }),
          )
        }
      }
    },
  },
  {
    title: 'lists of ids are bounded, for visitors and for those who are signed in',
    play: async (target) => {
      for (const as of [undefined, 'subscriber'] as const) {
        for (const name of ['venue', 'organizer', 'categories', 'tags']) {
          const { text } = await target.send({ ...(as ? { as } : {}), path: `/events?${name}=${numbers(1000)}` })
          // The answer must not depend on a lookup of the unknown ones.
          assert.match(text, /at most 100/, name)
        }
      }
    },
  },
  {
    title: 'texts that are written are bounded, and those within the bound are cheap',
    play: async (target) => {
      const event = { title: 'Concert', start_date: '2030-01-22 19:00:00', end_date: '2030-01-22 21:00:00' }
      const write = (json: object) => target.send({ as: 'contributor', method: 'POST', path: '/events', json })
      for (const field of ['title', 'description', 'excerpt', 'slug', 'cost']) {
        await assertCheap(target, field, async () => {
          const { status } = await write({ ...event, [field]: marks(240_000) })
          assert.equal(status, 400, field)
        })
        await assertCheap(target, field, () => write({ ...event, [field]: marks(16_000) }))
      }
      await assertCheap(target, 'address', () => write({ ...event, venue: { venue: 'Hall', address: marks(16_000) } }))
      await assertCheap(target, 'visitors', () =>
        target.send({
          method: 'POST',
          path: '/events',
          json: { ...event, tags: numbers(900).map((n) => marks(n % 200)) },
        }),
      )
    },
  },
]
