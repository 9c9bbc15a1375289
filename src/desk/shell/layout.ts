import {
  mayCreate,
  mayEditOthers,
  mayManage,
  mayManageUsers,
  mayReadAudit,
  mayReadSettings,
  mayUpload,
} from '../../access/auth/policy.ts'
import { catalogueOf, otherTextLanguages, TEXT_LANGUAGE_CODES } from '../../base/languages/language.ts'
import { type Html, html, insertNonBreakingSpaces, raw } from '../../publish/pages/html.ts'
import { pathOf } from '../../publish/pages/page.addresses.ts'
import { actorOf, type DeskCall, type DeskPage, linkTo, type OwnCall, type Section, sayIn } from './desk.call.ts'
import { csrfField } from './fields.ts'
import { shortcutsHelp, usedBy } from './shortcuts.ts'

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
${[...(isOwn(call) ? (['shortcuts'] as const) : []), ...(page.scripts ?? []), 'arrival' as const].map((script) => html`<script type="module" src="${file(files.scripts[script])}"></script>`)}
<link rel="icon" href="${files.logo ? file(files.logo) : 'data:,'}">
</head>
<body class="desk">
<a class="skip" href="#content">${say('skip-to-content')}</a>
${header(call, page)}
${isOwn(call) && navigation(call, page.section)}
<main id="content" tabindex="-1">
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
  const { say, config, files, query, path } = call
  const search = query.size === 0 ? '' : `?${query}`
  const address = page.address ?? `${path}${search}`
  const languages = otherTextLanguages(call.textLanguage).map((other) => {
    const { tag, name } = catalogueOf(other)
    return html`<a class="language" href="${linkTo(call, address, other)}" lang="${tag}" hreflang="${tag}" title="${sayIn(other)('other-language')}">${name}</a>`
  })
  return html`<header class="bar">
<a class="brand" href="${linkTo(call, '/admin/')}">${files.logo && html`<img src="${pathOf(call, files.logo)}" alt="" height="32">`}<span>${config.siteName}</span> <span class="of-desk">${say('desk')}</span></a>
${isOwn(call) && mayCreate(actorOf(call.me)) && tools(call)}
<div class="bar-end">
${languages}
${isOwn(call) && userMenu(call)}
</div>
</header>`
}

function tools(call: OwnCall): Html {
  const { say } = call
  return html`<form class="find" role="search" action="${linkTo(call, '/admin/search/')}">
<label class="unseen" for="find">${say('search.label')}</label>
<input type="search" id="find" name="q" maxlength="100" placeholder="${say('search.label')}"${usedBy('/')}>
<button class="quiet">${say('search.submit')}</button>
</form>
<a class="button" href="${linkTo(call, '/admin/events/new/')}"${usedBy('n')}>${say('new-event')}</a>`
}

function userMenu(call: OwnCall): Html {
  const { say, me } = call
  return html`<details class="menu">
<summary aria-label="${say('user-menu', { name: me.user.name })}">${me.user.name}</summary>
<div class="menu-body">
<a href="${linkTo(call, '/admin/account/')}">${say('nav.account')}</a>
<a href="${linkTo(call, '/events/')}">${say('nav.calendar')}</a>
<form method="post" action="${linkTo(call, '/admin/sign-out/')}">${csrfField(call)}<button class="quiet">${say('sign-out')}</button></form>
</div>
</details>`
}

/** The keys that lead to sections. */
const keyOf: Partial<Record<Section, Parameters<typeof usedBy>[0]>> = {
  today: 'g t',
  events: 'g e',
  month: 'g c',
  venues: 'g v',
}

function navigation(call: OwnCall, section: Section | undefined): Html {
  const { say } = call
  const actor = actorOf(call.me)
  const sections: readonly (readonly [Section, string])[] = [
    ['today', '/admin/'],
    ...(mayCreate(actor)
      ? ([
          ['events', '/admin/events/'],
          ['month', '/admin/calendar/'],
          ['venues', '/admin/venues/'],
          ['organizers', '/admin/organizers/'],
        ] as const)
      : []),
    ...(mayManage(actor, 'category') ? [['terms', '/admin/categories/'] as const] : []),
    ...(mayUpload(actor) ? [['pictures', '/admin/pictures/'] as const] : []),
    ...(mayEditOthers(actor) ? [['import', '/admin/import/'] as const] : []),
    ...(mayCreate(actor) ? [['trash', '/admin/trash/'] as const] : []),
    ...(mayReadAudit(actor) ? [['activity', '/admin/activity/'] as const] : []),
    ...(mayManageUsers(actor) ? [['users', '/admin/users/'] as const] : []),
    ...(mayReadSettings(actor) ? [['settings', '/admin/settings/'] as const] : []),
    ['account', '/admin/account/'],
  ]
  // On a narrow screen, the button opens the list. On others, the style sheet shows the list and no button.
  return html`<nav class="sections" aria-label="${say('nav.main')}"><button type="button" class="quiet" popovertarget="sections">${say('nav.menu')}</button>
<ul id="sections" popover>
${sections.map(
  ([name, path]) =>
    html`<li><a href="${linkTo(call, path)}"${section === name && raw(' aria-current="page"')}${keyOf[name] && usedBy(keyOf[name])}>${say(`nav.${name}`)}</a></li>`,
)}
</ul></nav>`
}
