import type { NewEvent } from '../../calendar/events/event.changes.ts'
import { createEvent, createEvents } from '../../calendar/events/event.create.service.ts'
import { updateEvent } from '../../calendar/events/event.repository.ts'
import { changeEvent } from '../../calendar/events/event.service.ts'
import { findOwned } from '../../calendar/records/record.repository.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { type Imported, type ImportedKind, listImported, remember } from './import.repository.ts'
import { addDays } from './shift.ts'
import type { Sourced, SourceEvent } from './source.ts'
import { originalOf } from './translations.ts'
import { digestOf, findOriginal, modifiedAtOf, type Outcome, type Writing, writeOnce } from './writing.ts'

/**
 * Writes events; what they name is to be written before. What was moved before stays where it is. What is new is
 * created together.
 */
export async function writeEvents(
  tx: Tx,
  writing: Writing,
  events: readonly SourceEvent[],
): Promise<readonly Outcome[]> {
  const { context, actor, language, translations } = writing
  const known = await listKnown(tx, events)
  const waiting: SourceEvent[] = []
  const createWaiting = () => createTogether(tx, writing, known, waiting.splice(0))

  const write = async (event: SourceEvent): Promise<Outcome> => {
    const imported = known.event.get(event.source)
    const isTranslation = originalOf(translations, 'event', event.source) !== undefined
    if (!imported && !isTranslation) {
      waiting.push(event)
      return 'created'
    }
    // It may be among those, and a slug is numbered by those before it.
    if (isTranslation) await createWaiting()
    const original = await findOriginal(tx, writing, 'event', event.source)
    // A translation takes place when its original does.
    const shiftDays = original?.shiftDays ?? writing.shiftDays
    const of = original?.id
    const content = contentOf(writing, event, known)
    return writeOnce(tx, { ...writing, shiftDays }, event, {
      kind: 'event',
      known: imported,
      content: of === undefined ? content : { ...content, of },
      mayChange: async (id) => (await findOwned(tx, 'event', id))?.status !== 'trash',
      change: async ({ id, shiftDays: days }) => {
        await createWaiting()
        await changeEvent(tx, context, actor, id, moved(writing, event, content, days), of)
      },
      create: async () => {
        const sent = moved(writing, event, content, shiftDays)
        const created = await createEvent(tx, context, actor, sent, { language, of })
        // A new event without a website shows its own page; the source says that this one shows none.
        if (event.website === '') await updateEvent(tx, created, { ...created, website: '' })
        return created.id
      },
    })
  }
  const outcomes: Outcome[] = []
  for (const event of events) outcomes.push(await write(event))
  await createWaiting()
  return outcomes
}

/** Creates events that were never imported and translate none. */
async function createTogether(tx: Tx, writing: Writing, known: Known, events: readonly SourceEvent[]): Promise<void> {
  if (events.length === 0) return
  const { context, actor, language, shiftDays } = writing
  const contents = events.map((event) => contentOf(writing, event, known))
  const sent = events.map((event, place) => moved(writing, event, contents[place] as Content, shiftDays))
  const ids = await createEvents(tx, context, actor, sent, language)
  const imported = events.map(({ source }, place) => ({
    source,
    id: ids[place] as number,
    digest: digestOf(contents[place] as Content),
    shiftDays,
  }))
  await remember(tx, 'event', imported, context.now())
}

type Known = Readonly<Record<ImportedKind, ReadonlyMap<string, Imported>>>

/** What has become of these events before, and of all that they name. */
async function listKnown(tx: Tx, events: readonly SourceEvent[]): Promise<Known> {
  const list = (kind: ImportedKind, named: readonly Sourced[]) =>
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
function contentOf({ eventPassword }: Writing, event: SourceEvent, known: Known) {
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

type Content = ReturnType<typeof contentOf>

/** The ids of what these sources have become, each once; those that could not be imported are left out. */
function idsOf(known: ReadonlyMap<string, Imported>, sources: readonly Sourced[]): readonly number[] {
  return [...new Set(sources.flatMap(({ source }) => known.get(source)?.id ?? []))]
}

function moved({ eventPassword }: Writing, event: SourceEvent, content: Content, days: number): NewEvent {
  const { isProtected: _isProtected, ...sent } = content
  return {
    ...sent,
    event_password: eventPassword,
    modifiedAt: modifiedAtOf(event),
    start_date: addDays(event.start, days),
    end_date: addDays(event.end, days),
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
