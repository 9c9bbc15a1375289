import { type RawBuilder, sql } from 'kysely'
import type { Translation } from '../../base/languages/chain.ts'
import type { Language } from '../../base/languages/language.ts'
import { type IndexedPreference, preferenceBits, preferenceFromKey } from '../../base/languages/preference.bits.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db, Flag } from '../../storage/database/tables.ts'
import { publicEvent, versionColumn } from '../changelog/event.version.repository.ts'
import { FACETS, isStateFacet, type ListedEvent, listedColumns, longestShortSeconds, placeOf } from './event.index.ts'

interface EventSource {
  readonly id: number
  readonly status: string
  readonly language: Language
  readonly group_id: number | null
  readonly author_id: number
  readonly dated_at: number
  readonly is_protected: Flag
  readonly start_local: string
  readonly end_local: string
  readonly start_utc: number
  readonly end_utc: number
  readonly is_hidden: Flag
  readonly is_featured: Flag
  readonly has_tickets: Flag
  readonly event_status: string
  readonly attendance: string
  /** Ids of groups, separated by commas. */
  readonly terms: string | null
  readonly venues: string | null
  readonly organizers: string | null
  readonly series_id: number | null
  /** The versions of its group that are not hidden, as `id status language`, separated by commas. */
  readonly versions: string | null
  /** The text from which the version of the event in the log of changes follows. */
  readonly version: string
  /** The preferences that lists can have, as `place=name`, separated by semicolons. */
  readonly preferences: string
}

/** The source data of an event, and what was derived from it, as JSON. Null if the event or its entry is missing. */
export interface EventSourceRow {
  readonly source: string | EventSource | null
  readonly entry: string | ListedEvent | null
}

const linkedGroups = (links: string, column: string, table: 'records' | 'terms') => `(select string_agg(
    (select cast(coalesce(linked.group_id, linked.id) as text) from ${table} linked where linked.id = link.${column}), ',')
  from ${links} link where link.event_id = events.record_id)`

const columnsOf = (table: string, names: readonly string[]) => names.map((name) => [name, `${table}.${name}`] as const)

/** The values of `EventSource` as SQL, by their names. */
const sourceValues: readonly (readonly [name: string, value: string])[] = [
  ...columnsOf('records', ['id', 'status', 'language', 'group_id', 'author_id', 'dated_at']),
  ...columnsOf('events', ['start_local', 'end_local', 'start_utc', 'end_utc']),
  ...columnsOf('events', ['is_hidden', 'is_featured', 'has_tickets', 'event_status', 'attendance']),
  ['is_protected', 'case when records.password is null then 0 else 1 end'],
  ['terms', linkedGroups('event_terms', 'term_id', 'terms')],
  ['venues', linkedGroups('event_venues', 'venue_id', 'records')],
  ['organizers', linkedGroups('event_organizers', 'organizer_id', 'records')],
  ['series_id', '(select series_id from occurrences where event_id = events.record_id)'],
  [
    'versions',
    `(select string_agg(cast(version.id as text) || ' ' || version.status || ' ' || version.language, ',')
    from records version where version.group_id = records.group_id
      and (select is_hidden from events listed where listed.record_id = version.id) = 0)`,
  ],
  ['preferences', `(select string_agg(cast(place as text) || '=' || preference, ';') from list_preferences)`],
]
const entryValues = columnsOf('entry', listedColumns)

/**
 * Returns the columns of `EventSourceRow`. Each is a subquery for one event: a server may not turn them into joins that
 * read all events.
 *
 * @param id The column with the id of the event.
 */
export function eventSourceColumns({ jsonObject }: Dialect, id: string): RawBuilder<unknown> {
  const object = (values: typeof sourceValues) =>
    `${jsonObject}(${values.map(([name, value]) => `'${name}', ${value}`).join(', ')})`
  const source = [...sourceValues, ['version', versionColumn(jsonObject)] as const]
  return sql.raw(`(select ${object(source)} from events join records on records.id = events.record_id
      where events.record_id = ${id} and records.id = ${id} and records.kind = 'event') as source,
    (select ${object(entryValues)} from listed_events entry where entry.event_id = ${id}) as entry`)
}

