import { htmlToText } from '../../base/text/escape.ts'
import type { Likeness } from '../../calendar/directory/directory.alike.repository.ts'
import type { EntrySource, EventRow, List } from '../api/answers.ts'
import type { NamedJson } from '../events/event.json.ts'
import type { DeskCall, OwnCall } from '../shell/desk.call.ts'

/** A field of the form of a venue or an organizer. */
export interface RecordField {
  readonly name: string
  readonly type: 'text' | 'area' | 'check'
  readonly label: Parameters<DeskCall['say']>[0]
  readonly hint?: Parameters<DeskCall['say']>[0]
  /** Whether all translations have the same value, so that a new translation does not ask for it. */
  readonly isShared?: boolean
  readonly autocomplete?: string
}

/** Venues or organizers, as the desk shows them. */
export interface RecordKind {
  readonly kind: 'venue' | 'organizer'
  readonly plural: 'venues' | 'organizers'
  /** Groups of fields, in the order of the form. */
  readonly fields: readonly RecordField[]
}

const phone: RecordField = { name: 'phone', type: 'text', label: 'records.phone', isShared: true }
const website: RecordField = { name: 'website', type: 'text', label: 'records.website', hint: 'records.website.hint' }
const description: RecordField = {
  ...{ name: 'description', type: 'area', label: 'editor.description', hint: 'editor.description.hint' },
}

export const recordKinds: readonly RecordKind[] = [
  {
    ...{ kind: 'venue', plural: 'venues' },
    fields: [
      { name: 'venue', type: 'text', label: 'records.name' },
      description,
      { name: 'address', type: 'text', label: 'records.address' },
      { name: 'city', type: 'text', label: 'records.city' },
      { name: 'province', type: 'text', label: 'records.province' },
      { name: 'zip', type: 'text', label: 'records.zip', isShared: true },
      { name: 'country', type: 'text', label: 'records.country' },
      phone,
      website,
      { name: 'geo_lat', type: 'text', label: 'records.latitude', hint: 'records.latitude.hint', isShared: true },
      { name: 'geo_lng', type: 'text', label: 'records.longitude', hint: 'records.longitude.hint', isShared: true },
      { name: 'show_map', type: 'check', label: 'records.show-map', isShared: true },
      { name: 'show_map_link', type: 'check', label: 'records.show-map-link', isShared: true },
    ],
  },
  {
    ...{ kind: 'organizer', plural: 'organizers' },
    fields: [
      { name: 'organizer', type: 'text', label: 'records.name' },
      description,
      phone,
      website,
      { name: 'email', type: 'text', label: 'users.email', isShared: true },
    ],
  },
]

/** A version of a record in a language. */
export interface RecordVersion {
  readonly language: string
  readonly id: number
}

/** A row of the list of venues or organizers. */
export interface RecordRow {
  readonly id: number
  readonly name: string
  readonly place: string
  readonly address: string
  readonly status: string
  readonly author: string
  readonly versions: readonly RecordVersion[]
  readonly events: number
  /** The earlier records that it looks like. */
  readonly alike: readonly { readonly id: number; readonly reason: Likeness }[]
}

type EntryJson = NamedJson &
  Pick<EventRow, 'status' | 'author'> & { readonly email?: string; readonly address?: string }
type UsageJson = List<
  'items',
  Readonly<Partial<Record<RecordKind['kind'], EntryJson>>> & Pick<RecordRow, 'versions' | 'events' | 'alike'>
>

export interface RecordQuery {
  readonly search?: string | undefined
  readonly page?: number
  readonly per_page?: number
  readonly has_events?: string | undefined
  readonly status?: string
  readonly alike?: 'true'
}

/** Reads a page of the list of venues or organizers. */
export async function readRecords(
  { api, say }: OwnCall,
  { kind, plural }: RecordKind,
  query: RecordQuery,
): Promise<{ readonly rows: readonly RecordRow[]; readonly total: number; readonly pages: number }> {
  const { status, body } = await api.service<UsageJson>({ path: `/${plural}/usage`, query: { ...query } })
  if (status !== 200) return { rows: [], total: 0, pages: 0 }
  const rows = body.items.flatMap(({ versions, events, alike = [], ...item }): readonly RecordRow[] => {
    const entry = item[kind]
    if (!entry) return []
    const { id, status: state, author } = entry
    const name = htmlToText(entry[kind] ?? '').trim() || say('events.untitled')
    const [place, address] = [entry.city ?? entry.email ?? '', entry.address ?? ''].map(htmlToText) as [string, string]
    return [{ id, name, place, address, status: state, author, versions, events, alike }]
  })
  return { rows, total: body.total, pages: body.total_pages }
}

/** A venue or an organizer as it was written. */
export type RecordSource = EntrySource & { readonly version: string }

/** Returns a record as it was written; undefined if there is none that the user may change. */
export async function readRecordSource(
  { api }: OwnCall,
  { plural }: RecordKind,
  id: number | string,
): Promise<RecordSource | undefined> {
  const { status, body, version } = await api.service<EntrySource>({
    path: `/${plural}/${id}/source`,
  })
  return status === 200 ? { ...body, version: version ?? '' } : undefined
}

/** Returns the text of a name, which is stored as HTML. */
export function plainName({ say }: Pick<DeskCall, 'say'>, name: string): string {
  return htmlToText(name).trim() || say('events.untitled')
}
