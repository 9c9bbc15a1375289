import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { renderArticle } from '../../src/base/text/render.ts'
import { sanitizeArticle } from '../../src/base/text/sanitize.ts'
import { article } from '../../src/publish/pages/frame/article.ts'
import type { PageCall } from '../../src/publish/pages/frame/page.ts'
import { formattedMarkup, hostileMarkup } from '../support/hostile.markup.ts'
import { runs } from '../support/long.ts'
import { startChromium } from './chromium.ts'

const call = { addresses: { site: 'https://calendar.test' }, say: (name: string) => name } as unknown as PageCall

/** An element as a browser reads it. */
interface ReadElement {
  readonly name: string
  readonly attributes: readonly string[]
}

test('a browser finds on pages no element and no attribute that is not in what was stored', async (t) => {
  const browser = await startChromium(t)
  const page = await browser.newPage()
  const stored = fc.sample(hostileMarkup, runs(700, 2000)).map((written) => renderArticle(sanitizeArticle(written)))
  const pairs = stored.map((html) => [html, article(call, html).html] as const)

  const read = await page.evaluate<readonly (readonly [ReadElement[], ReadElement[]])[]>(
    `(${JSON.stringify(pairs)}).map((pair) => pair.map((html) =>
      [...new DOMParser().parseFromString(html, 'text/html').body.querySelectorAll('*')].map((element) => ({
        name: element.localName,
        attributes: [...element.attributes].map(({ name, value }) => name + '=' + value),
      }))))`,
  )
  const found = pairs.filter((_, index) => {
    const [known, shown] = read[index] ?? assert.fail()
    return shown.some(({ name, attributes }) => {
      if (attributes.includes('class=outside')) return false
      const alike = known.filter((other) => other.name === name || (other.name === 'h1' && name === 'h2'))
      return !alike.some((other) => attributes.every((pair) => other.attributes.includes(pair)))
    })
  })

  assert.deepEqual(found, [])
})

/** Every visible character of the text with its formatting, as a browser reads it. */
const signsOf = `(html) => {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  const signs = []
  while (texts.nextNode()) {
    const within = new Set()
    for (let up = texts.currentNode.parentElement; up !== body; up = up.parentElement) {
      if (up.matches('a, b, big, code, em, font, i, s, small, strike, strong, tt, u')) within.add(up.localName + (up.href ?? ''))
    }
    for (const sign of texts.currentNode.data.replace(/[\\t\\n\\f\\r ]+/g, '')) signs.push([sign, ...[...within].sort()].join(' '))
  }
  return signs
}`

test('a browser shows on pages the text that was stored, each sign of it in the same formatting', async (t) => {
  const browser = await startChromium(t)
  const page = await browser.newPage()
  const written = [
    'Doors at <strong>7 pm\n\nbring cash</strong>. <a href="https://tickets.example/">Tickets\n\nhere</a>.',
    '<em>One <strong>two\n\n<ul><li>three</li></ul>four</strong> five</em> six',
    ...fc.sample(fc.oneof(formattedMarkup, hostileMarkup), { numRuns: runs(2000, 6000), seed: 1 }),
  ]
  const pairs = written
    .map((text) => renderArticle(sanitizeArticle(text)))
    // Pictures of other sites become links, and browsers move misplaced content of a table out of it.
    .filter((html) => !/<(?:img|table)/.test(html))
    .map((html) => [html, article(call, html).html] as const)

  const read = await page.evaluate<readonly (readonly [string[], string[]])[]>(
    `(${JSON.stringify(pairs)}).map((pair) => pair.map(${signsOf}))`,
  )

  const found = pairs.filter((_, index) => `${read[index]?.[0]}` !== `${read[index]?.[1]}`)
  assert.deepEqual(found, [])
})
