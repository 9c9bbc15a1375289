import { sql } from 'kysely'
import type { Language } from '../../../src/base/languages/language.ts'
import type { Db } from '../../../src/storage/database/tables.ts'

export type Kind = 'event' | 'venue' | 'organizer'
/** The template of a series is a record too. No list has it. */
export type RecordKind = Kind | 'series'

/**
 * A record as stored in the tables, independent of who may see it. Translated records are identified by the id of their
 * group.
 */
export interface RecordFacts<K extends RecordKind = Kind> {
  readonly id: number
  readonly kind: K
  readonly status: string
  /** Whether it is in the trash and was public before. */
  readonly isGone: boolean
  readonly authorId: number
  readonly language: Language
  readonly groupId: number
  readonly slug: string
  /** The address of the page of a date of a series, such as `yoga/2030-05-03`. */
  readonly datePath: string | undefined
  /** Of a date that a series got besides its first one: the series, and the day that no other series has. */
  readonly furtherDate: { readonly seriesId: number; readonly day: string } | undefined
  /** The original of the series of which it is a date. */
  readonly seriesId: number | undefined
  /** The number in the words that only this record contains: see `outerWord` and `innerWord`. */
  readonly number: number
  readonly isProtected: boolean
  readonly isHidden: boolean
  readonly isFeatured: boolean
  readonly eventStatus: string
  readonly attendance: string
  readonly isUpcoming: boolean
  readonly hasPlace: boolean
  /** Groups of the records that an event links to. */
  readonly venues: readonly number[]
  readonly organizers: readonly number[]
  readonly terms: readonly number[]
}

export interface TermFacts {
  readonly id: number
  readonly taxonomy: 'category' | 'tag'
  readonly language: Language
  readonly groupId: number
  /** The user who first named it in a draft, if not everybody may see it. */
  readonly introducedBy: number | undefined
}

/** The contents of a calendar. */
export interface Facts {
  readonly records: readonly RecordFacts[]
  /** The templates of series, which have texts of their own. */
  readonly templates: readonly RecordFacts<'series'>[]
  readonly terms: readonly TermFacts[]
}

/** A word that occurs only in the title of the record with this number. */
export const outerWord = (number: number) => `outer${number}x`
/** A word in its texts. In an event, the password protects it. */
export const innerWord = (number: number) => `inner${number}x`

const yearOfDays = 2033
/** A day on which only one series has a date. */
export const dayOfNumber = (number: number) => new Date(Date.UTC(yearOfDays, 0, number)).toISOString().slice(0, 10)

/** Returns how a day is written, in tables, calendars and texts. */
export function spellingsOf(day: string): readonly string[] {
  const inWords = ['en', 'fr-CA'].map((language) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`)),
  )
  return [day, day.replaceAll('-', ''), ...inWords]
}

/** A word that only signed-in callers may see. */
export const membersWord = 'members-only'

interface Row {
  readonly id: number
  readonly kind: RecordKind
  readonly status: string
  readonly status_before_trash: string | null
  readonly author_id: number
  readonly language: Language
  readonly group_id: number | null
  readonly slug: string
  readonly path: string | null
  readonly series_id: number | null
  readonly recurrence_id: string | null
  readonly title: string
  readonly password: string | null
  readonly is_hidden: number | null
  readonly is_featured: number | null
  readonly event_status: string | null
  readonly attendance: string | null
  readonly start_utc: number | null
  readonly latitude: number | null
}

interface LinkRow {
  readonly event_id: number
  readonly group_id: number
}

interface TermRow {
  readonly group_id: number | null
  readonly introduced_by: number | null
  /** A published event that carries it. */
  readonly event_id: number | null
}

/** Reads the contents of the calendar from its tables. */
export async function readFacts(db: Db, now: number): Promise<Facts> {
  const { rows } = await sql<Row>`
    select records.*, events.is_hidden, events.is_featured, events.event_status, events.attendance,
      events.start_utc, venues.latitude, occurrences.path, occurrences.series_id,
      occurrences.recurrence_id from records
      left join events on events.record_id = records.id
      left join venues on venues.record_id = records.id
      left join occurrences on occurrences.event_id = records.id
    where kind in ('event', 'venue', 'organizer', 'series') order by id`.execute(db)
  const links = async (table: 'event_venues' | 'event_organizers' | 'event_terms', column: string, of: string) => {
    const found = await sql<LinkRow>`
      select event_id, coalesce(group_id, id) as group_id from ${sql.table(table)}
        join ${sql.table(of)} on id = ${sql.ref(column)}`.execute(db)
    return Map.groupBy(found.rows, ({ event_id }) => event_id)
  }
  const venues = await links('event_venues', 'venue_id', 'records')
  const organizers = await links('event_organizers', 'organizer_id', 'records')
  const carried = await links('event_terms', 'term_id', 'terms')
  const terms = await sql<Pick<TermFacts, 'id' | 'taxonomy' | 'language'> & TermRow>`
    select id, taxonomy, language, group_id, introduced_by, event_id from terms
      left join (
        select term_id, min(event_id) as event_id from event_terms join records on id = event_id
        where status = 'publish' and kind = 'event' group by term_id) published on term_id = terms.id
    order by id`.execute(db)
  const groupsOf = (by: ReadonlyMap<number, readonly LinkRow[]>, id: number) => [
    ...new Set((by.get(id) ?? []).map(({ group_id }) => group_id)),
  ]
  const recordOf = <K extends RecordKind>(row: Row, kind: K): RecordFacts<K> => ({
    id: row.id,
    kind,
    status: row.status,
    isGone: row.status === 'trash' && row.status_before_trash === 'publish',
    authorId: row.author_id,
    language: row.language,
    groupId: row.group_id ?? row.id,
    slug: row.slug,
    datePath: row.path ?? undefined,
    furtherDate:
      row.series_id !== null && row.recurrence_id?.startsWith(String(yearOfDays))
        ? { seriesId: row.series_id, day: row.recurrence_id.slice(0, 10) }
        : undefined,
    seriesId: row.series_id ?? undefined,
    number: Number(/outer(\d+)x/.exec(row.title)?.[1]),
    isProtected: row.password !== null,
    isHidden: row.is_hidden === 1,
    isFeatured: row.is_featured === 1,
    eventStatus: row.event_status ?? 'scheduled',
    attendance: row.attendance ?? 'offline',
    isUpcoming: (row.start_utc ?? 0) >= now,
    hasPlace: row.latitude !== null,
    venues: groupsOf(venues, row.id),
    organizers: groupsOf(organizers, row.id),
    terms: groupsOf(carried, row.id),
  })
  return {
    records: rows.flatMap((row) => (row.kind === 'series' ? [] : [recordOf(row, row.kind)])),
    templates: rows.flatMap((row) => (row.kind === 'series' ? [recordOf(row, row.kind)] : [])),
    terms: terms.rows.map(({ group_id, introduced_by, event_id, ...term }) => ({
      ...term,
      groupId: group_id ?? term.id,
      // Published terms are visible to everybody, regardless of the table.
      introducedBy: event_id === null ? (introduced_by ?? undefined) : undefined,
    })),
  }
}
