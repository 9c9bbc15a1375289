import {
  mayCreate,
  mayEditOthers,
  mayManageUsers,
  mayReadAudit,
  mayReadSettings,
  maySubscribe,
  mayUpload,
} from '../../access/auth/policy.ts'
import { catalogueOf, otherTextLanguages, TEXT_LANGUAGE_CODES } from '../../base/languages/language.ts'
import { type Html, html, insertNonBreakingSpaces, raw } from '../../base/text/html.ts'
import { pathOf } from '../../publish/pages/page.addresses.ts'
import { actorOf, type DeskCall, type DeskPage, linkTo, type OwnCall, type Section, sayIn } from './desk.call.ts'
import { csrfField } from './fields.ts'
import { resultName } from './result.address.ts'
import { shortcutsHelp, usedBy } from './shortcuts.ts'
import { toldPart } from './told.ts'

/** Returns the whole document of a page of the desk. */
export function presentDeskPage(call: DeskCall, page: DeskPage): string {
  const { say, textLanguage, config, files } = call
  const file = (path: string) => pathOf(call, path)
  const document = html`<!doctype html>
<html lang="${TEXT_LANGUAGE_CODES[textLanguage]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
${page.refresh !== undefined && html`<meta http-equiv="refresh" content="0; url=${page.refresh}">`}
<title>${say('page-title', { title: page.title, site: config.siteName })}</title>
<link rel="stylesheet" href="${file(files.style)}">
${files.theme && html`<link rel="stylesheet" href="${file(files.theme)}">`}
<link rel="stylesheet" href="${file(files.desk)}">
${[...(isOwn(call) ? (['shortcuts', 'find'] as const) : []), ...(page.scripts ?? []), 'arrival' as const].map((script) => html`<script type="module" src="${file(files.scripts[script])}"></script>`)}
<link rel="icon" href="${files.logo ? file(files.logo) : 'data:,'}">
</head>
<body class="desk">
<a class="skip" href="#content">${say('skip-to-content')}</a>
${header(call, page)}
<main id="content" tabindex="-1">
${isOwn(call) && toldPart(call, page)}
${page.main}
</main>
${isOwn(call) && shortcutsHelp(call)}
</body>
</html>
`
  return insertNonBreakingSpaces(document.html)
}

function isOwn(call: DeskCall): call is OwnCall {
  return call.me !== undefined
}

function header(call: DeskCall, page: DeskPage): Html {
  const { say, config, files } = call
  return html`<header class="bar">
<a class="brand" href="${linkTo(call, '/admin/')}">${files.logo && html`<img src="${pathOf(call, files.logo)}" alt="" height="32">`}<span>${config.siteName}</span> <span class="of-desk">${say('desk')}</span></a>
${isOwn(call) && sections(call, page.section)}
<div class="bar-end">
${isOwn(call) ? html`${newMenu(call)}${userMenu(call, page)}` : languageLinks(call, page)}
</div>
</header>`
}

/** Returns the links to the same page in the other languages. */
function languageLinks(call: DeskCall, page: DeskPage): Html {
  const { path } = call
  const query = new URLSearchParams(call.query)
  // The message is in the language in which something was done.
  query.delete(resultName)
  const search = query.size === 0 ? '' : `?${query}`
  const address = page.address ?? `${path}${search}`
  return html`${otherTextLanguages(call.textLanguage).map((other) => {
    const { tag, name } = catalogueOf(other)
    return html`<a class="language" href="${linkTo(call, address, other)}" lang="${tag}" hreflang="${tag}" title="${sayIn(other)('other-language')}">${name}</a>`
  })}`
}

/** A link of the head of the page: its section, and its address. */
type SectionLink = readonly [Section, string]

function links(call: OwnCall, all: readonly SectionLink[], current?: Section): readonly Html[] {
  return all.map(
    ([name, path]) =>
      html`<li><a href="${linkTo(call, path)}"${current === name && raw(' aria-current="page"')}${keyOf[name] && usedBy(keyOf[name])}>${call.say(`${name}.title`)}</a></li>`,
  )
}

/** Only one menu of the head is open at a time. */
const menu = raw('<details class="menu" name="menu" data-menu>')

/** Returns the links to sections, and the search. On a narrow screen, a button opens them. On others, they are always shown. */
function sections(call: OwnCall, current: Section | undefined): Html {
  const { say } = call
  const actor = actorOf(call.me)
  const isAuthor = mayCreate(actor)
  const ofAuthors: readonly SectionLink[] = [
    ['events', '/admin/events/'],
    ['month', '/admin/calendar/'],
    ['records', '/admin/venues/'],
  ]
  return html`<button type="button" class="quiet open-sections" popovertarget="sections"><span>${say('nav.menu')}</span></button>
<div class="sections" id="sections" popover>
<nav aria-label="${say('nav.main')}"><ul>
${links(call, [['today', '/admin/'], ...(isAuthor ? ofAuthors : [])], current)}
${mayUpload(actor) && links(call, [['pictures', '/admin/pictures/']], current)}
</ul></nav>
${isAuthor && searchForm(call)}
</div>`
}

function searchForm(call: OwnCall): Html {
  const { say } = call
  return html`<form class="find" role="search" action="${linkTo(call, '/admin/search/')}">
<label class="unseen" for="find">${say('search.label')}</label>
<input type="search" id="find" name="q" maxlength="100" autocomplete="off" placeholder="${say('search.submit')}"${usedBy('/')}>
<p class="unseen" role="status"></p>
</form>`
}

function newMenu(call: OwnCall): Html | false {
  const { say } = call
  const actor = actorOf(call.me)
  if (!mayCreate(actor)) return false
  return html`<a class="button new" href="${linkTo(call, '/admin/events/new/')}"${usedBy('n')}><span>${say('new-event')}</span></a>
${menu}<summary aria-label="${say('nav.new')}"></summary><ul class="menu-body">
<li><a href="${linkTo(call, '/admin/events/rows/')}">${say('rows.title')}</a></li>
${mayEditOthers(actor) && links(call, [['import', '/admin/import/']])}
</ul></details>`
}

function userMenu(call: OwnCall, page: DeskPage): Html {
  const { say, me } = call
  const actor = actorOf(me)
  const { name } = me.user
  const rare: readonly SectionLink[] = [
    ['account', '/admin/account/'],
    ...(mayCreate(actor) ? [['trash', '/admin/trash/'] as const] : []),
    ...(mayReadAudit(actor) ? [['activity', '/admin/activity/'] as const] : []),
    ...(maySubscribe(actor) ? [['subscriptions', '/admin/subscriptions/'] as const] : []),
    ...(mayManageUsers(actor) ? [['users', '/admin/users/'] as const] : []),
    ...(mayReadSettings(actor) ? [['settings', '/admin/settings/'] as const] : []),
  ]
  return html`<details class="menu of-user" name="menu" data-menu><summary aria-label="${say('user-menu', { name })}"><span>${name}</span></summary>
<ul class="menu-body">
${links(call, rare, page.section)}
<li><a href="${linkTo(call, '/events/')}">${say('nav.calendar')}</a></li>
<li>${languageLinks(call, page)}</li>
<li><form method="post" action="${linkTo(call, '/admin/sign-out/')}">${csrfField(call)}<button class="quiet">${say('sign-out')}</button></form></li>
</ul>
</details>`
}

/** The keys that lead to sections. */
const keyOf: Partial<Record<Section, Parameters<typeof usedBy>[0]>> = {
  today: 'g t',
  events: 'g e',
  month: 'g c',
  records: 'g v',
}
