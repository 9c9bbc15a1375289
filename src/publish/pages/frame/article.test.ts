import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { site, startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { assertHarmless, type ReadTag, tagsIn } from '../../../../test/support/attacks.ts'
import { givenEvent, givenOrganizer, givenVenue } from '../../../../test/support/given.ts'
import { hostileMarkup } from '../../../../test/support/hostile.markup.ts'
import { assertLinear } from '../../../../test/support/linear.ts'
import { runs } from '../../../../test/support/long.ts'
import { page } from '../../../../test/support/pages.ts'
import { renderArticle } from '../../../base/text/render.ts'
import { sanitizeArticle } from '../../../base/text/sanitize.ts'
import { article } from './article.ts'
import type { PageCall } from './page.ts'

const call = { addresses: { site }, say: (name: string) => name } as unknown as PageCall
const shown = (html: string) => article(call, html).html
const pairs = (html: string, isMade: (name: string, value: string) => boolean = () => false) =>
  tagsIn(html).flatMap(({ name, attributes }) =>
    attributes.filter(([attribute, value]) => !isMade(attribute, value)).map((pair) => [name, ...pair].join(' ')),
  )
const names = (html: string) => tagsIn(html).map(({ name }) => name)

/** Pages change stored elements: links replace pictures, and a smaller heading replaces `h1`. */
const renamed = (tag: ReadTag): readonly string[] => (tag.name === 'h1' ? ['h1', 'h2'] : [tag.name])
function assertOnlyStored(storedHtml: string, shownHtml: string): void {
  const stored = tagsIn(storedHtml)
  const pictures = stored.filter(({ name }) => name === 'img').flatMap(({ attributes }) => attributes)
  const isOfPicture = (value: string) => pictures.some(([name, source]) => name === 'src' && source === value)
  for (const { name, attributes } of tagsIn(shownHtml)) {
    const isOutside = attributes.some(([attribute, value]) => attribute === 'class' && value === 'outside')
    if (isOutside) {
      assert.deepEqual([name, attributes.map(([attribute]) => attribute)], ['a', ['class', 'rel', 'href']])
      assert.ok(isOfPicture(attributes[2]?.[1] ?? ''), shownHtml)
      continue
    }
    const isStored = stored.some(
      (tag) =>
        (renamed(tag).includes(name) || (name === 'a' && tag.name === 'img')) &&
        attributes.every(([attribute, value]) => tag.attributes.some((pair) => `${pair}` === `${[attribute, value]}`)),
    )
    assert.ok(isStored, `<${name}> with ${JSON.stringify(attributes)} of ${storedHtml}`)
  }
}

/** Returns the description on the page of a record. */
async function proseOf(app: TestApp, url: string): Promise<string> {
  const { text } = await page(app, url.slice(site.length))
  const end = /<\/div>\n(?:<dl class="facts">|(?:<\/div>\n)?<p class="on-paper">)/
  return text.split('<div class="prose">')[1]?.split(end)[0] ?? assert.fail(text)
}

const hidden = [
  '<p>One</p><a href=" color=" title="javascript:alert(1)">x</a>',
  '<h1>One</h1><a href=" size=" class="javascript:alert(1)" title="x">x</a>',
  '<a title=" style=" href="https://x.example/" name="x">x</a><hr>',
  '<img alt=" src=" title="x" src="https://x.example/a.png">',
  '<video title=" src=" src="https://x.example/a.mp4" controls></video>',
  '<a HREF=" COLOR=" TITLE="javascript:alert(1)">x</a><hr>',
  "<a href=' face=' title='javascript:alert(1)'>x</a><hr>",
  '<a href="\ncolor=" title="javascript:alert(1)">x</a><hr>',
]

for (const description of hidden) {
  test(`a page shows every attribute under its own name: ${JSON.stringify(description)}`, async (t) => {
    const app = await startTestApp(t)
    const event = await givenEvent(app, { description })
    const venue = await givenVenue(app, { description })
    const organizer = await givenOrganizer(app, { description })

    for (const record of [event, venue, organizer]) {
      const prose = await proseOf(app, record.url)

      assertHarmless(prose)
      assertOnlyStored(record.description, prose)
    }
  })
}

test('nothing that is written turns into another attribute or element on its way to a page', () => {
  fc.assert(
    fc.property(hostileMarkup, (written) => {
      const stored = sanitizeArticle(written)
      const rendered = renderArticle(stored)
      const isMade = (name: string, value: string) =>
        (name === 'decoding' && value === 'async') || (name === 'loading' && value === 'lazy')

      assertHarmless(rendered)
      const made = new Set(['p', 'br'])
      for (const pair of pairs(rendered, isMade)) {
        assert.ok(pairs(stored.replaceAll(/\r\n?/g, '\n')).includes(pair), `${pair} of ${stored}`)
      }
      for (const name of names(rendered)) assert.ok(made.has(name) || names(stored).includes(name), name)
      const onPage = shown(rendered)
      assertHarmless(onPage)
      assertOnlyStored(rendered, onPage)
    }),
    { numRuns: runs(300, 3_000) },
  )
})

test('what is shown is well formed, whatever was left open', () => {
  fc.assert(
    fc.property(hostileMarkup, (written) => {
      const open: string[] = []
      const empty = new Set(['img', 'br', 'hr', 'source', 'track'])
      for (const { name, isEnd } of tagsIn(shown(`<hr>${renderArticle(sanitizeArticle(written))}`))) {
        if (isEnd) assert.equal(open.pop(), name)
        else if (!empty.has(name)) open.push(name)
      }
      assert.deepEqual(open, [])
    }),
    { numRuns: runs(100, 1_000) },
  )
})

test('a picture is shown only where a browser asks this site for it', () => {
  const kept = ['/uploads/a.png', `${site}/uploads/a.png`]
  const elsewhere = ['//x.example/a.png', '/\\x.example/a.png', '/\t/x.example/a.png', 'https://x.example/a.png']
  for (const src of kept) assert.equal(shown(`<img src="${src}" alt="A">`), `<img src="${src}" alt="A">`)
  for (const src of elsewhere) {
    const link = `<a class="outside" rel="nofollow noopener" href="${src}">A &amp; B</a>`
    assert.equal(shown(`<img src="${src}" alt="A &amp; B">`), link)
    assert.equal(shown(`<a href="/x"><img src="${src}" alt=""></a>`), '<a href="/x">picture</a>')
    assert.equal(shown(`<video src="${src}" poster="${src}" controls></video>`), '<video controls=""></video>')
  }
})

test('formatting goes on behind a blank line, up to its own end', () => {
  const written =
    'Doors at <strong>7 pm\n\nbring cash</strong>. <a href="https://tickets.example/">Tickets\n\n<ul><li>here</li></ul></a>.'

  assert.equal(
    shown(renderArticle(sanitizeArticle(written))),
    '<p>Doors at <strong>7 pm</strong></p>\n' +
      '<p><strong>bring cash</strong>. <a href="https://tickets.example/">Tickets</a></p>\n' +
      '<ul>\n<li><a href="https://tickets.example/">here</a></li>\n</ul>\n<p>.</p>',
  )
})

test('formatting that goes on makes no long text of a short one', () => {
  const title = 'x'.repeat(2000)
  const written = `<p><i title="${title}">x</p>${'<p>x</p>'.repeat(5000)}`

  assert.ok(shown(written).length < written.length + 100_000)
})

test('texts are shown as they were stored, entities and all', () => {
  const text = 'A&nbsp;B &#8217; &amp; &lt;b&gt; &quot; &amp;amp; é'

  assert.equal(shown(`<hr>${text}`), `<hr>${text}`)
})

for (const scrap of ['<b>', '<p>', '</p>', '<img src="//x">', ' color="', '<a title="', '&', '<', '<ul><li>']) {
  test(`showing a long run of ${scrap} takes time in proportion`, () => {
    assertLinear(scrap, (text) => shown(sanitizeArticle(text)))
  })
}

test('what is told to scripts is never on a page, however it is written; language, direction and titles are', () => {
  const written = '<p data-live data-swap="1" DATA-TODAY lang="en" dir="rtl" title="t" hidden>x</p>'

  assert.equal(shown(renderArticle(sanitizeArticle(written))), '<p lang="en" dir="rtl" title="t" hidden="">x</p>')
})

test('no markup brings a page an attribute for scripts', () => {
  fc.assert(
    fc.property(hostileMarkup, (html) => {
      const attributes = tagsIn(shown(renderArticle(sanitizeArticle(html)))).flatMap((tag) => tag.attributes)

      assert.deepEqual(
        attributes.filter(([name]) => name.startsWith('data-')),
        [],
      )
    }),
    { numRuns: runs(100, 1_000) },
  )
})

test('a page of an event shows the language of a text, and nothing that its scripts react to', async (t) => {
  const app = await startTestApp(t)
  const { url } = await givenEvent(app, {
    description: '<p lang="fr" data-swap>Bonjour</p><form data-live></form><a href="/events/" data-swap>x</a>',
  })

  const prose = await proseOf(app, url)

  assert.match(prose, /<p lang="fr">Bonjour<\/p>/)
  assert.doesNotMatch(prose, /data-/)
})
