import { codedFields, valueFields } from '../events/model/event.fields.ts'

// Which columns and links dates take from their series, by the names of `eventStandingFields`.

/** A field of an event that dates take from the template of their series. */
export interface FollowedField {
  readonly records?: readonly string[]
  readonly events?: readonly string[]
  readonly links?: 'venue' | 'organizer' | 'category' | 'tag'
  /** Whether dates that are over keep it: what has happened to them has happened. */
  readonly isOfComing?: boolean
}

const columnsOf = (field: keyof typeof codedFields, table: 'records' | 'events'): readonly string[] =>
  Object.keys((codedFields[field].columns as Readonly<Record<string, object>>)[table] ?? {})

const grouped: readonly string[] = ['event_status', 'event_status_reason']

/** All fields that are copied from the template. Times, the status and its date have code of their own. */
export const copiedFields: Readonly<Record<string, FollowedField>> = {
  author: { records: columnsOf('author', 'records') },
  title: { records: columnsOf('title', 'records') },
  description: { records: columnsOf('content', 'records') },
  excerpt: { records: columnsOf('excerpt', 'records') },
  image: { records: columnsOf('image', 'records') },
  event_password: { records: columnsOf('password', 'records') },
  cost: { events: columnsOf('cost', 'events') },
  venue: { links: 'venue' },
  organizer: { links: 'organizer' },
  categories: { links: 'category' },
  tags: { links: 'tag' },
  event_status: { events: ['event_status', 'status_reason', ...columnsOf('state', 'events')], isOfComing: true },
  ...Object.fromEntries(
    Object.values(valueFields.fields).flatMap(({ name, column }) =>
      grouped.includes(name) ? [] : [[name, { events: name === 'offers' ? [column, 'has_tickets'] : [column] }]],
    ),
  ),
}

export const followedFields: readonly string[] = [...Object.keys(copiedFields), 'start_date', 'status', 'date']

/** The field of times: start, end, zone and whole days. */
export const timesField = 'start_date'
