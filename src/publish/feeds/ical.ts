import { textLanguageOf } from '../../base/languages/language.ts'
import { linesOf } from '../../base/text/lines.ts'
import type { LinkedEvent } from '../../calendar/events/model/event.ts'
import { pictureUrl } from '../../calendar/media/media.present.ts'
import { recordUrl } from '../../calendar/records/record.present.ts'
import type { RecordStatus } from '../../calendar/records/record.ts'
import type { Term } from '../../calendar/terms/term.ts'
import { memoizePerObject } from '../../storage/database/derived.values.ts'
import { eventUuid } from './feed.identity.ts'
import { endLines, entryName, feedHeading, paragraphOf, termName, venueText } from './feed.present.ts'
import { onlineText, placeTexts, stateLines, titleText, virtualAddress } from './feed.states.ts'
import { changedAt, type Feed, type FeedMetadata, type FeedWriter, wholeFeedWriter } from './feed.ts'
import { escapedText, foldedBytes, line, madeLine, textLine } from './ical.lines.ts'
import { instant, timeLines, zoneLines } from './ical.times.ts'

/** The interval at which a calendar may poll (RFC 7986, 5.7). A feed that has not changed costs both sides little. */
const refreshInterval = 'PT1H'

/** An event that is not published yet is tentative. */
const publicationStatuses: Readonly<Record<RecordStatus, string>> = {
  ...{ publish: 'CONFIRMED', private: 'CONFIRMED' },
  ...{ future: 'TENTATIVE', draft: 'TENTATIVE', pending: 'TENTATIVE' },
  trash: 'CANCELLED',
}

/** RFC 5545, 3.8.1.11. The new time of a postponed event is not known. */
function statusOf({ eventStatus, status }: LinkedEvent): string {
  if (eventStatus === 'canceled') return 'CANCELLED'
  const published = publicationStatuses[status]
  return eventStatus === 'postponed' && published === 'CONFIRMED' ? 'TENTATIVE' : published
}

/** Events as a calendar (RFC 5545, with the calendar properties of RFC 7986). */
export const calendar: FeedWriter = {
  type: 'text/calendar; charset=utf-8',
  begin: (feed, metadata) =>
    [...calendarLines(feed, metadata), ...zoneLines(metadata.clocks, textLanguageOf(feed.language))].join(''),
  event: (feed, event) => entryLines(event, feed, headOf(event, feed)).join(''),
  end: () => line('END', 'VCALENDAR'),
  toBytes: foldedBytes,
}

export const writeICalendar = wholeFeedWriter(calendar)

function calendarLines(feed: Feed, { lastChange }: FeedMetadata): readonly string[] {
  const { addresses, config, self, language } = feed
  const { title, about } = feedHeading(feed)
  return [
    line('BEGIN', 'VCALENDAR'),
    line('VERSION', '2.0'),
    line('PRODID', `-//Calendar Events//Calendar Events//${textLanguageOf(language).toUpperCase()}`),
    line('CALSCALE', 'GREGORIAN'),
    textLine('NAME', title),
    textLine('X-WR-CALNAME', title),
    textLine('DESCRIPTION', about),
    textLine('X-WR-CALDESC', about),
    textLine('X-WR-TIMEZONE', config.siteZone.id),
    line('URL', `${addresses.site}/`, { VALUE: 'URI' }),
    ...(self === undefined ? [] : [line('SOURCE', self, { VALUE: 'URI' })]),
    line('LAST-MODIFIED', instant(lastChange)),
    line('REFRESH-INTERVAL', refreshInterval, { VALUE: 'DURATION' }),
    line('X-PUBLISHED-TTL', refreshInterval),
  ]
}

const htmlForm = { FMTTYPE: 'text/html' }

/** What identifies an entry of a calendar, and when it takes place. */
export interface EntryHead {
  readonly uid: string
  /** The time of its last change, in seconds since 1970. */
  readonly changedAt: number
  readonly sequence: number
  readonly times: readonly string[]
  readonly url: string
}

