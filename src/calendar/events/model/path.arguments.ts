import { accepted, refused } from '../../../access/http/arguments/argument.rules.ts'
import { filledTextSchema, integerSchema } from '../../../access/http/arguments/argument.schema.ts'
import type { Argument } from '../../../access/http/arguments/argument.ts'
import { slugFrom } from '../../../base/text/slug.ts'
import { findNextDateBySlug } from '../../occurrences/next.date.repository.ts'
import { findIdBySlug } from '../../records/record.versions.repository.ts'
import { viewerOfReading } from '../../translations/viewer.ts'

/** Contract: an id that does not exist is a 404 here, not a bad parameter, so the rule accepts it. */
export const idArgument = {
  type: 'integer',
  description: 'id.event',
  schema: integerSchema,
  isRequired: true,
  read: (raw) => accepted(Number(raw)),
} as const satisfies Argument<number>

/** The slug in a path. The value is the id of the event. */
export const slugArgument = {
  type: 'string',
  description: 'slug.event',
  schema: filledTextSchema,
  isRequired: true,
  read: async (raw, reading) => {
    const id = await findIdBySlug(reading.db, { kind: 'event', slug: slugFrom(String(raw)) }, viewerOfReading(reading))
    return id === undefined ? refused('fault.unknown-event') : accepted(id)
  },
} as const satisfies Argument<number>

/** The slug of an event to read. The slug of a series means its next date. */
export const readSlugArgument = {
  ...slugArgument,
  read: async (raw, reading) => {
    const [slug, viewer] = [slugFrom(String(raw)), viewerOfReading(reading)]
    const found =
      (await findIdBySlug(reading.db, { kind: 'event', slug }, viewer)) ??
      (await findNextDateBySlug(reading.db, viewer, { slug, at: reading.now }))
    return found === undefined ? refused('fault.unknown-event') : accepted(found)
  },
} as const satisfies Argument<number>

/** Contract: on update an unknown slug is a 404 (events.md §4). The value is then 0, which no event has as its id. */
export const updatedSlugArgument = {
  ...slugArgument,
  read: async (raw, reading) =>
    accepted(
      (await findIdBySlug(reading.db, { kind: 'event', slug: slugFrom(String(raw)) }, viewerOfReading(reading))) ?? 0,
    ),
} as const satisfies Argument<number>
