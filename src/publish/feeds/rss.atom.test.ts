import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { events, eventWith, feedOf, textWriter } from '../../../test/support/arbitraries/feed.arbitrary.ts'
import { escapeHtml, htmlToText } from '../../base/text/escape.ts'
import { atom, rss } from './rss.atom.ts'

const writeRss = textWriter(rss)
const writeAtom = textWriter(atom)

/** Returns the texts of the elements at `path`, with a parser that rejects invalid XML. */
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
          drawn.map(({ titleHtml }) => htmlToText(titleHtml)),
        )
      }),
    )
  })
}

test('what XML cannot hold is left out of it', () => {
  const event = eventWith({ titleHtml: 'a\u0000b\u000bc\ud800d\ufffee' })

  assert.deepEqual(textsAt(writeAtom(feedOf([event])).text, 'feed/entry/title'), ['ab c\ufffdde'])
})

test('news tell the status and the reason in the text of an entry, whatever the reason is', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'<>&;"é😀 aN') }), (reason) => {
      const event = eventWith({ eventStatus: 'canceled', statusReason: reason, language: 'fr-CA', contentHtml: 'A' })
      const lines = ['Cet événement est annulé.', ...(reason.trim() === '' ? [] : [escapeHtml(reason)])]
      for (const [write, path] of [
        [writeRss, 'rss/channel/item/description'],
        [writeAtom, 'feed/entry/content'],
      ] as const) {
        const { text } = write(feedOf([event]))

        assert.ok(textsAt(text, path)[0]?.startsWith(`<p>${lines.join('<br>')}</p><p>`), text)
        assert.deepEqual(textsAt(text, path.replace(/[^/]*$/, 'title')), ['Annulé : Concert'])
      }
    }),
  )
})
