import { accepted } from '../../access/http/arguments/argument.rules.ts'
import type { ArgumentRule, ArgumentValues } from '../../access/http/arguments/argument.ts'
import type { Fields } from '../../calendar/directory/directory.ts'
import { eventChangeArguments, eventPatchFrom } from '../../calendar/events/model/event.arguments.ts'
import type { EventDraft, EventPatch } from '../../calendar/events/model/event.changes.ts'
import type { LinkInput } from '../../calendar/events/model/links.arguments.ts'
import { answerEvent } from '../../calendar/events/present/answer.ts'
import { findEventOrFail } from '../../calendar/events/read/read.service.ts'
import { eventStandingFields, listEventStandings } from '../../calendar/events/read/standing.repository.ts'
import { createEvent, createEvents } from '../../calendar/events/write/create.service.ts'
import { changeEvent, restoreEvent, trashEvent } from '../../calendar/events/write/event.service.ts'
import { organizers } from '../../calendar/organizers/organizer.directory.ts'
import { assertMayRecall } from '../../calendar/records/recall.ts'
import { assertReferencesExist } from '../../calendar/records/record.references.ts'
import { sourceUrlArgument } from '../../calendar/sources/source.arguments.ts'
import { venues } from '../../calendar/venues/venue.directory.ts'
import { sourceLink } from './source.links.ts'
import type { SentKind, SentValues } from './upsert.kind.ts'

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
} as const

function patchFrom(values: SentValues): EventPatch {
  const patch = eventPatchFrom(values as ArgumentValues<typeof eventChangeArguments>)
  const { start, end = start, venues, organizers } = patch
  return { ...patch, end, hasInstants: true, venues: venues?.map(apart), organizers: organizers?.map(apart) }
}

/** A venue in an event of a source is never that of the same name in another town, and changes nobody's. */
const apart = <F extends Fields>(link: LinkInput<F>): LinkInput<F> =>
  'create' in link ? { create: { ...link.create, isApart: true } } : link

/** How requests write events. */
export const sentEvents: SentKind = {
  kind: 'event',
  create: async (write, { language }, items) => {
    const drafts = items.map(({ values }): EventDraft => {
      const patch = patchFrom(values)
      return { ...patch, title: String(values.title), website: patch.website || undefined }
    })
    const [only] = drafts
    if (only && drafts.length === 1) return [await createEvent(write, only, { language, of: undefined })]
    for (const { authorId, imageId } of drafts) await assertReferencesExist(write.tx, { authorId, imageId })
    return (await createEvents(write, drafts, language)).map((id) => ({ id }))
  },
  change: async (write, { id }, values) => void (await changeEvent(write, id, patchFrom(values))),
  find: async (db, id) => {
    const { status, eventStatus } = await findEventOrFail(db, id)
    return { status, isCanceled: eventStatus === 'canceled' }
  },
  trash: async (write, id) => void (await trashEvent(write, id)),
  restore: async (write, id) => void (await restoreEvent(write, id)),
  edits: { fields: eventStandingFields, list: listEventStandings },
  answer: async ({ deps, actor, addresses }, id, status) => {
    const event = await findEventOrFail(deps.storage.db, id)
    return answerEvent({ deps, actor, addresses, language: undefined }, assertMayRecall(actor, event), { status })
  },
}
