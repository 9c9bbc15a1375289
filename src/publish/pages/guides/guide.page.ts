import { TEXT_LANGUAGE_CODES, type TextLanguage } from '../../../base/languages/language.ts'
import { escapeHtml } from '../../../base/text/escape.ts'
import { type Html, html, raw } from '../../../base/text/html.ts'
import type { PageAnswer, PageCall } from '../frame/page.ts'
import { inLanguage, pathOf, pathsInOthers } from '../page.addresses.ts'
import { notFoundPage } from '../problem.page.ts'
import { contentsName, findInGuides, type Guide, guideLanguage, loadGuides } from './guides.ts'

const maxFound = 30
const maxWords = 8

/** The guides whose programs ask this service. They name it by an example. */
const asking: ReadonlySet<string> = new Set(['first-request', 'how-to/keep-a-copy', 'client'])

/** Returns the page of a guide, or the contents of all, which are also there in other languages. */
export async function guidePage(call: PageCall, name: string): Promise<PageAnswer> {
  const guides = await loadGuides()
  const guide = guides.get(name)
  const guidesPath = pathOf(call, inLanguage(call, guidePath(contentsName)))
  if (!guide) return notFoundPage(call, call.say('guides.missing'), { url: guidesPath, text: call.say('guides.all') })
  const isContents = name === contentsName
  if (!isContents && call.textLanguage !== guideLanguage) {
    return { kind: 'elsewhere', status: 302, url: pathOf(call, inLanguage(call, guidePath(name), guideLanguage)) }
  }
  const path = (language?: TextLanguage) => inLanguage(call, guidePath(name), language)
  return {
    kind: 'page',
    status: 200,
    title: isContents ? call.say('guides') : guide.title,
    main: isContents ? contents(call, guides) : oneGuide(call, guide, [...guides.values()]),
    // Each service has the same ones.
    meta: { path: path(), isIndexed: false },
    switchTo: isContents ? pathsInOthers(call, path) : undefined,
    freshUntil: Number.POSITIVE_INFINITY,
  }
}

function guidePath(name: string): string {
  return `/docs/${name}/`
}

/** The contents of all guides, or those parts that somebody looks for. */
function contents(call: PageCall, guides: ReadonlyMap<string, Guide>): Html {
  const { say, textLanguage, query } = call
  const search = typeof query.search === 'string' ? query.search.trim() : ''
  return html`<h1>${say('guides')}</h1>
${textLanguage !== guideLanguage && html`<p>${say('guides.english')}</p>`}
${searchForm(call, search)}
${search === '' ? listed() : found(call, guides, search)}`

  function listed(): Html {
    // Links of guides are relative to their own address, which is the same below every language.
    const links = raw(
      (guides.get(contentsName)?.rendered().html ?? '').replaceAll(
        '<a href="../',
        `<a hreflang="${guideLanguage}" href="${escapeHtml(pathOf(call, guidePath('')).slice(0, -1))}`,
      ),
    )
    return html`<p><a href="${pathOf(call, inLanguage(call, '/docs'))}">${say('guides.reference')}</a></p>
<div class="prose guide" lang="${TEXT_LANGUAGE_CODES[guideLanguage]}">${links}</div>`
  }
}

function found(call: PageCall, guides: ReadonlyMap<string, Guide>, search: string): Html {
  const { say } = call
  const parts = findInGuides(guides.values(), search.split(/\s+/).slice(0, maxWords))
  const tag = TEXT_LANGUAGE_CODES[guideLanguage]
  return html`<h2>${say('guides.found', { count: parts.length, search })}</h2>
${
  parts.length === 0
    ? html`<p>${say('guides.none')}</p>`
    : html`<ol class="found">${parts.slice(0, maxFound).map(
        ({
          guide,
          part,
          excerpt,
        }) => html`<li lang="${tag}"><a hreflang="${tag}" href="${pathOf(call, guidePath(guide.name))}${part.level > 1 && `#${part.id}`}">${part.title}</a>
${part.level > 1 && html`<span class="kind">${guide.title}</span>`}<p>${excerpt}</p></li>\n`,
      )}</ol>`
}
<p><a href="${pathOf(call, inLanguage(call, guidePath(contentsName)))}">${say('guides.all')}</a></p>`
}

function searchForm(call: PageCall, search: string): Html {
  const { say } = call
  return html`<form class="guide-search" role="search" action="${pathOf(call, inLanguage(call, guidePath(contentsName)))}">
<label for="search">${say('guides.search')}</label>
<input id="search" type="search" name="search" maxlength="200" value="${search}">
<button>${say('search')}</button>
</form>`
}

function oneGuide(call: PageCall, guide: Guide, guides: readonly Guide[]): Html {
  const { say } = call
  const place = guides.indexOf(guide)
  const { html: text, parts } = guide.rendered()
  const headings = parts.filter(({ level }) => level === 2)
  const step = (rel: 'prev' | 'next', other: Guide | undefined) =>
    other &&
    html`<a rel="${rel}" href="${pathOf(call, guidePath(other.name))}"><span class="kind">${say(rel === 'prev' ? 'previous' : 'next')}</span>${other.name === contentsName ? say('guides.all') : other.title}</a>`
  return html`<nav class="guide-top" aria-label="${say('guides')}"><a href="${pathOf(call, guidePath(contentsName))}">${say('guides.all')}</a>
<a href="${pathOf(call, '/docs')}">${say('guides.reference')}</a></nav>
${searchForm(call, '')}
<article class="prose guide"><h1>${guide.title}</h1>
${
  headings.length > 2 &&
  html`<details class="parts"><summary>${say('guides.parts')}</summary><ul>
${headings.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>\n`)}</ul></details>`
}
${raw(asking.has(guide.name) ? withOwnAddress(call, text) : text)}</article>
<nav class="guide-steps" aria-label="${say('guides.steps')}">${step('prev', guides[place - 1])}
${step('next', guides[place + 1])}</nav>`
}

/** Returns the text of a guide with the address of this service in place of the example. */
function withOwnAddress({ addresses: { site, vendorWord }, deps: { config } }: PageCall, text: string): string {
  const root = escapeHtml(`${site}${config.restPrefix}`)
  const named = vendorWord === 'cal' ? '' : escapeHtml(`, vendorWord: '${vendorWord}'`)
  return text
    .replaceAll('https://calendar.example.org/cal/', () => `${root}/${vendorWord}/`)
    .replaceAll('https://calendar.example.org&#039; })', () => `${root}&#039;${named} })`)
    .replaceAll('https://calendar.example.org', () => root)
}
