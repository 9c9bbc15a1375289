import { epochSecondsOf } from '../../../base/time/zone.ts'
import type { LinkedEvent } from '../../../calendar/events/model/event.ts'
import { costOfOffer, type Offer } from '../../../calendar/events/model/offers.ts'
import { priceText } from '../../feeds/price.ts'
import { dateText } from '../dates.ts'
import type { PageCall } from '../frame/page.ts'
import { type Html, html } from '../html.ts'

/** Returns the ways to attend an event: prices, availability, when they are on sale, and where. */
export function eventOffers(call: PageCall, event: LinkedEvent): Html | false {
  const { say } = call
  const { offers, availability, capacity } = event
  const facts = [
    availability && say(`availability.${availability}`),
    capacity !== 'unknown' && say('capacity', { count: capacity }),
  ]
  const known = facts.filter((fact) => fact !== false && fact !== '')
  if (offers.length === 0 && known.length === 0) return false
  return html`<section class="offers" aria-labelledby="offers">
<h2 id="offers">${say('offers')}</h2>
${known.length > 0 && html`<p>${known.join(' · ')}</p>`}
${offers.length > 0 && html`<ul>${offers.map((offer) => html`<li>${offerLine(call, offer, event)}</li>\n`)}</ul>`}
</section>`
}

/** Returns the last second before the sale of an offer begins or ends. */
export function untilSaleChange({ now }: PageCall, { offers, zone }: LinkedEvent): number {
  const starts = offers.flatMap(({ valid_from: begin }) => (begin ? [epochSecondsOf(begin, zone) - 1] : []))
  const ends = offers.flatMap(({ valid_through: end }) => (end ? [epochSecondsOf(end, zone)] : []))
  return Math.min(...[...starts, ...ends].filter((second) => second >= now))
}

function offerLine(call: PageCall, offer: Offer, event: LinkedEvent): Html {
  const price = priceText(call, costOfOffer(offer, call.deps.config.currencyCode))
  // What is no longer on sale cannot be bought, even if its availability was not changed.
  const state = isSaleOver(call, offer, event)
    ? 'sale-over'
    : offer.availability && (`availability.${offer.availability}` as const)
  const parts = [price, state && call.say(state), saleText(call, offer, event)].filter(Boolean)
  const name = offer.name ?? call.say('offer')
  const title =
    offer.url === undefined ? html`${name}` : html`<a class="outside" rel="noopener" href="${offer.url}">${name}</a>`
  return parts.length === 0 ? title : html`${title}${call.say('colon')} ${parts.join(', ')}`
}

function isSaleOver({ now }: PageCall, { valid_through: end }: Offer, { zone }: LinkedEvent): boolean {
  return end !== undefined && epochSecondsOf(end, zone) < now
}

/** Returns when the sale begins, if it has not begun. */
function saleText(call: PageCall, { valid_from: begin }: Offer, { zone }: LinkedEvent): string {
  if (begin === undefined || epochSecondsOf(begin, zone) <= call.now) return ''
  return call.say('sale-from', { date: dateText(call.textLanguage, 'shortMoment', begin) })
}
