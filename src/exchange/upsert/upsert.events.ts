import { accepted } from '../../access/http/arguments/argument.rules.ts'
import type { ArgumentRule, ArgumentValues } from '../../access/http/arguments/argument.ts'
import type { Language } from '../../base/languages/language.ts'
import { parseZone } from '../../base/time/zone.ts'
import type { Fields } from '../../calendar/directory/directory.ts'
import { findTemplate } from '../../calendar/events/event.repository.ts'
import { eventChangeArguments, eventPatchFrom } from '../../calendar/events/model/event.arguments.ts'
import type { EventDraft, EventPatch } from '../../calendar/events/model/event.changes.ts'
import type { LinkInput } from '../../calendar/events/model/links.arguments.ts'
import { answerEvent } from '../../calendar/events/present/answer.ts'
import { findEventOrFail } from '../../calendar/events/read/read.service.ts'
import { createEvent, createEvents } from '../../calendar/events/write/create.service.ts'
import { changeEvent, restoreEvent, trashEvent } from '../../calendar/events/write/event.service.ts'
import { organizers } from '../../calendar/organizers/organizer.directory.ts'
import { assertMayRecall } from '../../calendar/records/recall.ts'
import { assertReferencesExist } from '../../calendar/records/record.references.ts'
import type { WriteContext } from '../../calendar/records/write.context.ts'
import { restoreSeries } from '../../calendar/series/series.trash.service.ts'
import { sourceUrlArgument } from '../../calendar/sources/source.arguments.ts'
import { venues } from '../../calendar/venues/venue.directory.ts'
import { sourceLink } from './source.links.ts'
import type { SentKind, SentValues } from './upsert.kind.ts'
import {
  changeOrRepeat,
  createOfSeries,
  editsOfEvents,
  findOfSource,
  isOfSeries,
  partsOfEvent,
  sentSeriesArguments,
  shownEventId,
  trashRest,
} from './upsert.series.ts'

const required = <A extends object>(argument: A) => ({ ...argument, isRequired: true }) as const

const endRule: ArgumentRule<string | undefined> = (raw, reading) =>
  raw === null || raw === '' ? accepted(undefined) : eventChangeArguments.end_date.read(raw, reading)

/** What a source sends of an event: what its creation takes, and empty values to clear. */
export const sentEventArguments = {
  ...eventChangeArguments,
  title: required(eventChangeArguments.title),
  start_date: required(eventChangeArguments.start_date),
  // Without an end, an event ends when it begins.
  end_date: { ...eventChangeArguments.end_date, read: endRule, isNullable: true },
  venue: sourceLink(eventChangeArguments.venue, venues),
  organizer: sourceLink(eventChangeArguments.organizer, organizers),
  source_url: sourceUrlArgument,
  ...sentSeriesArguments,
} as const

function patchFrom(values: SentValues): EventPatch {
  const patch = eventPatchFrom(values as ArgumentValues<typeof eventChangeArguments>)
  const { start, end = start, venues, organizers } = patch
  return { ...patch, end, hasInstants: true, venues: venues?.map(apart), organizers: organizers?.map(apart) }
}

/** A venue in an event of a source is never that of the same name in another town, and changes nobody's. */
const apart = <F extends Fields>(link: LinkInput<F>): LinkInput<F> =>
  'create' in link ? { create: { ...link.create, isApart: true } } : link

const draftFrom = (values: SentValues): EventDraft => {
  const patch = patchFrom(values)
  return { ...patch, title: String(values.title), website: patch.website || undefined }
}

/** Creates events that do not repeat, all of them together. */
async function createPlain(
  write: WriteContext,
  keys: readonly string[],
  { drafts, language }: { readonly drafts: ReadonlyMap<string, EventDraft>; readonly language: Language },
): Promise<readonly (readonly [key: string, id: number])[]> {
  const all = keys.map((key) => drafts.get(key) as EventDraft)
  const [only] = all
  if (only && all.length === 1) {
    return [[keys[0] as string, (await createEvent(write, only, { language, of: undefined })).id]]
  }
  for (const { authorId, imageId } of all) await assertReferencesExist(write.tx, { authorId, imageId })
  return (await createEvents(write, all, language)).map((id, place) => [keys[place] as string, id] as const)
}

/** How requests write events. */
export const sentEvents: SentKind = {
  kind: 'event',
  create: async (write, { language }, items) => {
    const drafts = new Map(items.map(({ key, values }) => [key, draftFrom(values)] as const))
    const plain = items.filter(({ values }) => !isOfSeries(values)).map(({ key }) => key)
    const made = new Map(await createPlain(write, plain, { drafts, language }))
    for (const { key, values } of items) {
      if (!isOfSeries(values)) continue
      const draft = drafts.get(key) as EventDraft
      const id = await createOfSeries(write, values, { draft, language })
      // A dry run has rolled the series back, so that the date is tried alone.
      made.set(key, id ?? (await createEvent(write, draft, { language, of: undefined })).id)
    }
    return items.map(({ key }) => ({ id: made.get(key) as number }))
  },
  change: (write, { id }, { recurrence, ...values }) =>
    changeOrRepeat(write, id, { patch: patchFrom(values), recurrence }),
  find: findOfSource,
  trash: async (write, id) => {
    if (await findTemplate(write.tx, id)) await trashRest(write, id)
    else await trashEvent(write, id)
  },
  restore: async (write, id) => {
    if (await findTemplate(write.tx, id)) await restoreSeries(write, id)
    else await restoreEvent(write, id)
  },
  edits: editsOfEvents,
  parts: partsOfEvent,
  putBack: async (write, id, parts) => {
    const { zone, ...patch } = Object.assign({}, ...parts)
    await changeEvent(write, id, { ...patch, ...(zone && { zone: parseZone(zone) }) })
  },
  answer: async ({ deps, actor, addresses }, id, status) => {
    const event = await findEventOrFail(deps.storage.db, await shownEventId(deps.storage.db, id, deps.now()))
    return answerEvent({ deps, actor, addresses, language: undefined }, assertMayRecall(actor, event), { status })
  },
}
