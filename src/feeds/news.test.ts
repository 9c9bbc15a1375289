import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { decodeEntities, textOf } from '../text/escape.ts'
import { events, eventWith, feedOf, titles } from './feed.arbitrary.ts'
import { writeAtom, writeRss } from './news.ts'
import { writeTable } from './table.ts'

/** The texts of the elements that stand at `path`, read by a parser that refuses what is no XML. */
function textsAt(xml: string, path: string): readonly string[] {
  const open: string[] = []
  const found: string[] = []
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name }) => {
    open.push(name)
    if (open.join('/') === path) found.push('')
  })
  parser.on('text', (text) => {
    if (open.join('/') === path) found[found.length - 1] += text
  })
  parser.on('closetag', () => void open.pop())
  parser.write(xml).close()
  return found
}

for (const [name, write, path] of [
  ['RSS', writeRss, 'rss/channel/item/title'],
  ['Atom', writeAtom, 'feed/entry/title'],
] as const) {
  test(`whatever events are called, ${name} is well-formed and says so`, () => {
    fc.assert(
      fc.property(fc.array(events, { maxLength: 3 }), (drawn) => {
        const { text } = write(feedOf(drawn))

        assert.deepEqual(
          textsAt(text, path),
          drawn.map(({ titleHtml }) => textOf(titleHtml)),
        )
      }),
    )
  })
}

test('what XML cannot hold is left out of it', () => {
  const event = eventWith({ titleHtml: 'a\u0000b\u000bc\ud800d\ufffee' })

  assert.deepEqual(textsAt(writeAtom(feedOf([event])).text, 'feed/entry/title'), ['ab c\ufffdde'])
})

test('a table is read back as it was written, but for formulas, which are texts', () => {
  const dangerous = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/
  const shown = (text: string) => (dangerous.test(text) ? `'${text}` : text)
  fc.assert(
    fc.property(fc.array(events, { minLength: 1, maxLength: 3 }), (drawn) => {
      const { text } = writeTable(feedOf(drawn))

      const rows = parse(text, { bom: true, columns: true, record_delimiter: '\r\n' }) as Record<string, string>[]
      assert.deepEqual(
        rows.map(({ id, title, start_date, categories }) => ({ id, title, start_date, categories })),
        drawn.map((event) => ({
          id: String(event.id),
          title: shown(textOf(event.titleHtml)),
          start_date: event.start,
          categories: shown(event.categories.map(({ name }) => decodeEntities(name)).join('; ')),
        })),
      )
    }),
  )
})

test('no cell of a table is taken for a formula, and numbers stay numbers', () => {
  fc.assert(
    fc.property(titles, fc.constantFrom(...'=+-@'), (title, sign) => {
      const { text } = writeTable(feedOf([eventWith({ titleHtml: `${sign}${title.replaceAll('<', '')}` })]))
      const rows: readonly (readonly string[])[] = parse(text, { bom: true })
      const row = rows[1] ?? []

      assert.equal(row[1]?.slice(0, 2), `'${sign}`)
    }),
  )
})
