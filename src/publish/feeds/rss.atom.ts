import { withoutControlCharacters } from '../../base/text/lines.ts'
import { isoWithOffset } from '../../base/time/wire.ts'
import { localDateTimeAt, utcZone } from '../../base/time/zone.ts'
import type { LinkedEvent } from '../../calendar/events/model/event.ts'
import { chooseAltText } from '../../calendar/media/alt.text.ts'
import { pictureUrl } from '../../calendar/media/media.present.ts'
import { recordUrl } from '../../calendar/records/record.present.ts'
import { eventUuid } from './feed.identity.ts'
import { endLines, entryName, feedHeading, formatEventTime, paragraphOf, termName } from './feed.present.ts'
import { placeTexts, stateLines, titleText } from './feed.states.ts'
import { changedAt, type Feed, type FeedWriter, utf8Bytes } from './feed.ts'

type Attributes = Readonly<Record<string, string | number>>

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Returns an XML element with text or elements in it; an empty element without content. */
function element(name: string, content: string | readonly string[] = '', attributes: Attributes = {}): string {
  const inner = typeof content === 'string' ? escaped(content) : content.join('')
  return inner === '' ? `<${name}${written(attributes)}/>` : `<${name}${written(attributes)}>${inner}</${name}>`
}

function written(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escaped(String(value))}"`)
    .join('')
}

/** Returns the text before and after the content of an XML document, which is within these elements. */
function xmlEnvelope(open: readonly { readonly name: string; readonly attributes?: Attributes }[]): {
  readonly before: string
  readonly after: string
} {
  const begins = open.map(({ name, attributes = {} }) => `<${name}${written(attributes)}>`)
  const ends = open.map(({ name }) => `</${name}>`).reverse()
  return { before: `<?xml version="1.0" encoding="utf-8"?>\n${begins.join('')}`, after: `${ends.join('')}\n` }
}

