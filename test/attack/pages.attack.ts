import assert from 'node:assert/strict'
import { decodeHTMLAttribute } from 'entities'
import type { Attack, Target } from './target.ts'

/** Values that spell attributes: if a filter removes them, the text behind them becomes another name. */
const spellings = [
  ...['color', 'COLOR', 'size', 'style', 'class', 'face', 'align', 'bgcolor', 'src', 'poster'].flatMap((name) => [
    `<a href=" ${name}=" title="javascript:alert(1)">x</a>`,
    `<a href="\n${name}=" title="javascript:alert(1)">x</a>`,
    `<a href=' ${name}=' title='javascript:alert(1)'>x</a>`,
  ]),
  '<a title=" href=" name="javascript:alert(1)">x</a>',
  '<img alt=" src=" title="javascript:alert(1)" src="https://x.example/a.png">',
  '<video title=" src=" aria-label="javascript:alert(1)" src="https://x.example/a.mp4"></video>',
]

/** Pictures with the addresses of this site's own. */
const elsewhere = ['//x.example/a.png', '/\\x.example/a.png', '/\t/x.example/a.png', '/\n/x.example/a.png']

async function proses(target: Target, description: string): Promise<readonly string[]> {
  const event = { title: 'Fair', start_date: '2099-01-01 10:00:00', end_date: '2099-01-01 11:00:00', description }
  const sent = [
    ['/events', event],
    ['/venues', { venue: 'Hall', description }],
    ['/organizers', { organizer: 'Club', description }],
  ] as const
  return Promise.all(
    sent.map(async ([path, json]) => {
      const made = await target.send({ as: 'author', method: 'POST', path, json: { ...json, status: 'publish' } })
      assert.equal(made.status, 201, made.text)
      const { text } = await target.send({ path: `/${new URL(made.body.url).pathname}` })
      const from = text.slice(text.indexOf('<div class="prose"'))
      return from.slice(0, from.search(/<dl class="facts">|<\/article>/))
    }),
  )
}

export const attacks: readonly Attack[] = [
  {
    title: 'an address of script that is stored under another name is no address on pages',
    play: async (target) => {
      for (const prose of await proses(target, `<h1>Programme</h1>${spellings.join('\n')}`)) {
        assert.match(prose, /<h2>Programme/)
        for (const [tag, , value = ''] of prose.matchAll(/\s(href|src|poster)="([^"]*)"/g)) {
          const address = decodeHTMLAttribute(value)
          const isOfWeb =
            URL.canParse(address, target.origin) && /^https?:/.test(new URL(address, target.origin).protocol)
          assert.ok(isOfWeb, tag)
        }
      }
    },
  },
  {
    title: 'pages have browsers fetch nothing from elsewhere, however it is spelled',
    play: async (target) => {
      const pictures = elsewhere.map((src) => `<img src="${src}"><video src="${src}" poster="${src}"></video>`)
      for (const prose of await proses(target, pictures.join(''))) {
        for (const [tag, , value = ''] of prose.matchAll(/\s(src|poster)="([^"]*)"/g)) {
          assert.equal(new URL(decodeHTMLAttribute(value), target.origin).origin, target.origin, tag)
        }
      }
    },
  },
]
