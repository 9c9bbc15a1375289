import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { article } from '../../src/pages/article.ts'
import type { PageCall } from '../../src/pages/page.ts'
import { renderArticle } from '../../src/text/render.ts'
import { sanitizeArticle } from '../../src/text/sanitize.ts'
import { hostileMarkup } from '../support/hostile.markup.ts'
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
  const stored = fc.sample(hostileMarkup, 2000).map((written) => renderArticle(sanitizeArticle(written)))
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
