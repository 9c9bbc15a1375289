import { capitalised } from '../../../base/languages/dates.js'
import { type Html, html } from '../../../base/text/html.ts'
import { epochSecondsOf } from '../../../base/time/zone.ts'
import { findEvent, withLinks } from '../../../calendar/events/event.repository.ts'
import type { CalendarEvent, LinkedEvent } from '../../../calendar/events/model/event.ts'
import { costOfOffer, type Offer } from '../../../calendar/events/model/offers.ts'
import { isPasswordOf } from '../../../calendar/events/model/password.ts'
import { chooseAltText } from '../../../calendar/media/alt.text.ts'
import { pictureUrl } from '../../../calendar/media/media.present.ts'
import { findIdByPath } from '../../../calendar/occurrences/occurrence.paths.repository.ts'
import { recordUrl } from '../../../calendar/records/record.present.ts'
import { eventCalendarUrl } from '../../feeds/feed.addresses.ts'
import { priceText } from '../../feeds/price.ts'
import { dateText, whenText, zoneText } from '../date.texts.ts'
import { article } from '../frame/article.ts'
import { type Page, type PageAnswer, type PageCall, readContextOf } from '../frame/page.ts'
import { langAttribute } from '../frame/text.language.ts'
import { untilMidnight } from '../list/event.lists.ts'
import { pathOf } from '../page.addresses.ts'
import { gonePage } from '../problem.page.ts'
import {
  asVisible,
  findVisibleRecord,
  linksToTranslations,
  type RecordLookup,
  translationPaths,
} from '../record.lookup.ts'
import { superEventData } from '../series/series.data.ts'
import { findSeriesOfDate, seriesPath } from '../series/series.lookup.ts'
import { partsOfDate, type SeriesParts } from '../series/series.parts.ts'
import { calendarMenu, directionsButton, shareButtons, zoneButton } from './event.actions.ts'
import { alsoHere, neighboursNav, trailNav } from './event.around.ts'
import {
  cardTitle,
  costText,
  excerptText,
  isMasked,
  lastingBadges,
  pictureElement,
  sourcesOf,
  timeElement,
} from './event.card.ts'
import { eventData } from './event.data.ts'
import { eventFacts, venueFact } from './event.facts.ts'
import {
  hasLeftVenue,
  isOff,
  onlineFact,
  stateBanner,
  statedTitle,
  stateWords,
  struckIf,
  struckWords,
} from './event.states.ts'

/** Answers `/event/{slug}/`: one event. Undefined if visitors see no event with this slug. */
export async function eventPage(call: PageCall, slug: string): Promise<PageAnswer | undefined> {
  const { db } = call.deps.storage
  const found = await findVisibleRecord(call, { kind: 'event', slug }, (id) => findEvent(db, id))
  // The slug of a date leads to its address.
  if (found.kind === 'record' && found.record.path !== undefined && found.record.path !== slug)
    return { kind: 'elsewhere', status: 301, url: pathOf(call, recordUrl(call.addresses, found.record)) }
  return pageOf(call, found)
}

/** Reports if an event has or had a page at this slug. */
export async function hasEventPage(call: PageCall, slug: string): Promise<boolean> {
  const { db } = call.deps.storage
  const found = await findVisibleRecord(call, { kind: 'event', slug }, (id) => findEvent(db, id))
  return found.kind !== 'missing'
}

/** Answers `/event/{base}/{date}/`: a date of a series. Undefined if visitors see no date with this path. */
export async function datePage(call: PageCall, path: string): Promise<PageAnswer | undefined> {
  const { db } = call.deps.storage
  const id = await findIdByPath(db, path, call.viewer)
  const found = id === undefined ? undefined : await findEvent(db, id)
  return found && pageOf(call, asVisible(call, found))
}

async function pageOf(call: PageCall, found: RecordLookup<CalendarEvent>): Promise<PageAnswer | undefined> {
  if (found.kind === 'elsewhere') return found
  if (found.kind === 'missing') return undefined
  if (found.kind === 'gone') return goneEvent(call, found.record)
  const [event] = await withLinks(readContextOf(call), [found.record])
  return event && showEvent(call, event)
}

