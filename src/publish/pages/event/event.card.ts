import { decodeEntities, htmlToText } from '../../../base/text/escape.ts'
import { type Html, html } from '../../../base/text/html.ts'
import type { LocalDateTime } from '../../../base/time/local.date.time.ts'
import { isoWithOffset } from '../../../base/time/wire.ts'
import { offsetAt } from '../../../base/time/zone.ts'
import type { LinkedEvent } from '../../../calendar/events/model/event.ts'
import { statedCost } from '../../../calendar/events/model/offers.ts'
import { chooseAltText } from '../../../calendar/media/alt.text.ts'
import { pictureUrl } from '../../../calendar/media/media.present.ts'
import type { Picture } from '../../../calendar/media/media.ts'
import { recordUrl } from '../../../calendar/records/record.present.ts'
import { priceText } from '../../feeds/price.ts'
import { dateLine, dateText, isSameDay, type LocalSpan, lastDayOf, spanText } from '../date.texts.ts'
import type { PageCall } from '../frame/page.ts'
import { langAttribute } from '../frame/text.language.ts'
import { pathOf } from '../page.addresses.ts'
import { moreDates, seriesLine } from './event.repeats.ts'
import { hasLeftVenue, isOff, stateBadges, struckIf } from './event.states.ts'

const leadWords = 26
/** A cost is free text. A card shortens long ones. */
const longestCost = 60
const maxCategories = 2

/** Reports if visitors see only title and times. */
export function isMasked({ passwordDigest }: Pick<LinkedEvent, 'passwordDigest'>): boolean {
  return passwordDigest !== undefined
}

/** Returns the title as plain text. */
export function cardTitle({ titleHtml }: Pick<LinkedEvent, 'titleHtml'>): string {
  return htmlToText(titleHtml)
}

/** Returns the first words of the description of an event, without markup. */
export function excerptText({ excerptHtml, contentHtml }: LinkedEvent): string {
  const words = htmlToText(excerptHtml === '' ? contentHtml : excerptHtml).split(' ')
  return words.length > leadWords ? `${words.slice(0, leadWords).join(' ')}…` : words.join(' ')
}

/** Returns name and town of a venue, in one line. */
export function placeLine({ venues: [venue] }: Pick<LinkedEvent, 'venues'>): string {
  if (!venue) return ''
  const { city } = venue.fields
  const name = htmlToText(venue.titleHtml)
  return city === '' || name.includes(city) ? name : `${name}, ${city}`
}

/** Returns the place of an event, marked with the language of the name of the venue. */
export function placeElement(call: PageCall, event: LinkedEvent): Html | false {
  const [venue] = event.venues
  if (venue === undefined || isMasked(event)) return false
  return struckIf(hasLeftVenue(event), html`<span${langAttribute(call, venue)}>${placeLine(event)}</span>`)
}

/** Returns the cost of an event in one line; '' if it has none. */
export function costText(call: PageCall, event: Pick<LinkedEvent, 'cost' | 'offers'>): string {
  return priceText(call, statedCost(event, call.deps.config.currencyCode))
}

/** Returns the time of an event, for people and for scripts that convert it to another time zone. */
export function timeElement(event: LinkedEvent, text: string | Html): Html {
  const { start, end, startUtc, endUtc, zone, isAllDay } = event
  const from = isoWithOffset(start, offsetAt(startUtc, zone))
  const to = isoWithOffset(end, offsetAt(endUtc, zone))
  return isAllDay
    ? html`<time datetime="${from.slice(0, 10)}">${text}</time>`
    : html`<time datetime="${from}" data-until="${to}">${text}</time>`
}

/** The number of pictures that load eagerly. All screens show them at once, and lazy loading would delay them. */
const picturesAtOnce = 2

interface CardOptions {
  /** The number of cards before these. */
  readonly before?: number
  /** The other dates of an event, by the event that represents them. */
  readonly repeats?: ReadonlyMap<LinkedEvent, readonly LinkedEvent[]>
  /** The number of dates by series, if the list shows only the next one of each. */
  readonly dateCounts?: ReadonlyMap<number, number>
  /** The day that the list is of, which may be a later one than the first of an event. */
  readonly day?: LocalDateTime
}

/** Returns events as a list of cards. */
export function eventCards(
  call: PageCall,
  events: readonly LinkedEvent[],
  { before = 0, repeats = new Map(), dateCounts = new Map(), day }: CardOptions = {},
): Html {
  return html`<ol class="cards">
${events.map((event, place) =>
  eventCard(call, event, {
    isLazy: before + place >= picturesAtOnce,
    isBegun: day !== undefined && event.start < day,
    others: otherDates(call, event, { others: repeats.get(event) ?? [], dateCounts }),
  }),
)}
</ol>`
}

/** Returns the other dates of an event: those that the list has folded, or a link to all dates of its series. */
function otherDates(
  call: PageCall,
  event: LinkedEvent,
  { others, dateCounts }: { readonly others: readonly LinkedEvent[]; readonly dateCounts: ReadonlyMap<number, number> },
): Html | false {
  const ofSeries = isMasked(event) ? undefined : dateCounts.get(event.seriesId ?? 0)
  if (ofSeries !== undefined) return seriesLine(call, event, ofSeries - 1)
  return others.length > 0 && moreDates(call, event, others)
}

