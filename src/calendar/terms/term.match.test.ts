import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { slugFrom } from '../../base/text/slug.ts'
import { termReferenceFrom, termReferenceFromText } from './term.match.ts'

test('every slug is read as that slug, in any letter case', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const slug = slugFrom(text)
      fc.pre(slug !== '')

      assert.equal(termReferenceFromText(slug)?.slug, slug)
      assert.equal(termReferenceFromText(slug.toUpperCase())?.slug, slug)
    }),
  )
})

test('whatever is sent is read or refused, and never throws', () => {
  fc.assert(
    fc.property(fc.anything(), (item) => {
      const wanted = termReferenceFrom(item)

      assert.ok(wanted === undefined || Object.values(wanted).some((part) => part !== undefined))
    }),
  )
})

test('numbers and digits are ids, and may be slugs', () => {
  assert.deepEqual(termReferenceFromText(7), { id: 7, slug: '7', name: '7' })
  assert.deepEqual(termReferenceFromText('7'), { id: 7, slug: '7', name: '7' })
  assert.equal(termReferenceFromText(-7)?.id, undefined)
})