/** Returns the page of an event that was removed. One that was a date of a series names the others. */
async function goneEvent(call: PageCall, event: CalendarEvent): Promise<Page> {
  const series = await findSeriesOfDate(call, event)
  if (!series?.shown) return gonePage(call)
  const url = pathOf(call, seriesPath(series, 'all/'))
  return gonePage(call, { text: call.say('series.gone'), link: { url, text: call.say('series.all') } })
}

async function showEvent(call: PageCall, event: LinkedEvent): Promise<Page> {
  const { addresses } = call
  const versions = await translationPaths(call, 'event', event.translations)
  const path = recordUrl(addresses, event).slice(addresses.site.length)
  const password = call.form?.password
  const digest = event.passwordDigest
  const isOpen =
    digest === undefined || (typeof password === 'string' && opensEvent(call, event.id, { digest, password }))
  const title = statedTitle(call, event)
  const shared = {
    kind: 'page',
    status: digest !== undefined && call.form !== undefined && !isOpen ? 403 : 200,
    title,
    versions,
    ...linksToTranslations(call, versions, event.language),
    calendar: eventCalendarUrl(addresses, event),
    freshUntil: freshUntil(call, event),
  } as const
  // Protected content must not be cached and must not appear in structured data.
  if (digest !== undefined) {
    const main = isOpen ? await openMain(call, event) : lockedMain(call, event, path)
    return { ...shared, main, meta: { path, isIndexed: false }, isPrivate: call.form !== undefined }
  }
  const parts = await partsOfDate(call, event)
  return {
    ...shared,
    main: await openMain(call, event, parts),
    meta: {
      path,
      ...articleMeta(call, event),
      isIndexed: !event.isHidden,
      data: eventData(call, event, parts && superEventData(call, event, parts.series)),
    },
  }
}

/** Returns what describes an event, or a series by one of its dates, to social networks. */
export function articleMeta(call: PageCall, event: LinkedEvent): Pick<Page['meta'], 'kind' | 'description' | 'image'> {
  const { image } = event
  const large = image && sourcesOf(image).find(({ width }) => width >= 1024)
  return {
    kind: 'article',
    description: [stateWords(call, event), whenText(call.textLanguage, event), excerptText(event)]
      .filter((text) => text !== '')
      .join(' – '),
    ...(image
      ? {
          image: {
            url: pictureUrl(call.addresses, large?.file ?? image.file),
            width: large?.width ?? image.width,
            height: Math.round(((large?.width ?? image.width) * image.height) / image.width),
            alt: chooseAltText(image, call.language)?.text,
          },
        }
      : {}),
  }
}

/**
 * Returns the last second for which the page stays the same. It changes when the event begins or ends and, if the event
 * has a venue, at midnight, because the page lists the other events there. Sales begin and end too.
 */
export function freshUntil(call: PageCall, event: LinkedEvent): number {
  const { now } = call
  const { startUtc, endUtc } = event
  const own = now < startUtc ? startUtc - 1 : now <= endUtc ? endUtc : Number.POSITIVE_INFINITY
  const shown = Math.min(own, untilSaleChange(call, event))
  return event.venues.length === 0 ? shown : Math.min(shown, untilMidnight(call))
}

/**
 * Returns the header of an event: date, title, status, place and cost. These facts precede the picture, in the order of
 * lists.
 *
 * @param facts Undefined if a password protects the event.
 * @param parts What the page says of its series.
 */