/**
 * Returns an event in a list of one day, whose heading says the day: its hours, its title, and the few facts that help to
 * choose. Screen readers read the day first.
 */
function eventCard(
  call: PageCall,
  event: LinkedEvent,
  { isLazy, isBegun, others }: { readonly isLazy: boolean; readonly isBegun: boolean; readonly others: Html | false },
): Html {
  const place = placeElement(call, event)
  const facts = !isMasked(event) && cardFacts(call, event)
  const picture = isMasked(event) ? undefined : event.image
  return html`<li class="card dense${event.isFeatured && !isMasked(event) && ' featured'}${isOff(event) && ' off'}">
<p class="card-when">${struckIf(isOff(event), timeElement(event, cardTime(call, event, isBegun)))}${badges(call, event)}</p>
<div class="card-text">
<h3><a href="${pathOf(call, recordUrl(call.addresses, event))}"${langAttribute(call, event)}>${cardTitle(event)}</a></h3>
${(place || facts) && html`<div class="card-meta">${place && html`<p class="card-place">${place}</p>`}${facts}</div>`}
${others}
</div>
${picture && cardPicture(call, picture, isLazy)}
</li>`
}

/**
 * Returns the time of a card. Screen readers can go from title to title, so the whole day is in the text before the hours.
 */
function cardTime(call: PageCall, event: LinkedEvent, isBegun: boolean): Html {
  const { say, textLanguage } = call
  const { start, isAllDay } = event
  const begin = isAllDay || isBegun ? '' : `${dateText(textLanguage, 'time', start)}, `
  const ofDay = isAllDay ? say('all-day') : spanText(textLanguage, event)
  const hours = isSameDay(start, lastDayOf(event)) ? ofDay : `${begin}${untilDay(call, event)}`
  return html`<span class="unseen">${dateLine(textLanguage, 'day', event.start)}, </span><span class="card-hours">${hours}</span>`
}

/** Returns the last day of an event in words, with its year if the event begins in another one. */
export function untilDay({ say, textLanguage }: PageCall, event: LocalSpan): string {
  const last = lastDayOf(event)
  const style = last.slice(0, 4) === event.start.slice(0, 4) ? 'dayOfYear' : 'day'
  return `${say('until-day')} ${dateText(textLanguage, style, last)}`
}

/** Returns the cost and the categories of an event. */
function cardFacts(call: PageCall, event: LinkedEvent): Html | false {
  const { say } = call
  const cost = costText(call, event)
  const shown = cost.length > longestCost ? `${cost.slice(0, longestCost).toWellFormed()}…` : cost
  const categories = event.categories.slice(0, maxCategories)
  if (cost === '' && categories.length === 0) return false
  return html`<ul class="card-facts">${cost !== '' && html`<li class="cost">${shown !== say('free') && html`<span class="unseen">${say('cost')}${say('colon')} </span>`}${shown}</li>`}${categories.map((term) => html`<li${langAttribute(call, term)}>${decodeEntities(term.name)}</li>`)}</ul>`
}

/** Returns the badges of an event, for example “canceled” and “featured”. */
export function badges(call: PageCall, event: LinkedEvent): Html {
  return html`${stateBadges(call, event)}${lastingBadges(call, event)}`
}

/** Returns the badges that do not tell what happens to the event. */
export function lastingBadges({ say }: PageCall, event: LinkedEvent): Html {
  return html`${event.isFeatured && !isMasked(event) && html`<span class="badge featured">${say('featured')}</span>`}
${isMasked(event) && html`<span class="badge">${say('protected')}</span>`}`
}

/** Returns the sizes of a picture that show it uncropped, narrowest first. */
export function sourcesOf(picture: Picture): readonly { readonly file: string; readonly width: number }[] {
  const { file, width, height, sizes } = picture
  const isWhole = (size: { readonly width: number; readonly height: number }) =>
    Math.abs(size.width * height - size.height * width) <= 2 * Math.max(width, height)
  return [...Object.values(sizes).filter(isWhole), { file, width }].toSorted((one, other) => one.width - other.width)
}

/** Returns a picture of which the browser loads the size that it needs. */
export function pictureElement(
  call: PageCall,
  picture: Picture,
  { sizes, isLazy = true }: { readonly sizes: string; readonly isLazy?: boolean },
): Html {
  const { addresses } = call
  const sources = sourcesOf(picture)
  const url = (file: string) => pathOf(call, pictureUrl(addresses, file))
  const middle = sources[Math.min(1, sources.length - 1)]
  const alt = chooseAltText(picture, call.language)
  const isForeign = alt && alt.language.slice(0, 2) !== call.language.slice(0, 2)
  return html`<img src="${url(middle?.file ?? picture.file)}" srcset="${sources.map((source) => `${url(source.file)} ${source.width}w`).join(', ')}" sizes="${sizes}" width="${picture.width}" height="${picture.height}" alt="${alt?.text ?? ''}"${isForeign && html` lang="${alt.language}"`}${isLazy ? html` loading="lazy"` : html` fetchpriority="high"`} decoding="async">`
}

function cardPicture(call: PageCall, picture: Picture, isLazy: boolean): Html {
  return html`<div class="card-picture">${pictureElement(call, picture, { sizes: '6rem', isLazy })}</div>`
}

/** Returns a number of events in words. */
export function countText({ say }: PageCall, count: number): string {
  return say('events-found', { count })
}
