import type { EventDraft } from '../../calendar/events/event.changes.ts'
import { createEvent, createEvents } from '../../calendar/events/event.create.service.ts'
import { argumentsOf } from '../../calendar/events/event.fields.derived.ts'
import { valueFields } from '../../calendar/events/event.fields.ts'
import { updateEvent } from '../../calendar/events/event.repository.ts'
import { changeEvent } from '../../calendar/events/event.service.ts'
import { findOwnedRecord } from '../../calendar/records/record.repository.ts'
import {
  type ImportedKind,
  type ImportedRecord,
  listImported,
  saveImported,
} from '../../calendar/sources/imported.repository.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { shiftByDays } from './date.shift.ts'
import {
  contentDigest,
  findOriginal,
  type ImportContext,
  type ImportOutcome,
  modifiedAtOf,
  writeImported,
} from './record.writer.ts'
import type { SourceEvent, SourceReference, SourceState } from './source.ts'
import { originalOf } from './translations.ts'

/**
 * Writes events. The records that they name must be written before. An event that was moved before keeps its dates. New
 * events are created together.
 */
export async function writeEvents(
  importContext: ImportContext,
  events: readonly SourceEvent[],
): Promise<readonly ImportOutcome[]> {
  const { tx, language, translations } = importContext
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
    // The original may be one of the waiting events, and the number in a slug depends on earlier events.
    if (isTranslation) await createWaiting()
    const original = await findOriginal(importContext, 'event', event.source)
    // A translation has the same dates as its original.
    const shiftDays = original?.shiftDays ?? importContext.shiftDays
    const of = original?.id
    const draft = draftFrom(event, known)
    const content = contentOf(importContext, draft)
    return writeImported({ ...importContext, shiftDays }, event, {
      kind: 'event',
      known: imported,
      content: of === undefined ? content : { ...content, of },
      mayChange: async (id) => (await findOwnedRecord(tx, 'event', id))?.status !== 'trash',
      change: async ({ id, shiftDays: days }) => {
        await createWaiting()
        await changeEvent(importContext, id, { ...moved(importContext, draft, { event, days }), translationOf: of })
      },
      create: async () => {
        const created = await createEvent(importContext, moved(importContext, draft, { event, days: shiftDays }), {
          language,
          of,
        })
        // A new event without a website shows its own page, but the source says that it shows none.
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

/** Creates events that were never imported and are not translations. */
async function createTogether(
  importContext: ImportContext,
  known: KnownImports,
  events: readonly SourceEvent[],
): Promise<void> {
  if (events.length === 0) return
  const { language, shiftDays } = importContext
  const drafts = events.map((event) => draftFrom(event, known))
  const movedDrafts = events.map((event, place) =>
    moved(importContext, drafts[place] as EventDraft, { event, days: shiftDays }),
  )
  const ids = await createEvents(importContext, movedDrafts, language)
  const imported = events.map(({ source }, place) => ({
    source,
    id: ids[place] as number,
    digest: contentDigest(contentOf(importContext, drafts[place] as EventDraft)),
    shiftDays,
  }))
  await saveImported(importContext, 'event', imported)
}

type KnownImports = Readonly<Record<ImportedKind, ReadonlyMap<string, ImportedRecord>>>

/** Returns earlier imports of these events and of all records that they name. */
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

/**
 * Returns the content of a draft for its digest, with the field names of the interface. It is compared with earlier
 * imports: with other names, every event would count as changed.
 */
export function contentOf({ eventPassword }: Pick<ImportContext, 'eventPassword'>, draft: EventDraft): object {
  const { venues, organizers, categories, tags, ...own } = draft
  return {
    ...argumentsOf(own),
    // Not the password itself, since the digest is stored.
    isProtected: eventPassword === undefined ? undefined : true,
    ...argumentsOf({ venues, organizers, categories, tags }),
  }
}

/** Returns the ids of the imported records, without duplicates. Records that could not be imported are left out. */
function idsOf(known: ReadonlyMap<string, ImportedRecord>, sources: readonly SourceReference[]): readonly number[] {
  return [...new Set(sources.flatMap(({ source }) => known.get(source)?.id ?? []))]
}

/** Returns the draft with its dates moved, and with the password of all imported events. */
function moved(
  { eventPassword }: ImportContext,
  draft: EventDraft,
  { event, days }: { readonly event: SourceEvent; readonly days: number },
): EventDraft {
  return {
    ...draft,
    ...event.state,
    password: eventPassword,
    modifiedAt: modifiedAtOf(event),
    start: shiftByDays(event.start, days),
    end: shiftByDays(event.end, days),
  }
}

/** Returns the event to create, before its dates are moved. Pictures are not fetched. */
function draftFrom(event: SourceEvent, known: KnownImports): EventDraft {
  return {
    title: event.title,
    content: event.description,
    excerpt: event.excerpt,
    slug: event.slug === '' ? undefined : event.slug,
    status: event.status,
    date: event.draftedAt,
    dateUtc: event.publishedAt,
    start: event.start,
    end: event.end,
    zone: event.zone,
    isAllDay: event.isAllDay,
    cost: event.cost,
    website: event.website,
    showMap: event.showMap,
    showMapLink: event.showMapLink,
    isHidden: event.isHidden,
    isSticky: event.isSticky,
    isFeatured: event.isFeatured,
    // The digest leaves out all other values, because earlier versions did not read them.
    ...statedValues(event.state),
    venues: idsOf(known.venue, event.venues).map((id) => ({ id })),
    organizers: idsOf(known.organizer, event.organizers).map((id) => ({ id })),
    categories: idsOf(known.category, event.categories),
    tags: idsOf(known.tag, event.tags),
  }
}

/** Returns the values that differ from those of an event about which the source says nothing. */
function statedValues(state: SourceState): SourceState {
  return Object.fromEntries(
    Object.entries(state).filter(([property, value]) =>
      Array.isArray(value) ? value.length > 0 : value !== valueFields.blank[property as keyof SourceState],
    ),
  )
}
