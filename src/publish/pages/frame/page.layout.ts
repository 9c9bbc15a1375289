import { routeUrl } from '../../../access/http/addresses.ts'
import { capitalised } from '../../../base/languages/dates.js'
import {
  catalogueOf,
  type Language,
  otherTextLanguages,
  TEXT_LANGUAGE_CODES,
} from '../../../base/languages/language.ts'
import { type Html, html, insertNonBreakingSpaces, raw } from '../../../base/text/html.ts'
import { calendarUrl, feedUrl, inLanguage, pathOf, viewPath, withQuery } from '../page.addresses.ts'
import { metaElements } from './meta.ts'
import { type ActiveView, type Page, type PageCall, sayIn } from './page.ts'

const views: readonly ActiveView[] = ['list', 'month', 'map']

/** Returns the whole HTML document of a page. */
export function presentPage(call: PageCall, page: Page): string {
  const { say, textLanguage, deps, files } = call
  const { siteName } = deps.config
  const title = page.title === siteName ? siteName : say('page-title', { title: page.title, site: siteName })
  const file = (path: string) => pathOf(call, path)
  const document = html`<!doctype html>
<html lang="${TEXT_LANGUAGE_CODES[textLanguage]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="${file(files.style)}">
${files.theme && html`<link rel="stylesheet" href="${file(files.theme)}">`}
<link rel="icon" href="${files.logo ? file(files.logo) : 'data:,'}">
<script type="module" src="${file(files.script)}"></script>
${metaElements(call, page)}
<link rel="alternate" type="text/calendar" title="${say('feed', { site: siteName })}" href="${calendarUrl(call, page)}">
<link rel="alternate" type="application/rss+xml" title="${say('feed', { site: siteName })}" href="${feedUrl(call, 'rss', page.feedQuery)}">
<link rel="https://api.w.org/" href="${call.addresses.base}/">
<link rel="alternate" href="${routeUrl(call.addresses, '/')}">
<link rel="https://theeventscalendar.com/" href="${routeUrl(call.addresses, '/')}">
<meta name="tec-api-version" content="v1">
<meta name="tec-api-origin" content="${call.addresses.site}">
<link rel="service-desc" type="application/json" href="${routeUrl(call.addresses, '/doc')}">
</head>
<body>
<a class="skip" href="#content">${say('skip')}</a>
${header(call, page)}
<main id="content" tabindex="-1">
${page.main}
</main>
${footer(call, page)}
<p class="unseen" role="status" data-status></p>
</body>
</html>
`
  return insertNonBreakingSpaces(withoutBlankLines(document))
}

function header(call: PageCall, page: Page): Html {
  const { view, filters = {} } = page
  const { say, deps, files } = call
  return html`<header class="site">
<a class="brand" href="${viewPath(call, 'list')}">${files.logo && html`<img src="${pathOf(call, files.logo)}" alt="" height="32">`}<span>${deps.config.siteName}</span></a>
<nav class="views" aria-label="${say('views')}"><ul>
${views.map(
  (name) =>
    html`<li><a href="${withQuery(viewPath(call, name), filters)}"${view === name && raw(' aria-current="page"')}>${say(name)}</a></li>`,
)}
</ul></nav>
${languageLinks(call, page)}
</header>`
}

/** Returns links to the same page in every other language. */
function languageLinks(call: PageCall, { view, switchTo = {}, alsoIn = [] }: Page): Html {
  const ofTexts = otherTextLanguages(call.textLanguage).map((other) => {
    const { tag, name } = catalogueOf(other)
    const own = switchTo[other]
    const link = own === undefined ? viewPath(call, view ?? 'list', other) : pathOf(call, own)
    // A record in one language has no other version. The link then leads to the list, and its label says so.
    const label = sayIn(other)(own === undefined && view === undefined ? 'language.list' : 'language.page')
    return html`<a class="language" href="${link}" lang="${tag}" hreflang="${tag}" title="${label}">${name}<span class="unseen"> – ${label}</span></a>`
  })
  const ofContent = alsoIn.map(
    ({ language, path }) =>
      html`\n<a class="language" href="${pathOf(call, path)}" lang="${language}" hreflang="${language}">${nameOf(language)}</a>`,
  )
  return html`${ofTexts.map((link, place) => html`${place > 0 && '\n'}${link}`)}${ofContent}`
}

function nameOf(language: Language): string {
  return capitalised(new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language)
}

function footer(call: PageCall, page: Page): Html {
  const { say, deps } = call
  // Subscriptions are for lists. The calendar of a single event is offered beside the event.
  const ical = feedUrl(call, 'ics', page.feedQuery)
  return html`<footer class="site">
<p>${deps.config.siteName}</p>
<nav aria-label="${say('about')}"><ul>
<li><a href="${ical.replace(/^https?:/, 'webcal:')}">${say('subscribe')}</a></li>
<li><a href="${ical}">${say('feed.ical')}</a></li>
<li><a href="${feedUrl(call, 'rss', page.feedQuery)}">${say('feed.rss')}</a></li>
<li><a href="${pathOf(call, inLanguage(call, '/docs'))}">${say('api')}</a></li>
</ul></nav>
</footer>`
}

/** Removes the blank lines that empty parts of templates leave. */
function withoutBlankLines({ html: document }: Html): string {
  return document.replace(/\n\s*\n+/g, '\n')
}
