import { type Html, html } from '../../base/text/html.ts'
import { linkTo, type OwnCall } from './desk.call.ts'

interface Place {
  readonly page: number
  readonly pages: number
  /** Returns the path of a page. */
  readonly address: (page: number) => string
}

/** Returns the links to the neighbouring pages of a list; nothing if it has one page only. */
export function pager(call: OwnCall, { page, pages, address }: Place): Html | false {
  const { say } = call
  if (pages < 2) return false
  const step = (number: number, key: 'pages.previous' | 'pages.next') =>
    number >= 1 &&
    number <= pages &&
    html`<a class="button quiet" href="${linkTo(call, address(number))}">${say(key)}</a>`
  return html`<nav class="pager" aria-label="${say('pages.label')}">
${step(page - 1, 'pages.previous')}
<span>${say('pages.place', { page, pages })}</span>
${step(page + 1, 'pages.next')}
</nav>`
}

/** Returns the number of the page that an address names. */
export function pageIn(query: URLSearchParams): number {
  const sent = query.get('page') ?? ''
  return /^[1-9]\d{0,6}$/.test(sent) ? Number(sent) : 1
}
