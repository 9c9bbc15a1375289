import { randomBytes } from 'node:crypto'
import { fail } from '../../base/problems.ts'
import { findEvent, updateEvent } from '../../calendar/events/event.repository.ts'
import type { EventDraft } from '../../calendar/events/model/event.changes.ts'
import { valueFields } from '../../calendar/events/model/event.fields.ts'
import { argumentsOf } from '../../calendar/events/model/fields.derived.ts'
import { createEvent, createEvents } from '../../calendar/events/write/create.service.ts'
import { changeEvent, trashEvent } from '../../calendar/events/write/event.service.ts'
import { listNamed, type NamedKind, type NamedRecord } from '../../calendar/sources/source.repository.ts'
import type { UpsertKind } from '../upsert/upsert.kind.ts'
import { type UpsertResult, upsertItems } from '../upsert/upsert.service.ts'
import { shiftByDays } from './date.shift.ts'
import {
  digestNaming,
  findOriginal,
  type ImportContext,
  inOwnLanguage,
  keepModified,
  keptId,
  modifiedAtOf,
  movedContent,
  movedFields,
  type Named,
} from './record.writer.ts'
import type { SourceEvent, SourceReference, SourceState } from './source.ts'
import { originalOf } from './translations.ts'

/** An event to write, before its dates are moved. */
interface RecordedEvent {
  readonly event: SourceEvent
  readonly draft: EventDraft
  readonly of: NamedRecord | undefined
}

/**
 * Writes events. The records that they name must be written before. An event that was moved before keeps its dates. New
 * events are created together, and translations after them, because the original may be one of them.
 */
export async function writeEvents(
  write: ImportContext,
  events: readonly SourceEvent[],
): Promise<readonly UpsertResult[]> {
  const { translations } = write
  const links = await listLinks(write, events)
  const results = new Map<string, UpsertResult>()
  const upsert = async (write: ImportContext, some: readonly SourceEvent[], of?: NamedRecord) => {
    const { language } = write
    const items = some.map((event) => {
      const named = links.map((link) => ({ ...link, references: linksOf(event)[link.kind] }))
      const draft = draftFrom(event, named)
      const content = { ...contentOf(write, draft), ...movedContent(event.moved) }
      const digest = digestNaming(write, named, of ? { ...content, of: of.id } : content)
      return { key: event.source, digest, values: { event, draft, of } }
    })
    const written = await upsertItems(
      write,
      { kind: recordedEvents(write), language, startedAt: write.startedAt },
      items,
    )
    for (const [place, { key }] of items.entries()) results.set(key, written[place] as UpsertResult)
  }
  const isTranslation = ({ source }: SourceEvent) => originalOf(translations, 'event', source) !== undefined
  const inOwn = ({ source }: SourceEvent) => inOwnLanguage(write, 'event', source)
  const originals = events.filter((event) => !isTranslation(event))
  for (const some of Map.groupBy(originals, (event) => inOwn(event).language).values()) {
    await upsert(inOwn(some[0] as SourceEvent), some)
  }
  for (const event of events.filter(isTranslation)) {
    await upsert(inOwn(event), [event], await findOriginal(write, 'event', event.source))
  }
  return events.map(({ source }) => results.get(source) as UpsertResult)
}

function recordedEvents(write: ImportContext): UpsertKind<RecordedEvent> {
  const moved = ({ event, draft }: RecordedEvent, days: number): EventDraft => ({
    ...{ ...draft, ...event.state, password: passwordOf(event) },
    ...{ modifiedAt: modifiedAtOf(event), history: event.moved?.history, ...movedFields(write, event.moved) },
    keptId: keptId(write, event.source),
    // It goes to the trash once it exists.
    ...(event.status === 'trash' ? { status: 'draft' as const } : {}),
    ...{ start: shiftByDays(event.start, days), end: shiftByDays(event.end, days) },
  })
  // Nobody knows the password that the event had.
  const passwordOf = ({ moved: { password, isProtected } = {} }: SourceEvent) =>
    password ?? (isProtected ? randomBytes(18).toString('base64url') : write.eventPassword)
  const trashed = async (id: number, event: SourceEvent) => {
    await trashEvent(write, id)
    await keepModified(write.tx, id, event)
  }
  return {
    kind: 'event',
    find: async (db, id) => (await findEvent(db, id)) ?? fail('record-not-found'),
    change: async (_write, { id, shiftDays }, values) =>
      void (await changeEvent(write, id, {
        ...moved(values, shiftDays),
        ...(values.event.moved?.isProtected ? { password: undefined } : {}),
        translationOf: values.of?.id,
      })),
    create: async (_write, { language }, items) => {
      const of = items[0]?.values.of
      // A translation has the same dates as its original.
      const { shiftDays } = of ?? write
      const drafts = items.map(({ values }) => moved(values, shiftDays))
      if (!of) {
        const ids = await createEvents(write, drafts, language)
        for (const [place, { values }] of items.entries()) {
          if (values.event.status === 'trash') await trashed(Number(ids[place]), values.event)
        }
        return ids.map((id) => ({ id, shiftDays }))
      }
      const draft = drafts[0] as EventDraft
      const created = await createEvent(write, draft, { language, of: of.id })
      // A new event without a website shows its own page, but the source says that it shows none.
      if (draft.website === '') await updateEvent(write.tx, created, { ...created, website: '' })
      if (items[0]?.values.event.status === 'trash') await trashed(created.id, items[0].values.event)
      return [{ id: created.id, shiftDays }]
    },
  }
}

/** Returns the records that an event names, by kind. */
const linksOf = ({ venues, organizers, categories, tags }: SourceEvent) =>
  ({ venue: venues, organizer: organizers, category: categories, tag: tags }) as const satisfies Partial<
    Record<NamedKind, readonly SourceReference[]>
  >

/** Returns earlier imports of all records that these events name. */
async function listLinks({ tx }: ImportContext, events: readonly SourceEvent[]) {
  const links: (Omit<Named, 'kind' | 'references'> & { readonly kind: keyof ReturnType<typeof linksOf> })[] = []
  for (const kind of ['venue', 'organizer', 'category', 'tag'] as const) {
    const keys = events.flatMap((event) => linksOf(event)[kind].map(({ source }) => source))
    links.push({ kind, known: await listNamed(tx, kind, keys) })
  }
  return links
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
function idsOf({ known, references }: Named): readonly number[] {
  return [...new Set(references.flatMap(({ source }) => known.get(source)?.id ?? []))]
}

/** Returns the event to create, before its dates are moved. Pictures are not fetched. */
function draftFrom(event: SourceEvent, named: readonly Named[]): EventDraft {
  const { title, description: content, excerpt, slug, status, date, dateUtc, start, end, zone, isAllDay } = event
  const { cost, website, showMap, showMapLink, isHidden, isSticky, isFeatured, state } = event
  const [venues = [], organizers = [], categories = [], tags = []] = named.map(idsOf)
  return {
    ...{ title, content, excerpt, slug: slug || undefined, status, date, dateUtc, start, end, zone, isAllDay },
    ...{ cost, website, showMap, showMapLink, isHidden, isSticky, isFeatured },
    // The digest leaves out all other values, because earlier versions did not read them.
    ...statedValues(state),
    ...{ venues: venues.map((id) => ({ id })), organizers: organizers.map((id) => ({ id })), categories, tags },
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
