import type { NewEvent } from '../../calendar/events/event.changes.ts'
import { createEvent, createEvents } from '../../calendar/events/event.create.service.ts'
import { updateEvent } from '../../calendar/events/event.repository.ts'
import { changeEvent } from '../../calendar/events/event.service.ts'
import { findOwnedRecord } from '../../calendar/records/record.repository.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { shiftByDays } from './date.shift.ts'
import { type ImportedKind, type ImportedRecord, listImported, saveImported } from './import.repository.ts'
import {
  contentDigest,
  findOriginal,
  type ImportContext,
  type ImportOutcome,
  modifiedAtOf,
  writeImported,
} from './record.writer.ts'
import type { SourceEvent, SourceReference } from './source.ts'
import { originalOf } from './translations.ts'

/**
 * Writes events; what they name is to be written before. What was moved before stays where it is. What is new is
 * created together.
 */
export async function writeEvents(
  importContext: ImportContext,
  events: readonly SourceEvent[],
): Promise<readonly ImportOutcome[]> {
  const { tx, actor, language, translations } = importContext
  const known = await listKnownImports(tx, events)
  const waiting: SourceEvent[] = []
  const createWaiting = () => createTogether(importContext, known, waiting.splice(0))

  const write = async (event: SourceEvent): Promise<ImportOutcome> => {
    const imported = known.event.get(event.source)
    const isTranslation = originalOf(translations, 'event', event.source) !== undefined
    if (!imported && !isTranslation) {
      waiting.push(event)
      return 'created'
    }
    // It may be among those, and a slug is numbered by those before it.
    if (isTranslation) await createWaiting()
    const original = await findOriginal(importContext, 'event', event.source)
    // A translation takes place when its original does.
    const shiftDays = original?.shiftDays ?? importContext.shiftDays
    const of = original?.id
    const content = contentOf(importContext, event, known)
    return writeImported({ ...importContext, shiftDays }, event, {
      kind: 'event',
      known: imported,
      content: of === undefined ? content : { ...content, of },
      mayChange: async (id) => (await findOwnedRecord(tx, 'event', id))?.status !== 'trash',
      change: async ({ id, shiftDays: days }) => {
        await createWaiting()
        await changeEvent(tx, importContext, actor, id, moved(importContext, event, content, days), of)
      },
      create: async () => {
        const sent = moved(importContext, event, content, shiftDays)
        const created = await createEvent(tx, importContext, actor, sent, { language, of })
        // A new event without a website shows its own page; the source says that this one shows none.
        if (event.website === '') await updateEvent(tx, created, { ...created, website: '' })
        return created.id
      },
    })
  }
  const outcomes: ImportOutcome[] = []
  for (const event of events) outcomes.push(await write(event))
  await createWaiting()
  return outcomes
}

/** Creates events that were never imported and translate none. */
async function createTogether(
  importContext: ImportContext,
  known: KnownImports,
  events: readonly SourceEvent[],
): Promise<void> {
  if (events.length === 0) return
  const { tx, actor, language, shiftDays } = importContext
  const contents = events.map((event) => contentOf(importContext, event, known))
  const sent = events.map((event, place) => moved(importContext, event, contents[place] as EventContent, shiftDays))
  const ids = await createEvents(tx, importContext, actor, sent, language)
  const imported = events.map(({ source }, place) => ({
    source,
    id: ids[place] as number,
    digest: contentDigest(contents[place] as EventContent),
    shiftDays,
  }))
  await saveImported(importContext, 'event', imported)
}

type KnownImports = Readonly<Record<ImportedKind, ReadonlyMap<string, ImportedRecord>>>

/** What has become of these events before, and of all that they name. */
async function listKnownImports(tx: Tx, events: readonly SourceEvent[]): Promise<KnownImports> {
  const list = (kind: ImportedKind, named: readonly SourceReference[]) =>
    listImported(tx, kind, [...new Set(named.map(({ source }) => source))])
  return {
    event: await list('event', events),
    venue: await list(
      'venue',
      events.flatMap(({ venues }) => venues),
    ),
    organizer: await list(
      'organizer',
      events.flatMap(({ organizers }) => organizers),
    ),
    category: await list(
      'category',
      events.flatMap(({ categories }) => categories),
    ),
    tag: await list(
      'tag',
      events.flatMap(({ tags }) => tags),
    ),
  }
}

/** The event as it would be sent to create it, before it is moved. */
function contentOf({ eventPassword }: ImportContext, event: SourceEvent, known: KnownImports) {
  return {
    ...sentFrom(event),
    // Not the password itself: what comes of this is kept.
    isProtected: eventPassword === undefined ? undefined : true,
    venue: idsOf(known.venue, event.venues).map((id) => ({ id })),
    organizer: idsOf(known.organizer, event.organizers).map((id) => ({ id })),
    categories: idsOf(known.category, event.categories),
    tags: idsOf(known.tag, event.tags),
  }
}

type EventContent = ReturnType<typeof contentOf>

/** The ids of what these sources have become, each once; those that could not be imported are left out. */
function idsOf(known: ReadonlyMap<string, ImportedRecord>, sources: readonly SourceReference[]): readonly number[] {
  return [...new Set(sources.flatMap(({ source }) => known.get(source)?.id ?? []))]
}

function moved({ eventPassword }: ImportContext, event: SourceEvent, content: EventContent, days: number): NewEvent {
  const { isProtected: _isProtected, ...sent } = content
  return {
    ...sent,
    event_password: eventPassword,
    modifiedAt: modifiedAtOf(event),
    start_date: shiftByDays(event.start, days),
    end_date: shiftByDays(event.end, days),
  }
}

function sentFrom(event: SourceEvent): Omit<NewEvent, 'venue' | 'organizer' | 'categories' | 'tags'> {
  return {
    title: event.title,
    description: event.description,
    excerpt: event.excerpt,
    slug: event.slug === '' ? undefined : event.slug,
    status: event.status,
    author: undefined,
    date: event.draftedAt,
    date_utc: event.publishedAt,
    start_date: event.start,
    end_date: event.end,
    timezone: event.zone,
    all_day: event.isAllDay,
    cost: event.cost,
    website: event.website,
    show_map: event.showMap,
    show_map_link: event.showMapLink,
    hide_from_listings: event.isHidden,
    sticky: event.isSticky,
    featured: event.isFeatured,
    image: undefined, // Pictures are not fetched.
    event_password: undefined,
  }
}
