import { languageParameterNames } from '../../access/http/addresses.ts'
import { placeOf, readNamed } from '../events/editor.named.ts'
import type { DeskForm, OwnCall } from '../shell/desk.call.ts'
import type { Faults } from '../shell/fields.ts'
import { type EntryState, type EntryValues, newEntry } from './entry.form.ts'
import {
  plainName,
  type RecordField,
  type RecordKind,
  type RecordSource,
  type RecordVersion,
  readRecordSource,
} from './record.kinds.ts'

/** What the form of a venue or an organizer shows, and what it compares with when it is saved. */
export interface RecordState extends EntryState {
  readonly status: string
  readonly versions: readonly RecordVersion[]
  readonly events: number
}

/** Returns the fields that the form of this state has. */
export function fieldsOf({ fields }: RecordKind, { translates }: Pick<RecordState, 'translates'>) {
  return translates === undefined ? fields : fields.filter(({ isShared }) => !isShared)
}

/** Returns the state of a new record, or of a new translation; undefined if there is nothing to translate. */
async function newRecordState(call: OwnCall, kind: RecordKind): Promise<RecordState | undefined> {
  const { translates, ...entry } = newEntry(call)
  const empty = Object.fromEntries(kind.fields.map(({ name, type }) => [name, type === 'check' ? '1' : '']))
  const base = { ...entry, translates, status: 'draft', versions: [], events: 0, values: empty, was: empty }
  if (translates === undefined) return base
  const original = await recordState(call, kind, translates)
  return original && { ...base, values: original.values }
}

/** Returns the state of a stored record, or of a new one; undefined if there is none that the user may change. */
export async function recordState(
  call: OwnCall,
  kind: RecordKind,
  id: number | string | undefined,
): Promise<RecordState | undefined> {
  if (id === undefined) return newRecordState(call, kind)
  const source = await readRecordSource(call, kind, id)
  if (!source || source.status === 'trash') return undefined
  const values = Object.fromEntries(kind.fields.map((one) => [one.name, storedValue(one, kind, source)]))
  const { status, language, version, translations: versions, events } = source
  return {
    ...{ id: source.id, translates: undefined, status, language, version, versions, events },
    ...{ values, was: values },
  }
}

function storedValue({ name, type }: RecordField, { kind }: RecordKind, source: RecordSource): string {
  const { fields } = source
  // Names are stored as HTML. An ampersand that begins no entity is shown as it was typed.
  if (name === kind) return source.name.replace(/&amp;(?!#?\w+;)/g, '&')
  if (name === 'description') return source.description.replaceAll('\r\n', '\n')
  if (name === 'province') return String(fields.province || fields.state || fields.stateprovince || '')
  const value = fields[name]
  return type === 'check' ? (value === true ? '1' : '') : value === null || value === undefined ? '' : String(value)
}

/** Returns the values of a submitted form. */
export function recordValuesIn({ fields }: RecordKind, form: DeskForm, prefix = ''): EntryValues {
  return Object.fromEntries(
    fields.map(({ name, type }) => {
      const value = form.get(`${prefix}${name}`)
      return [name, type === 'area' ? value : value.trim()]
    }),
  )
}

/** Countries whose regions are states (venues-organizers.md §4.2). */
const countriesWithStates = new Set(['', 'US', 'United States'])

/** Returns the parameters that save what was changed. Fields that nobody changed are not sent. */
export function recordParameters(
  call: OwnCall,
  kind: RecordKind,
  state: RecordState,
): Readonly<Record<string, unknown>> {
  const { values, was, id, translates } = state
  const sent = fieldsOf(kind, state).filter(({ name }) => (id === undefined ? true : values[name] !== was[name]))
  const json: Record<string, unknown> = {}
  for (const { name, type } of sent) {
    const value = values[name] ?? ''
    if (name.startsWith('geo_')) continue
    if (name === 'province') {
      const isState = countriesWithStates.has(values.country ?? '')
      Object.assign(json, { province: isState ? '' : value, state: isState ? value : '', stateprovince: '' })
    } else json[name] = type === 'check' ? value === '1' : value
  }
  // Both coordinates belong together.
  if (sent.some(({ name }) => name.startsWith('geo_'))) {
    const degrees = (name: string) => (values[name] ? Number((values[name] ?? '').replace(',', '.')) : null)
    Object.assign(json, { geo_lat: degrees('geo_lat'), geo_lng: degrees('geo_lng') })
  }
  if (translates !== undefined) json[languageParameterNames(call.config).translationOf] = translates
  else if (id === undefined) json.apart = true
  return json
}

/** Returns the faults that the desk finds itself. */
export async function recordFaults(call: OwnCall, kind: RecordKind, state: RecordState): Promise<Faults> {
  const { say } = call
  const { values, id, translates } = state
  const name = values[kind.kind] ?? ''
  if (name === '') return { [kind.kind]: say('fault.required') }
  for (const coordinate of ['geo_lat', 'geo_lng']) {
    const value = values[coordinate] ?? ''
    if (value !== '' && !/^-?\d{1,3}(?:[.,]\d{1,20})?$/.test(value)) return { [coordinate]: say('records.degrees') }
  }
  if (id !== undefined || translates !== undefined) return {}
  // Otherwise the interface would change the one that exists (venues-organizers.md §4.3).
  const known = (await readNamed(call, { [kind.plural]: [name] }))[kind.plural]
  const place = placeOf(known, { name: plainName(call, name), city: values.city ?? '' })
  return 'cities' in place || place.known ? { [kind.kind]: say(`${kind.plural}.exists`) } : {}
}
