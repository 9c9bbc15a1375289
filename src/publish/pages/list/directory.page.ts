import { htmlToText } from '../../../base/text/escape.ts'
import { type Html, html } from '../../../base/text/html.ts'
import { findEntry, withTranslationIds } from '../../../calendar/directory/directory.repository.ts'
import type { Directory, DirectoryEntry, Fields } from '../../../calendar/directory/directory.ts'
import { organizers } from '../../../calendar/organizers/organizer.directory.ts'
import type { OrganizerFields } from '../../../calendar/organizers/organizer.ts'
import { recordUrl } from '../../../calendar/records/record.present.ts'
import { document } from '../../../calendar/records/structured.data.ts'
import { listTranslationIds } from '../../../calendar/translations/group.repository.ts'
import { venues } from '../../../calendar/venues/venue.directory.ts'
import type { VenueFields } from '../../../calendar/venues/venue.ts'
import { pictureElement } from '../event/event.card.ts'
import { organizerData, placeData, schemaContext } from '../event/event.data.ts'
import { isLink, webLink } from '../event/event.facts.ts'
import { addressLines, mapLink } from '../event/event.place.ts'
import { feedQuery, ofDays, ofFilters, ofPast } from '../feed.query.ts'
import { article } from '../frame/article.ts'
import type { PageAnswer, PageCall } from '../frame/page.ts'
import { langAttribute } from '../frame/text.language.ts'
import { pathOf, withQuery } from '../page.addresses.ts'
import { gonePage, notFoundPage } from '../problem.page.ts'
import { findVisibleRecord, linksToTranslations, translationPaths } from '../record.lookup.ts'
import { filterForm } from './filters.form.ts'
import { filtersExcept, readFilters, sharedFilters } from './filters.ts'
import { eventsShown, readListWithOngoing } from './list.ongoing.ts'
import { listQuery, listResults, pastSwitch, statusOf } from './list.page.ts'

/** The differences between the pages of venues and organizers. */
interface DirectoryPage<F extends Fields> {
  readonly directory: Directory<F>
  readonly listedBy: 'venueIds' | 'organizerIds'
  readonly facts: (call: PageCall, entry: DirectoryEntry<F>) => Html
  readonly data: (call: PageCall, entry: DirectoryEntry<F>) => object
}

/** Answers `/venue/{slug}/`: a venue and its events. */
export function venuePage(call: PageCall, slug: string): Promise<PageAnswer> {
  return entryPage(call, slug, { directory: venues, listedBy: 'venueIds', facts: venueFacts, data: placeData })
}

/** Answers `/organizer/{slug}/`: an organizer and their events. */
export function organizerPage(call: PageCall, slug: string): Promise<PageAnswer> {
  const kind = { directory: organizers, listedBy: 'organizerIds', facts: organizerFacts, data: organizerData } as const
  return entryPage(call, slug, kind)
}

async function entryPage<F extends Fields>(
  call: PageCall,
  slug: string,
  { directory, listedBy, facts, data }: DirectoryPage<F>,
): Promise<PageAnswer> {
  const { db } = call.deps.storage
  const { kind } = directory
  const found = await findVisibleRecord(call, { kind, slug }, (id) => findEntry(db, directory, id))
  if (found.kind === 'elsewhere') return found
  if (found.kind === 'gone') return gonePage(call)
  if (found.kind === 'missing') return notFoundPage(call)
  const [entry = found.record] = await withTranslationIds(db, call.viewer, [found.record])
  // Lists have a filter for venues, but none for organizers.
  const fields = filtersExcept(...(kind === 'venue' ? (['venue'] as const) : []))
  const filters = await readFilters(call, fields, 'next')
  const own = { [listedBy]: await listTranslationIds(db, 'records', [entry.id]) }
  const list = await readListWithOngoing(call, { ...filters.eventFilter, ...own }, filters)
  if (!list) return notFoundPage(call, call.say('not-found.page'))
  const { say, addresses } = call
  const versions = await translationPaths(call, kind, entry.translations)
  const path = recordUrl(addresses, entry).slice(addresses.site.length)
  const title = htmlToText(entry.titleHtml)
  const text = htmlToText(entry.contentHtml)
  const isPlain = !list.isPast && list.page === 1 && !filters.isActive
  return {
    kind: 'page',
    status: statusOf(filters),
    title,
    main: html`<article class="entry">
<header class="event-head"><p class="kind">${say(`${kind}.kind`)}</p><h1${langAttribute(call, entry)}>${title}</h1></header>
<div class="event-body">
<div class="prose">${entry.image && html`<div class="event-picture">${pictureElement(call, entry.image, { sizes: '(max-width: 48rem) 100vw, 42rem', isLazy: false })}</div>`}${article(call, entry.contentHtml)}</div>
${facts(call, entry)}
</div>
<section class="section">
<div class="page-head"><h2>${say(list.isPast ? 'all-past-here' : 'events-here')}</h2>${pastSwitch(call, path, filters)}</div>
${await filterForm(call, filters, { action: pathOf(call, path), fields })}
${await listResults(call, list, { filters, path, isNarrowed: true })}
</section>
</article>`,
    meta: {
      path: withQuery(path, listQuery(list, filters)),
      description: text === '' ? title : text.slice(0, 200).toWellFormed(),
      isIndexed: !filters.isActive,
      ...(isPlain ? { data: document(schemaContext, data(call, entry)) } : {}),
      events: eventsShown(list),
    },
    versions: isPlain ? versions : {},
    ...linksToTranslations(call, versions, entry.language),
    filters: sharedFilters(call),
    feedQuery: feedQuery(
      [[kind, String(entry.id)]],
      ofFilters(filters),
      list.isPast ? ofPast(call) : ofDays(call, filters.from, filters.to),
    ),
    freshUntil: list.freshUntil,
  }
}

const fact = (name: string, content: Html | false | undefined) =>
  content && html`<div class="fact"><dt>${name}</dt><dd>${content}</dd></div>\n`

function venueFacts(call: PageCall, venue: DirectoryEntry<VenueFields>): Html {
  const { say } = call
  const { phone, website } = venue.fields
  const lines = addressLines(venue)
  const map = mapLink(venue)
  return html`<dl class="facts">
${fact(say('address'), (lines.length > 0 || map !== undefined) && html`<p>${lines.map((line, place) => html`${place > 0 && html`<br>`}${line}`)}</p>${map && html`<p><a class="outside" rel="noopener" href="${map}">${say('open-map')}</a></p>`}`)}
${contactFacts(call, { phone, email: '', website })}
</dl>`
}

function organizerFacts(call: PageCall, { fields: { phone, email, website } }: DirectoryEntry<OrganizerFields>): Html {
  return html`<dl class="facts">${contactFacts(call, { phone, email, website })}</dl>`
}

function contactFacts({ say }: PageCall, { phone, email, website }: OrganizerFields): Html {
  const isAddress = /^[^\s@<>"]+@[^\s@<>"]+$/.test(email)
  return html`${fact(say('phone'), phone !== '' && html`<a href="tel:${phone.replace(/[^+\d]/g, '')}">${phone}</a>`)}
${fact(say('email'), email !== '' && (isAddress ? html`<a href="mailto:${email}">${email}</a>` : html`${email}`))}
${fact(say('website'), isLink(website) && webLink(website))}`
}
