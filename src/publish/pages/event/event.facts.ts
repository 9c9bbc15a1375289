import { decodeEntities, htmlToText } from '../../../base/text/escape.ts'
import { type Html, html } from '../../../base/text/html.ts'
import type { DirectoryEntry } from '../../../calendar/directory/directory.ts'
import type { LinkedEvent } from '../../../calendar/events/model/event.ts'
import type { OrganizerFields } from '../../../calendar/organizers/organizer.ts'
import { recordUrl } from '../../../calendar/records/record.present.ts'
import type { Term } from '../../../calendar/terms/term.ts'
import type { VenueFields } from '../../../calendar/venues/venue.ts'
import type { PageCall } from '../frame/page.ts'
import { langAttribute } from '../frame/text.language.ts'
import { inLanguage, pathOf } from '../page.addresses.ts'
import { addressLines, mapLink } from './event.place.ts'

/** Returns the facts of an event that are neither in its description nor in its header. */
export function eventFacts(call: PageCall, event: LinkedEvent): Html | false {
  const { say } = call
  const { organizers, categories, tags, website, customFields } = event
  const own = Object.values(customFields).flatMap(({ label, value }) =>
    typeof value === 'string' || typeof value === 'number' ? [{ label, value: String(value) }] : [],
  )
  const facts = [
    [
      organizers.length > 1 ? say('whos') : say('who'),
      organizers.length > 0 && html`${organizers.map((organizer) => organizerFact(call, organizer))}`,
    ],
    [say('website'), isLink(website) && webLink(website)],
    [say('categories'), termList(call, 'category', categories)],
    [say('tags'), termList(call, 'tag', tags)],
    ...own.map(({ label, value }) => [htmlToText(label), html`${htmlToText(value)}`] as const),
  ] as const
  const known = facts.filter(([, content]) => content)
  return (
    known.length > 0 &&
    html`<dl class="facts">
${known.map(([name, content]) => html`<div class="fact"><dt>${name}</dt><dd>${content}</dd></div>\n`)}
</dl>`
  )
}

/**
 * Returns a venue with its address, line by line, so that it appears in print as well.
 *
 * @param isLeft Whether it is no longer the place of the event.
 */
export function venueFact(
  call: PageCall,
  venue: DirectoryEntry<VenueFields>,
  { hasMapLink, isLeft }: { readonly hasMapLink: boolean; readonly isLeft: boolean },
): Html {
  const map = hasMapLink && !isLeft ? mapLink(venue) : undefined
  const place = html`<a href="${pathOf(call, recordUrl(call.addresses, venue))}"><strong>${htmlToText(venue.titleHtml)}</strong></a>${addressLines(venue).map((line) => html`<br>${line}`)}`
  const language = langAttribute(call, venue)
  const line = isLeft
    ? html`<p><span class="unseen">${call.say('state.formerly')} </span><s${language}>${place}</s></p>`
    : html`<p${language}>${place}</p>`
  return html`${line}
${map && html`<p class="map-link"><a class="outside" rel="noopener" href="${map}">${call.say('open-map')}</a></p>`}`
}

function organizerFact(call: PageCall, organizer: DirectoryEntry<OrganizerFields>): Html {
  return html`<p${langAttribute(call, organizer)}><a href="${pathOf(call, recordUrl(call.addresses, organizer))}">${htmlToText(organizer.titleHtml)}</a></p>`
}

function termList(call: PageCall, taxonomy: 'category' | 'tag', terms: readonly Term[]): Html | false {
  if (terms.length === 0) return false
  return html`<ul class="terms">${terms.map(
    (term) =>
      html`<li><a rel="tag" href="${termLink(call, taxonomy, term)}"${langAttribute(call, term)}>${decodeEntities(term.name)}</a></li>`,
  )}</ul>`
}

/** Returns the link to a term. The short address of a category redirects to the one with all its ancestors. */
function termLink(call: PageCall, taxonomy: 'category' | 'tag', { slug }: Term): string {
  return pathOf(call, inLanguage(call, taxonomy === 'category' ? `/events/category/${slug}/` : `/tag/${slug}/`))
}

/** Reports if a text is a web address that a page may link to. */
export function isLink(text: string | undefined): text is string {
  return text !== undefined && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

/** Returns a link to a website, with a short label. */
export function webLink(address: string): Html {
  const { hostname, pathname } = new URL(address)
  const path = pathname === '/' ? '' : '/…'
  return html`<a class="outside" rel="noopener" href="${address}">${hostname.replace(/^www\./, '')}${path}</a>`
}
