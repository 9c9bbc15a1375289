import type { Problem } from '../../base/problems.ts'
import { type Html, html } from '../../base/text/html.ts'
import type { Page, PageCall } from './frame/page.ts'
import { viewPath } from './page.addresses.ts'

/** Returns the 404 page, for an address without content. */
export function notFoundPage(call: PageCall, text = call.say('not-found.text'), link?: ProblemLink): Page {
  return problemPage(call, 404, { title: call.say('not-found'), text, link })
}

/** Returns the 410 page, for content that was public and was removed. */
export function gonePage(call: PageCall, { text, link }: Partial<ProblemTexts> = {}): Page {
  return problemPage(call, 410, { title: call.say('gone'), text: text ?? call.say('gone.text'), link })
}

/** Returns the 500 page, for an error of the service. */
export function brokenPage(call: PageCall): Page {
  return problemPage(call, 500, { title: call.say('broken'), text: call.say('broken.text') })
}

/** Returns the 429 page, for a client that sent too many requests. */
export function busyPage(call: PageCall, { headers }: Problem): Page {
  const page = problemPage(call, 429, { title: call.say('busy'), text: call.say('busy.text') })
  return { ...page, isPrivate: true, waitSeconds: headers['Retry-After'] }
}

/** Returns the 503 page, for a page that takes too long, or that the service has no time or no database for. */
export function unavailablePage(call: PageCall, { code, headers }: Problem): Page {
  const name = code === 'query-too-dear' ? 'too-dear' : 'unavailable'
  const page = problemPage(call, 503, { title: call.say(name), text: call.say(`${name}.text`) })
  return { ...page, isPrivate: true, waitSeconds: headers['Retry-After'] }
}

/** Where a visitor may find what is not at an address. */
interface ProblemLink {
  readonly url: string
  readonly text: string
}

interface ProblemTexts {
  readonly title: string
  readonly text: string
  readonly link?: ProblemLink | undefined
}

function problemPage(call: PageCall, status: Page['status'], texts: ProblemTexts): Page {
  return {
    kind: 'page',
    status,
    title: texts.title,
    main: problemMain(call, status, texts),
    meta: { path: call.path, isIndexed: false },
    freshUntil: Number.POSITIVE_INFINITY,
  }
}

function problemMain(call: PageCall, status: number, { title, text, link }: ProblemTexts): Html {
  const { say } = call
  return html`<div class="problem">
<p class="problem-status" aria-hidden="true">${status}</p>
<h1>${title}</h1>
<p>${text}</p>
${link && html`<p><a href="${link.url}">${link.text}</a></p>`}
<p><a class="button" href="${viewPath(call, 'list')}">${say('back')}</a></p>
</div>`
}