function escaped(text: string): string {
  const printable = withoutControlCharacters(text)
  return /[&<>"]/.test(printable) ? printable.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign) : printable
}

const atomNamespace = 'http://www.w3.org/2005/Atom'
const mediaNamespace = 'http://search.yahoo.com/mrss/'
const rssType = 'application/rss+xml'
const atomType = 'application/atom+xml'

/** Events as news (RSS 2.0). */
export const rss: FeedWriter = {
  type: `${rssType}; charset=utf-8`,
  begin: (feed, { lastChange }) => {
    const { title, about } = feedHeading(feed)
    return [
      rssEnvelope.before,
      element('title', title),
      element('link', `${feed.addresses.site}/`),
      element('description', about),
      element('language', feed.language),
      element('lastBuildDate', mailDate(lastChange)),
      element('ttl', '60'),
      ...(feed.self === undefined ? [] : [element('atom:link', '', { href: feed.self, rel: 'self', type: rssType })]),
    ].join('')
  },
  event: rssItem,
  end: () => rssEnvelope.after,
  toBytes: utf8Bytes,
}

const rssEnvelope = xmlEnvelope([
  { name: 'rss', attributes: { version: '2.0', 'xmlns:atom': atomNamespace } },
  { name: 'channel' },
])

function rssItem(feed: Feed, event: LinkedEvent): string {
  const { addresses, identity } = feed
  const { image } = event
  const alt = image && chooseAltText(image, event.language)
  return element('item', [
    element('title', titleText(event, feed)),
    element('link', recordUrl(addresses, event)),
    element('guid', eventUuid(identity, event.id), { isPermaLink: 'false' }),
    ...(event.isDated ? [element('pubDate', mailDate(event.datedAt))] : []),
    element('description', contentOf(feed, event)),
    ...termNames(event).map((name) => element('category', name)),
    ...(image ? [element('enclosure', '', { url: pictureUrl(addresses, image.file), ...fileAttributes(image) })] : []),
    ...(image && alt ? [describedPicture(pictureUrl(addresses, image.file), image.mimeType, alt.text)] : []),
  ])
}

/** Events as news (Atom, RFC 4287). */
export const atom: FeedWriter = {
  type: `${atomType}; charset=utf-8`,
  begin: (feed, { lastChange }) => {
    const { addresses, config, identity, self } = feed
    const { title, about } = feedHeading(feed)
    return [
      atomEnvelope(feed).before,
      element('id', self ?? `urn:uuid:${identity}`),
      element('title', title),
      element('subtitle', about),
      element('updated', atomDate(lastChange)),
      // Every entry has an author; the default is that of the feed (RFC 4287, 4.1.1).
      element('author', [element('name', config.siteName)]),
      element('link', '', { rel: 'alternate', type: 'text/html', href: `${addresses.site}/` }),
      ...(self === undefined ? [] : [element('link', '', { rel: 'self', type: atomType, href: self })]),
    ].join('')
  },
  event: atomEntry,
  end: (feed) => atomEnvelope(feed).after,
  toBytes: utf8Bytes,
}

const atomEnvelope = ({ language }: Feed) =>
  xmlEnvelope([{ name: 'feed', attributes: { xmlns: atomNamespace, 'xml:lang': language } }])

function atomEntry(feed: Feed, event: LinkedEvent): string {
  const { addresses, identity } = feed
  const { image } = event
  const alt = image && chooseAltText(image, event.language)
  const attributes: Readonly<Record<string, string>> = { rel: 'enclosure', ...(alt ? { title: alt.text } : {}) }
  const entry = [
    element('id', `urn:uuid:${eventUuid(identity, event.id)}`),
    element('title', titleText(event, feed)),
    element('updated', atomDate(changedAt(event))),
    ...(event.isDated ? [element('published', atomDate(event.datedAt))] : []),
    element('link', '', { rel: 'alternate', type: 'text/html', href: recordUrl(addresses, event) }),
    ...(image
      ? [element('link', '', { ...attributes, href: pictureUrl(addresses, image.file), ...fileAttributes(image) })]
      : []),
    ...event.organizers.map((one) => element('author', [element('name', entryName(one))])),
    ...termNames(event).map((name) => element('category', '', { term: name })),
    element('content', contentOf(feed, event), { type: 'html' }),
  ]
  return element('entry', entry, { 'xml:lang': event.language })
}

/** Returns the attributes of an enclosure after its address. */
function fileAttributes({ mimeType, sizeBytes }: { readonly mimeType: string; readonly sizeBytes: number }) {
  return { type: mimeType, length: sizeBytes }
}

/** Repeats the picture with its alternative text, which an enclosure cannot contain (Media RSS 1.5). */
function describedPicture(url: string, type: string, alt: string): string {
  const description = element('media:description', alt, { type: 'plain' })
  return element('media:content', [description], { 'xmlns:media': mediaNamespace, url, type, medium: 'image' })
}

/** Returns the status, the time and the place, the description, then the page, the website and the price. As HTML. */
function contentOf(feed: Feed, event: LinkedEvent): string {
  const about = [formatEventTime(event), ...placeTexts(event, feed)]
  const end = endLines(event, feed, recordUrl(feed.addresses, event))
  const before = `${paragraphOf(stateLines(event, feed))}${paragraphOf(about)}`
  return `${before}${event.contentHtml || event.excerptHtml}${paragraphOf(end)}`
}

function termNames({ categories, tags }: LinkedEvent): readonly string[] {
  return [...categories, ...tags].map(termName)
}

/** Formats a date as in RFC 5322, 3.3, which RSS requires. */
function mailDate(seconds: number): string {
  return new Date(seconds * 1000).toUTCString()
}

/** Formats a date as in RFC 3339. */
function atomDate(seconds: number): string {
  return isoWithOffset(localDateTimeAt(seconds, utcZone), 0)
}