export function headOf(event: LinkedEvent, { addresses, identity }: Feed): EntryHead {
  return {
    uid: eventUuid(identity, event.id),
    changedAt: changedAt(event),
    sequence: event.changeCount,
    times: timeLines(event),
    url: recordUrl(addresses, event),
  }
}

export function entryLines(event: LinkedEvent, feed: Feed, head: EntryHead): readonly string[] {
  const { addresses } = feed
  const { image, contentHtml, excerptHtml } = event
  const changed = instant(head.changedAt)
  const state = stateLines(event, feed)
  const end = endLines(event, feed, head.url)
  const textOf = (html: string) => linesOf(html, '-', `${addresses.site}/`)
  const description = [state.join('\n'), textOf(contentHtml) || textOf(excerptHtml), end.join('\n')]
    .filter(Boolean)
    .join('\n\n')
  const picture = image && { url: pictureUrl(addresses, image.file), form: { VALUE: 'URI', FMTTYPE: image.mimeType } }
  return [
    madeLine('BEGIN', 'VEVENT'),
    madeLine('UID', head.uid),
    // Without a METHOD this is the time of the last change (RFC 5545, 3.8.7.2), so the same event always gives the same
    // text.
    madeLine('DTSTAMP', changed),
    madeLine('LAST-MODIFIED', changed),
    madeLine('SEQUENCE', String(head.sequence)),
    madeLine('STATUS', statusOf(event)),
    ...head.times,
    textLine('SUMMARY', titleText(event, feed)),
    ...(description === '' ? [] : [textLine('DESCRIPTION', description)]),
    ...(contentHtml === ''
      ? []
      : [textLine('X-ALT-DESC', [paragraphOf(state), contentHtml, paragraphOf(end)].join(''), htmlForm)]),
    ...placeLines(event, feed),
    ...event.organizers.map((organizer) => contactLine(organizer)),
    ...categoryLines(event),
    line('URL', head.url, { VALUE: 'URI' }),
    ...conferenceLines(event, feed),
    ...(picture ? [line('IMAGE', picture.url, { ...picture.form, DISPLAY: 'BADGE' })] : []),
    ...(picture ? [line('ATTACH', picture.url, picture.form)] : []),
    madeLine('END', 'VEVENT'),
  ]
}

/** The address of an online event (RFC 7986, 5.11). */
function conferenceLines(event: LinkedEvent, feed: Feed): readonly string[] {
  const url = virtualAddress(event, feed)
  return url === undefined ? [] : [line('CONFERENCE', url, { VALUE: 'URI', LABEL: onlineText(event) })]
}

// Many events have the same venues, organizers and terms, so their lines are made once.

const escapedVenue = memoizePerObject((venue: LinkedEvent['venues'][number]) => escapedText(venueText(venue)))
const escapedTerm = memoizePerObject((term: Term) => escapedText(termName(term)))

function placeLines(event: LinkedEvent, feed: Feed): readonly string[] {
  const { venues, attendance } = event
  if (attendance === 'online') return [textLine('LOCATION', placeTexts(event, feed).join('; '))]
  if (venues.length === 0) return []
  const placed = venues.find(({ fields }) => fields.latitude !== null && fields.longitude !== null)?.fields
  return [
    madeLine('LOCATION', venues.map(escapedVenue).join('\\; ')),
    ...(placed ? [line('GEO', `${placed.latitude};${placed.longitude}`)] : []),
  ]
}

function categoryLines({ categories, tags }: LinkedEvent): readonly string[] {
  const names = [...categories, ...tags].map((term) => escapedTerm(term))
  return names.length === 0 ? [] : [madeLine('CATEGORIES', names.join(','))]
}

/** A usable email address. Those of organizers need not be valid (rulings.md 22). */
const mailAddress = /^[^\s@,;:<>"()[\]\\]+@[^\s@,;:<>"()[\]\\]+$/

/** Nobody is invited, so organizers are contacts: programs take an `ORGANIZER` for the sender of an invitation. */
const contactLine = memoizePerObject((organizer: LinkedEvent['organizers'][number]) => {
  const [name, email] = [entryName(organizer), organizer.fields.email.trim()]
  return textLine('CONTACT', mailAddress.test(email) ? `${name}, ${email}` : name)
})