function eventHead(
  call: PageCall,
  event: LinkedEvent,
  { facts, parts }: { readonly facts?: Html | false; readonly parts?: SeriesParts | undefined } = {},
): Html {
  const { say, now, textLanguage } = call
  const isHeld = !isOff(event)
  const isOver = isHeld && now > event.endUtc
  const isOn = isHeld && !isOver && now >= event.startUtc
  return html`<header class="event-head">
${(event.isFeatured || isMasked(event)) && html`<p class="badges">${lastingBadges(call, event)}</p>`}
${parts?.kind && html`<p class="kind">${parts.kind}</p>`}
<p class="event-when">${!isHeld && struckWords(call, event)}${struckIf(!isHeld, timeElement(event, whenText(textLanguage, event)))}${!event.isAllDay && html` <span class="zone" title="${say('zone.note', { zone: event.zone.name })}">${zoneText(textLanguage, event)}</span>`}${event.isAllDay && html` <span class="zone">${capitalised(say('all-day'))}</span>`}</p>
<h1${langAttribute(call, event)}>${cardTitle(event)}</h1>
${parts?.repeats}
${stateBanner(call, event, facts !== undefined)}
${facts}
${isOver && html`<p class="notice">${say('is-over')}</p>`}${isOn && html`<p class="notice on">${say('is-on')}</p>`}
</header>`
}

function headFacts(call: PageCall, event: LinkedEvent): Html | false {
  const { say } = call
  const cost = costText(call, event)
  const { venues, showMapLink } = event
  const online = onlineFact(call, event)
  const view = { hasMapLink: showMapLink, isLeft: hasLeftVenue(event) }
  if (venues.length === 0 && cost === '' && !online) return false
  return html`<dl class="event-facts">
${(venues.length > 0 || online) && html`<div class="fact"><dt>${say('where')}</dt><dd>${online}${venues.map((venue) => venueFact(call, venue, view))}</dd></div>`}
${cost !== '' && html`<div class="fact"><dt>${say('cost')}</dt><dd>${cost}</dd></div>`}
</dl>`
}

/**
 * Returns the content of the page of an event that visitors may read.
 *
 * @param parts What the page says of its series.
 */
export async function openMain(call: PageCall, event: LinkedEvent, parts?: SeriesParts): Promise<Html> {
  const picture =
    event.image &&
    html`<div class="event-picture">${pictureElement(call, event.image, { sizes: '(max-width: 48rem) 100vw, 24rem', isLazy: false })}</div>`
  const side = [picture, eventFacts(call, event), eventOffers(call, event)].filter(Boolean)
  return html`<article class="event">
<div class="trail-row">${trailNav(call, event.start)}${zoneButton(call)}</div>
${eventHead(call, event, { facts: headFacts(call, event), parts })}
<div class="event-actions">${calendarMenu(call, event, parts?.calendar)}${directionsButton(call, event)}${shareButtons(call)}</div>
${side.length > 0 && html`<div class="event-side">${side}</div>`}
<div class="prose"${langAttribute(call, event)}>${article(call, event.contentHtml)}</div>
<p class="on-paper">${recordUrl(call.addresses, event)}</p>
</article>
${parts?.others}
${await alsoHere(call, event)}
${!parts?.others && (await neighboursNav(call, event))}`
}

/** @throws rest_too_many_requests */
function opensEvent(
  { deps, client }: PageCall,
  id: number,
  { digest, password }: { readonly digest: string; readonly password: string },
): boolean {
  const { eventPasswords } = deps.limits
  eventPasswords.assertAllowed(client, String(id))
  const isRight = isPasswordOf(digest, password)
  if (!isRight) eventPasswords.countWrongGuess(client, String(id))
  return isRight
}

function lockedMain(call: PageCall, event: LinkedEvent, path: string): Html {
  const { say, form } = call
  const isWrong = form !== undefined
  return html`<article class="event">
${eventHead(call, event)}
<form class="password" method="post" action="${pathOf(call, path)}">
<p>${say('password.needed')}</p>
<label for="password">${say('password')}</label>
<input id="password" name="password" type="password" required autocomplete="off"${isWrong && html` aria-invalid="true" aria-describedby="password-fault"`}>
${isWrong && html`<p class="fault" id="password-fault">${say('password.wrong')}</p>`}
<button type="submit">${say('password.open')}</button>
</form>
</article>`
}

/** Returns the ways to attend an event: prices, availability, when they are on sale, and where. */
function eventOffers(call: PageCall, event: LinkedEvent): Html | false {
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
function untilSaleChange({ now }: PageCall, { offers, zone }: LinkedEvent): number {
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
