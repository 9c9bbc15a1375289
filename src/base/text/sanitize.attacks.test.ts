import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertHarmless, attacks } from '../../../test/support/attacks.ts'
import { sanitizeArticle, sanitizeTermDescription, sanitizeTermName, sanitizeTitle } from './sanitize.ts'

for (const attack of attacks) {
  test(`nothing that runs is left of ${JSON.stringify(attack.slice(0, 100))}`, () => {
    for (const sanitize of [sanitizeArticle, sanitizeTitle, sanitizeTermDescription, sanitizeTermName]) {
      for (const around of [
        attack,
        `<p>${attack}</p>`,
        `<b title="${attack}">`,
        `<a href='${attack}'>`,
        `x ${attack} y`,
      ]) {
        assertHarmless(sanitize(around))
      }
    }
  })
}

test('the reader that these tests rely on refuses what is not harmless', () => {
  for (const html of ['<script>', '<p onclick="x">', '<a href="javascript:x">', '<a href=x>', '<p', 'a > b', '<P>']) {
    assert.throws(() => assertHarmless(html), assert.AssertionError, html)
  }
})
