import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'

/** Asks as a browser does. */
const asked = (app: TestApp, path: string) => app.send({ path: `/${path}`, headers: { accept: 'text/html' } })
const linksOf = (text: string) => [...text.matchAll(/<a [^>]*?href="([^"]+)"/g)].map(([, href = '']) => href)
const textOf = (markup: string) => markup.replace(/<[^>]*>/g, '')

/** Returns the pages of all guides that are found from their contents, by path. */
async function guidesOf(app: TestApp): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>()
  const open = ['/docs/guides/']
  for (const path of open) {
    if (pages.has(path)) continue
    const { status, text } = await asked(app, path)
    assert.equal(status, 200, path)
    pages.set(path, text)
    const next = linksOf(text).map((href) => new URL(href, `http://host${path}`))
    open.push(
      ...next.filter((url) => url.host === 'host' && /^\/docs\/./.test(url.pathname)).map((url) => url.pathname),
    )
  }
  return pages
}

test('every guide is a page with one heading, and its links lead to guides and to headings that are there', async (t) => {
  const app = await startTestApp(t)

  const pages = await guidesOf(app)

  for (const name of [
    'tutorial',
    'how-to/keep-a-copy',
    'reference/errors',
    'explanation/languages',
    'contract/events',
  ]) {
    assert.ok(pages.has(`/docs/${name}/`), name)
  }
  const idsOf = (text: string) => new Set([...text.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id))
  const ids = new Map([...pages].map(([path, text]) => [path, idsOf(text)]))
  for (const [path, text] of pages) {
    assert.equal(text.match(/<h1/g)?.length, 1, path)
    const urls = linksOf(text).map((href) => new URL(href, `http://host${path}`))
    const lost = urls
      .filter(({ host, pathname, hash }) => host === 'host' && hash !== '' && pages.has(pathname))
      .filter(({ pathname, hash }) => !ids.get(pathname)?.has(decodeURIComponent(hash.slice(1))))
    assert.deepEqual(lost.map(String), [], path)
    assert.ok(!linksOf(text).some((href) => /\.md\b|127\.0\.0\.1/.test(href)), path)
  }
})

test('no guide needs what the policy of pages forbids, and comments and markup of the files are not in it', async (t) => {
  const app = await startTestApp(t)

  const { headers } = await asked(app, '/docs/tutorial/')
  const pages = await guidesOf(app)

  assert.match(headers['content-security-policy'] ?? '', /default-src 'none'/)
  for (const [path, text] of pages) {
    assert.doesNotMatch(text, /<!--|<[^>]* (?:style|on\w+)=|<script(?![^>]*\bsrc=)/, path)
    assert.doesNotMatch(text, /<(?:img|iframe|svg)\b/, path)
  }
  const embed = pages.get('/docs/embed/') ?? ''
  assert.match(embed, /&lt;cal-events view=/)
})

test('blocks of code keep their lines and can be copied; output has no such button', async (t) => {
  const app = await startTestApp(t)

  const { text } = await asked(app, '/docs/how-to/keep-a-copy/')

  const blocks = [
    ...text.matchAll(/<div class="code">(<button .*?<\/button>)?<pre data-language="(\w+)"><code>(.*?)<\/code>/gs),
  ]
  const [, button, , code] = blocks.find(([, , language]) => language === 'sh') ?? []
  assert.match(button ?? '', /type="button".* hidden>Copy</)
  assert.match(code ?? '', /^export API=.*&#10;export CHANGES=/)
  assert.ok(blocks.some(([, , language]) => language === 'text'))
  assert.ok(blocks.every(([, copy, language]) => (copy === undefined) === (language === 'text')))
})

test('a search finds parts of guides with all words, those with them in their title first', async (t) => {
  const app = await startTestApp(t)

  const { text } = await asked(app, '/docs/guides/?search=idempotency+KEYS')
  const none = await asked(app, '/docs/guides/?search=%3Cb%3Exyzzy')

  const [first = ''] = text.match(/<ol class="found">.*?<\/li>/s) ?? []
  assert.match(textOf(first), /^\s*Repeat a write safely/)
  assert.doesNotMatch(textOf(text), /^Copy /m)
  assert.match(first, /href="\/docs\/[\w/-]+\/(?:#[\w-]+)?"/)
  assert.match(text, /<input [^>]*name="search"[^>]*value="idempotency KEYS"/)
  assert.match(none.text, /Nothing found for “&lt;b&gt;xyzzy”/)
})

test('guides follow each other in the order of the contents', async (t) => {
  const app = await startTestApp(t)
  const seen: string[] = []

  for (let path: string | undefined = '/docs/guides/'; path && seen.length < 200; ) {
    const { text } = await asked(app, path)
    const next: RegExpExecArray | null = /<a rel="next" href="([^"]+)"/.exec(text)
    path = path === '/docs/guides/' ? '/docs/first-request/' : next?.[1]
    if (path) seen.push(path)
  }

  const all = [...(await guidesOf(app)).keys()]
  assert.equal(new Set(seen).size, seen.length)
  assert.deepEqual(seen.toSorted(), all.filter((path) => path !== '/docs/guides/').toSorted())
})

test('an unknown guide has a page that leads to all of them; a path without its slash leads to the one with it', async (t) => {
  const app = await startTestApp(t)

  const unknown = await asked(app, '/docs/how-to/nothing/')
  const short = await asked(app, '/docs/how-to/batch')

  assert.equal(unknown.status, 404)
  assert.match(unknown.text, /This guide does not exist.*<a href="\/docs\/guides\/">All guides</s)
  assert.deepEqual([short.status, short.headers.location], [301, '/docs/how-to/batch/'])
})

test('in French, the contents say that guides are in English, and each leads there', async (t) => {
  const app = await startTestApp(t)

  const french = await asked(app, '/fr/docs/guides/')
  const reference = await asked(app, '/fr/docs')
  const guide = await asked(app, '/fr/docs/tutorial/')

  assert.match(french.text, /<html lang="fr-CA">.*<p>Les guides n’existent qu’en anglais\./s)
  assert.match(french.text, /<div class="prose guide" lang="en(-CA)?">.*<a hreflang="en" href="\/docs\/tutorial\/">/s)
  assert.match(reference.text, /<a href="docs\/guides\/" hreflang="en">Guides \(anglais\)</)
  assert.deepEqual([guide.status, guide.headers.location], [302, '/docs/tutorial/'])
})

test('programs that ask a service name this one', async (t) => {
  const app = await startTestApp(t, {
    PUBLIC_URL: 'https://events.example.net/town',
    ...{ REST_PREFIX: '/wp-json', VENDOR_WORD: 'other' },
  })

  const { text } = await asked(app, '/docs/client/')

  assert.match(
    text,
    /baseUrl: &#039;https:\/\/events\.example\.net\/town\/wp-json&#039;, vendorWord: &#039;other&#039; }\)/,
  )
  assert.doesNotMatch(text, /calendar\.example\.org/)
  assert.match(text, /<a href="\/town\/docs\/guides\/">/)
})

test('a service without pages has no guides, and its reference does not lead to them', async (t) => {
  const app = await startTestApp(t, { PAGES: 'false' })

  const guides = await asked(app, '/docs/guides/')
  const reference = await asked(app, '/docs')

  assert.equal(guides.status, 404)
  assert.doesNotMatch(reference.text, /guides/)
})
