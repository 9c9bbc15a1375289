import assert from 'node:assert/strict'
import { type Attack, maxProcessorMs, type Target } from './target.ts'

const event = { title: 'Concert', start_date: '2030-01-22 19:00:00', end_date: '2030-01-22 21:00:00' }

async function assertCheap(target: Target, title: string, work: () => Promise<unknown>): Promise<void> {
  const ms = await target.processorMs(work)
  assert.ok(ms < maxProcessorMs, `${title} took ${Math.round(ms)} ms of the processor`)
}

const write = (target: Target, json: object) =>
  target.send({ as: 'contributor', method: 'POST', path: '/events', json })

/** Writes that once took from a third of a second to a dozen seconds. */
export const attacks: readonly Attack[] = [
  {
    title: 'many new categories that share a slug are cheap, and more than a hundred are refused',
    play: async (target) => {
      const names = (count: number) => Array.from({ length: count }, (_, n) => `a${'!?.'[n % 3]}${'!'.repeat(n / 3)}`)
      await assertCheap(target, 'categories', async () => {
        const { status, text } = await write(target, { ...event, categories: names(1000) })
        assert.equal(status, 400)
        assert.match(text, /at most 100/)
      })
      for (const begin of ['', '?', '!']) {
        await assertCheap(target, 'categories', async () => {
          const categories = names(100).map((name) => name + begin)
          assert.equal((await write(target, { ...event, categories, tags: categories })).status, 201)
        })
      }
    },
  },
  {
    title: 'a host of fifteen thousand characters is refused, and in no answer',
    play: async (target) => {
      const host = 'a'.repeat(15_000)
      for (const path of ['/events', '//sitemap-1.xml', '//events/', '/events.ics', '/doc']) {
        const { status, text } = await target.send({ path, headers: { host } })
        assert.equal(status, 421, path)
        assert.ok(!text.includes(host.slice(0, 300)), path)
      }
    },
  },
  {
    title: 'texts of tags and quotes are cheap to print, and long lines are refused',
    play: async (target) => {
      for (const scrap of ['<b></b>', '<wbr>', '<q></q>']) {
        const text = `x${scrap.repeat(62_000 / scrap.length)}'1'`
        await assertCheap(target, scrap, () => write(target, { ...event, excerpt: text }))
      }
      for (const name of ['venue', 'organizer']) {
        const sent = Array.from({ length: 14 }, (_, n) => ({ [name]: `New ${n}`, description: '<p>'.repeat(20_000) }))
        await assertCheap(target, name, async () => {
          assert.equal((await write(target, { ...event, [name]: sent })).status, 400)
        })
      }
      const line = 'x'.repeat(60_000)
      const long = [{ title: line }, { venue: { venue: line } }, { organizer: [{ organizer: 'a', phone: line }] }]
      for (const sent of long) assert.equal((await write(target, { ...event, ...sent })).status, 400)
    },
  },
  {
    title: 'bodies of a megabyte by nobody cost next to nothing',
    play: async (target) => {
      const fill = (scrap: string) => scrap.repeat(1_000_000 / scrap.length)
      const files = fill('--x\r\nContent-Disposition: form-data; name=a; filename=b\r\n\r\n\r\n')
      const bodies: readonly (readonly [type: string, body: string])[] = [
        ['multipart/form-data; boundary=x', files],
        ['multipart/form-data; boundary=x', files.replaceAll('; filename=b', '')],
        ['application/json', `{"a":"\\u0000","b":[${fill('1,').slice(0, -100)}1]}`],
        ['application/json', `{"a":"${fill('\\\\').slice(0, -100)}\\u0000"}`],
        ['application/x-www-form-urlencoded', fill('a[]=1&')],
      ]
      for (const [type, body] of bodies) {
        // Two of them, because one alone took little less than the limit.
        await assertCheap(target, type, async () => {
          for (const payload of [Buffer.from(body), Buffer.from(body)]) {
            const headers = { 'content-type': type }
            const { status } = await target.send({ method: 'POST', path: '/events', headers, payload })
            assert.ok([400, 401, 413].includes(status), String(status))
          }
        })
      }
    },
  },
]
