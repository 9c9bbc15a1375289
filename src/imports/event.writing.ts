import type { NewEvent } from '../events/event.changes.ts'
import { updateEvent } from '../events/event.repository.ts'
import { createEvent } from '../events/event.create.service.ts'
import { changeEvent } from '../events/event.service.ts'
import { findOwned } from '../records/record.repository.ts'
import type { Tx } from '../storage/tables.ts'
import { addDays } from './shift.ts'
import type { SourceEvent } from './source.ts'
import { findOriginal, idsOf, type Outcome, type Writing, writeOnce } from './writing.ts'

/** Writes an event; what it names is to be written before. What was moved before stays where it is. */
export async function writeEvent(tx: Tx, writing: Writing, event: SourceEvent): Promise<Outcome> {
  const { context, actor, language } = writing
  const original = await findOriginal(tx, writing, 'event', event.source)
  // A translation takes place when its original does.
  const shiftDays = original?.shiftDays ?? writing.shiftDays
  const links = {
    venue: (await idsOf(tx, 'venue', event.venues)).map((id) => ({ id })),
    organizer: (await idsOf(tx, 'organizer', event.organizers)).map((id) => ({ id })),
    categories: await idsOf(tx, 'category', event.categories),
    tags: await idsOf(tx, 'tag', event.tags),
  }
  const content = { ...sentFrom(event), ...links }
  const of = original?.id
  const moved = (days: number): NewEvent => ({
    ...content,
    start_date: addDays(event.start, days),
    end_date: addDays(event.end, days),
  })
  return writeOnce(tx, { ...writing, shiftDays }, event, {
    kind: 'event',
    content: of === undefined ? content : { ...content, of },
    mayChange: async (id) => (await findOwned(tx, 'event', id))?.status !== 'trash',
    change: async (known) => {
      await changeEvent(tx, context, actor, known.id, moved(known.shiftDays), of)
    },
    create: async () => {
      const created = await createEvent(tx, context, actor, moved(shiftDays), { language, of })
      // A new event without a website shows its own page; the source says that this one shows none.
      if (event.website === '') await updateEvent(tx, created.id, { ...created, website: '' })
      return created.id
    },
  })
}

/** The event as it would be sent to create it, without its links. */
function sentFrom(event: SourceEvent): Omit<NewEvent, 'venue' | 'organizer' | 'categories' | 'tags'> {
  return {
    title: event.title,
    description: event.description,
    excerpt: event.excerpt,
    slug: event.slug === '' ? undefined : event.slug,
    status: event.status,
    author: undefined,
    date: undefined,
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
