import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { htmlToText } from './escape.ts'
import { dataScript, html, insertNonBreakingSpaces, raw } from './html.ts'

test('whatever stands in a text, a template shows it as it is and makes no markup of it', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const { html: made } = html`<p title="${text}">${text}</p>`

      assert.match(made, /^<p title="[^"<>]*">[^<>]*<\/p>$/)
      assert.equal(htmlToText(made), text.replace(/\s+/g, ' ').trim())
    }),
  )
})

test('a template leaves out what is absent, joins lists, and keeps markup', () => {
  const parts = html`${undefined}${false}${null}${['a', html`<b>&amp;</b>`, 1]}${raw('<hr>')}`

  assert.equal(parts.html, 'a<b>&amp;</b>1<hr>')
})

test('data in a script element cannot end it', () => {
  const { html: made } = dataScript('application/ld+json', { name: '</script><!--' })

  assert.equal(made.match(/</g)?.length, 2)
  assert.deepEqual(JSON.parse(made.replace(/^<[^>]*>|<[^>]*>$/g, '')), { name: '</script><!--' })
})

test('texts of a document do not break before their punctuation; attributes, data and code stay as they are', () => {
  const document =
    '<p title="a : b">Quoi ? <b>Non</b> : <CODE>x ? <code>y ; z</code> : 1</CODE> ou !</p><script>"a : b"</script><i>c :</i>'

  assert.equal(
    insertNonBreakingSpaces(document).replaceAll('\u00a0', '~'),
    '<p title="a : b">Quoi~? <b>Non</b>~: <CODE>x ? <code>y ; z</code> : 1</CODE> ou~!</p><script>"a : b"</script><i>c~:</i>',
  )
})
