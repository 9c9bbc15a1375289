import { digestedVersion, type PublicItem } from './change.log.ts'

/**
 * SQL of what a list shows of a protected event without its password: its title, address, times and what happens to it
 * (events.md §6). Other changes of it must leave no trace.
 */
const unprotectedColumns = [
  ...['records.title_html', 'records.slug', 'records.author_id', 'records.dated_at'],
  ...['events.start_local', 'events.end_local', 'events.timezone', 'events.event_status', 'events.status_at'],
  ...['events.previous_starts', 'events.attendance'],
]

/** SQL of what a date of a series has of its own, if the event is one. The rules and texts of the series have a row themselves. */
const ofDate = (fields: string) => `coalesce((
  select ' ' || cast(series_id as text) || ' ' || recurrence_id || ' ' || path${fields}
  from occurrences where event_id = events.record_id), '')`

/** Returns SQL of the text from which the version of an event follows, on `records` and `events`. */
export function versionColumn(jsonObject: string): string {
  const values = unprotectedColumns.map((column) => `'${column}', ${column}`)
  return `case when records.password is null then cast(records.change_count as text) || ${ofDate(` || ' ' || own_fields`)}
    else 'protected ' || cast(${jsonObject}(${values.join(', ')}) as text) || ${ofDate('')} end`
}

/** What the log needs to know of an event. */
export interface EventForLog {
  readonly status: string
  readonly language: string
  readonly is_hidden: number
  readonly is_protected: number
  /** The text of `versionColumn`. */
  readonly version: string
}

/** Returns an event as visitors see it in lists; undefined if they do not. */
export function publicEvent(event: EventForLog | undefined): PublicItem | undefined {
  if (event?.status !== 'publish' || event.is_hidden === 1) return undefined
  const { version, language } = event
  if (event.is_protected === 0) return { version, language }
  return { version: digestedVersion(version), language }
}