/** Reads what is derived from these events, and what should be. For checks. */
export async function listIndexedEvents(
  db: Db,
  dialect: Dialect,
  ids: readonly number[],
): Promise<readonly { readonly before: ListedEvent | undefined; readonly after: ListedEvent | undefined }[]> {
  const { rows } = await sql<EventSourceRow>`
    select ${eventSourceColumns(dialect, 'given.id')} from ${dialect.numbers(ids)} given`.execute(db)
  return rows.map(indexedFromSource)
}

export function indexedFromSource({ source, entry }: EventSourceRow) {
  const [known, stored] = [parsed(source), parsed(entry)]
  return {
    before: stored ?? undefined,
    after: known ? listedAfter(known) : undefined,
    shown: publicEvent(known ?? undefined),
  }
}

/** PostgreSQL returns JSON as values, SQLite as text. */
export function parsed<T>(json: string | T | null): T | null {
  return typeof json === 'string' ? (JSON.parse(json) as T) : json
}

/** Returns the entry that the event should have, with the columns in their order. */
function listedAfter(row: EventSource): ListedEvent {
  return {
    place: placeOf(row.start_local, row.id),
    event_id: row.id,
    start_local: row.start_local,
    dated_at: row.dated_at,
    end_local: row.end_local,
    start_utc: row.start_utc,
    end_utc: row.end_utc,
    is_long: row.end_utc - row.start_utc > longestShortSeconds ? 1 : 0,
    status: row.status,
    language: row.language,
    author_id: row.author_id,
    group_id: row.group_id,
    is_hidden: row.is_hidden,
    is_protected: row.is_protected,
    has_venue: row.venues === null ? 0 : 1,
    ...shownBits(row),
    series_id: row.series_id,
    facets: facetsOf(row).join(','),
  }
}

/** Returns the lists that show the event, if only versions with its status compete, and if all outside the trash do. */
function shownBits(row: EventSource): Pick<ListedEvent, 'shown_alone' | 'shown_among_all'> {
  if (row.is_hidden === 1) return { shown_alone: 0, shown_among_all: 0 }
  const preferences = preferencesIn(row.preferences)
  const groupId = row.group_id ?? row.id
  const own = { id: row.id, language: row.language, groupId }
  const versions = versionsOf(row)
  const bitsAmong = (mayCompete: (status: string) => boolean) =>
    mayCompete(row.status)
      ? preferenceBits(own, versions ? versions.filter(({ status }) => mayCompete(status)) : [own], preferences)
      : 0
  return {
    shown_alone: bitsAmong((status) => status === row.status),
    shown_among_all: bitsAmong((status) => status !== 'trash'),
  }
}

const knownPreferences = new Map<string, readonly IndexedPreference[]>()

function preferencesIn(text: string): readonly IndexedPreference[] {
  const known = knownPreferences.get(text)
  if (known) return known
  const preferences = text.split(';').map((pair) => {
    const [place = '', name = ''] = pair.split('=')
    return { ...preferenceFromKey(name), place: Number(place) }
  })
  knownPreferences.clear()
  knownPreferences.set(text, preferences)
  return preferences
}

function versionsOf({
  versions,
  group_id,
}: EventSource): readonly (Translation & { readonly status: string })[] | undefined {
  return versions?.split(',').map((version) => {
    const [id = '', status = '', language = ''] = version.split(' ')
    return { id: Number(id), status, language: language as Language, groupId: group_id ?? 0 }
  })
}

function facetsOf(row: EventSource): readonly number[] {
  const facets = [
    ...(row.is_featured === 1 ? [FACETS.featured] : []),
    ...(row.has_tickets === 1 ? [FACETS.ticketed] : []),
    ...[row.event_status, row.attendance].filter(isStateFacet).map(FACETS.state),
    ...idsIn(row.terms).map(FACETS.term),
    ...idsIn(row.venues).map(FACETS.place),
    ...idsIn(row.organizers).map(FACETS.place),
    ...(row.series_id === null ? [] : [FACETS.series(row.series_id)]),
  ]
  return [...new Set(facets)].sort((one, other) => one - other)
}

/** Returns distinct ids: translations of each other count once. */
function idsIn(list: string | null): readonly number[] {
  return list === null ? [] : [...new Set(list.split(',').map(Number))]
}
