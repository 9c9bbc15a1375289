import { languageParameterNames } from '../../access/http/addresses.ts'
import { localDateTimeAt, parseZone } from '../../base/time/zone.ts'
import { statuses } from '../api/statuses.ts'
import type { OwnCall } from '../shell/desk.call.ts'
import type { Faults } from '../shell/fields.ts'
import { timeParameters } from './editor.dates.ts'
import { inLanguage, type TextField } from './editor.fields.ts'
import { nameKey, type Place, readNamed, venueOf, whichText } from './editor.named.ts'
import { offersOf } from './editor.offers.ts'
import type { EditorState, Version } from './editor.state.ts'
import { faultsByField } from './editor.values.ts'
import { recurrenceFrom, recurrenceIn } from './repeat.rule.ts'
import { type DateCounts, datesIn, type SaveScope, scopeParameters } from './series.counts.ts'

// One save writes all languages of an event in one transaction: a batch in which everything succeeds or nothing.

type Parameters = Readonly<Record<string, unknown>>

interface Operation {
  readonly ref?: string
  readonly method: 'POST' | 'PATCH'
  readonly path: string
  readonly body: Parameters
  readonly if_match?: string
}

interface BatchJson {
  readonly results?: readonly {
    readonly status: number
    readonly id?: number
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: {
      readonly message?: string
      readonly data?: { readonly params?: Faults; readonly event_ids?: readonly number[] }
    }
  }[]
}

export type Saved =
  | { readonly kind: 'saved'; readonly id: number; readonly dates: DateCounts | undefined }
  /** The series would lose dates that have changes or tickets of their own. */
  | { readonly kind: 'in-use'; readonly ids: readonly number[] }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'refused'; readonly faults: Faults }

/** What a save makes of the event: its next state, or `save` for the one that it has. */
export interface SaveOptions {
  readonly to: string
  /** A second click sends the same key, and saves nothing twice. */
  readonly key: string
  /** Which dates of a series the save means. */
  readonly scope?: SaveScope | undefined
  /** Whether the series may lose dates that have changes or tickets of their own. */
  readonly drop?: boolean
  /** Whether times and states change on dates that have begun, too. Only if all dates are meant. */
  readonly past?: boolean
  /** Whether to only tell what would change. */
  readonly isDry?: boolean
}

const mainRef = 'event'

/** The first operations of a batch compare the versions. The others change them. */
const compared = { if_match: '*' } as const

/** Saves what was changed. Fields that nobody changed are not sent. */
export async function saveEvent(call: OwnCall, state: EditorState, options: SaveOptions): Promise<Saved> {
  const { to, key, isDry = false } = options
  const written = state.versions.filter(
    ({ id, language }) => id !== undefined || textOf(state, 'title', language) !== '',
  )
  const [main, ...others] = written
  if (!main) return { kind: 'refused', faults: {} }
  const venue = isChanged(state, 'venue', 'venue_city') ? await venueOf(call, state) : undefined
  if (venue && 'cities' in venue) return { kind: 'refused', faults: { venue_city: whichText(call, venue) } }
  const shared = await sharedParameters(call, state, { venue, to })
  const ofEach = parametersOfEach(state)
  const changed = changedRecurrence(state)
  const recurrence = changed && recurrenceFrom(changed, firstChanged(call, state, options))
  // Versions of a new event are made first, so that the series has all of them.
  const isLast = recurrence !== undefined && state.series === undefined && (main.id !== undefined || others.length > 0)
  const known = written.filter(({ id }) => id !== undefined)
  const languages = languageParameterNames(call.config)
  const write = (version: Version): Operation => {
    const { id, language } = version
    const texts = textParameters(state, version)
    const body = {
      ...texts,
      ...ofEach,
      ...(version === main ? shared : {}),
      ...statusParameter(call, state, { version, to }),
      ...(version === main && recurrence !== undefined && !isLast ? { recurrence } : {}),
    }
    if (id !== undefined)
      return {
        method: 'PATCH',
        path: `/events/${id}`,
        body: { ...body, ...scopeParameters(body, options) },
        ...compared,
      }
    const own = { ...body, [languages.language]: language }
    if (version === main) return { ref: mainRef, method: 'POST', path: '/events', body: own }
    // A new language of all dates is one of the series.
    if (state.series && options.scope === 'all') {
      const path = `/series/${state.series.id}/translations`
      return { method: 'POST', path, body: { ...texts, [languages.language]: language }, ...compared }
    }
    const original = main.id ?? { ref: mainRef }
    return { method: 'POST', path: '/events', body: { ...own, [languages.translationOf]: original } }
  }
  const operations: readonly (Operation & { readonly language: string })[] = [
    // A write to one language changes what all of them share, and so their versions. All are compared before any write.
    ...known.map(({ id, version, language }) => ({
      ...({ method: 'PATCH', path: `/events/${id}`, body: {}, if_match: `"${version}"`, language } as const),
    })),
    ...[main, ...others].map((version) => ({ ...write(version), language: version.language })),
    ...(isLast
      ? [
          {
            ...({
              method: 'PATCH',
              path: `/events/${main.id ?? `{${mainRef}}`}`,
              body: { recurrence },
              ...compared,
            } as const),
            language: main.language,
          },
        ]
      : []),
  ]
  const answer = await call.api.service<BatchJson>({
    ...{ method: 'POST', path: '/batch', query: { dry_run: isDry ? 'true' : undefined } },
    json: { atomic: true, operations: operations.map(({ language: _, ...operation }) => operation) },
    headers: !isDry && /^[\w-]{1,100}$/.test(key) ? { 'idempotency-key': `"${key}"` } : {},
  })
  const results = answer.body.results ?? []
  if (answer.status < 300) {
    const made = results[known.length]?.id
    return { kind: 'saved', id: main.id ?? made ?? 0, dates: datesIn(results) }
  }
  const failed = results.at(-1)
  if (failed?.status === statuses.preconditionFailed) return { kind: 'conflict' }
  const ids = failed?.body?.data?.event_ids
  if (failed?.status === statuses.conflict && ids !== undefined) return { kind: 'in-use', ids }
  const language = operations[results.length - 1]?.language ?? main.language
  const message = failed?.body?.message ?? answer.message
  const faults = failed?.body?.data?.params ?? answer.faults
  return { kind: 'refused', faults: faultsByField(call, faults, { message, language }) }
}

/** Returns what repeats, if that was changed. */
export function changedRecurrence({ values, was }: EditorState) {
  const sent = recurrenceIn(values)
  return JSON.stringify(sent) === JSON.stringify(recurrenceIn(was)) ? undefined : sent
}

/** Returns the local time from which a new rule counts. All dates of a series are those that have not begun. */
function firstChanged({ now, config }: OwnCall, { values, series }: EditorState, { scope }: SaveOptions): string {
  if (series === undefined) return values.start ?? ''
  return scope === 'all'
    ? localDateTimeAt(now, parseZone(values.timezone ?? '') ?? config.siteZone)
    : series.recurrenceId
}

const textOf = ({ values }: EditorState, name: TextField, language: string) => values[inLanguage(name, language)] ?? ''

const isChanged = ({ values, was }: EditorState, ...names: readonly string[]) =>
  names.some((name) => values[name] !== was[name])

function textParameters(state: EditorState, { language, id }: Version): Parameters {
  const isNew = id === undefined
  const sent = (['title', 'excerpt', 'description', 'slug'] as const).filter((name) => {
    const own = inLanguage(name, language)
    // An address cannot be emptied: a new one follows from the title only once.
    if (isNew || name === 'slug') return state.values[own] !== '' && (isNew || isChanged(state, own))
    return isChanged(state, own)
  })
  const reason = inLanguage('event_status_reason', language)
  const hasReason = state.values.event_status !== 'scheduled' && isChanged(state, reason, 'event_status')
  return {
    ...Object.fromEntries(sent.map((name) => [name, textOf(state, name, language)])),
    ...(hasReason ? { event_status: state.values.event_status, event_status_reason: state.values[reason] ?? '' } : {}),
  }
}

/** Returns the next state of the event. */
function nextStatus({ values, status }: EditorState, to: string): string {
  if (to === 'draft' || to === 'pending') return to
  const isOpen = values.visibility === 'private' ? 'private' : 'publish'
  return to === 'publish' || status === 'publish' || status === 'private' ? isOpen : status
}

/** Returns the next state of a version. A language that is held back stays a draft. */
function statusParameter(
  { config, now }: OwnCall,
  state: EditorState,
  { version, to }: { readonly version: Version; readonly to: string },
): Parameters {
  const { values, was } = state
  const hold = inLanguage('hold', version.language)
  const next = nextStatus(state, to)
  const isHeld = values[hold] === '1' && next !== 'draft'
  const isSent = version.id === undefined || to !== 'save' || isChanged(state, hold, 'visibility')
  const date =
    values.date !== was.date ? { date: `${values.date || localDateTimeAt(now, config.siteZone).slice(0, 16)}:00` } : {}
  return { ...date, ...(isSent ? { status: isHeld ? 'draft' : next } : {}) }
}

/** Returns what each language has of its own in the interface, though the editor shows it once. */
function parametersOfEach(state: EditorState): Parameters {
  const { values } = state
  return {
    ...(isChanged(state, 'cost') ? { cost: values.cost } : {}),
    ...(isChanged(state, 'website') ? { website: values.website } : {}),
    ...(values.event_password ? { event_password: values.event_password } : {}),
    ...(values.no_password === '1' ? { event_password: '' } : {}),
  }
}

interface LinkOptions {
  readonly venue: Place | undefined
  readonly to: string
}

async function sharedParameters(call: OwnCall, state: EditorState, { venue, to }: LinkOptions): Promise<Parameters> {
  const { values } = state
  const { start = '', end = '', all_day: allDay } = values
  const isAllDay = allDay === '1'
  const changed = (...names: readonly string[]) => isChanged(state, ...names)
  const times = {
    ...timeParameters({ start, end, isAllDay }),
    ...{ all_day: isAllDay, timezone: values.timezone },
  }
  const flags = (['hide_from_listings', 'featured', 'sticky'] as const).filter((name) => changed(name))
  const plain = (['availability', 'virtual_url'] as const).filter((name) => changed(name))
  const isScheduled = values.event_status === 'scheduled'
  return {
    ...(changed('start', 'end', 'all_day', 'timezone') ? times : {}),
    ...(changed('venue', 'venue_city') ? { venue: venue ? linkTo(venue, 'venue', nextStatus(state, to)) : [] } : {}),
    ...(changed('organizer') ? { organizer: await organizerLink(call, state, to) } : {}),
    ...(changed('categories') ? { categories: (values.categories ?? '').split(',').filter(Boolean).map(Number) } : {}),
    ...(changed('tags') ? { tags: tagsIn(values.tags ?? '') } : {}),
    ...(changed('offers') ? { offers: offersOf(values.offers ?? '') } : {}),
    ...(changed('capacity') ? { capacity: values.capacity === '' ? null : values.capacity } : {}),
    ...(changed('event_status') && (state.id !== undefined || !isScheduled)
      ? { event_status: values.event_status }
      : {}),
    ...(changed('attendance') && (state.id !== undefined || values.attendance !== 'offline')
      ? { attendance: values.attendance }
      : {}),
    ...(changed('image') ? { image: values.image ?? '' } : {}),
    ...Object.fromEntries(flags.map((name) => [name, values[name] === '1'])),
    ...Object.fromEntries(plain.map((name) => [name, values[name] ?? ''])),
  }
}

function tagsIn(text: string): readonly string[] {
  return text.split(',').flatMap((tag) => (tag.trim() === '' ? [] : [tag.trim()]))
}

/** Returns the link to a venue or an organizer. A new one is apart from others of its name, and public only with the event. */
function linkTo({ name, city, known }: Place, kind: 'venue' | 'organizer', status: string): unknown {
  if (known) return { id: known.id }
  const isPublic = status !== 'draft' && status !== 'pending'
  return { [kind]: name, apart: true, ...(city ? { city } : {}), ...(isPublic ? {} : { status: 'draft' }) }
}

async function organizerLink(call: OwnCall, state: EditorState, to: string): Promise<unknown> {
  const name = state.values.organizer ?? ''
  if (name === '') return []
  const [known] = (await readNamed(call, { organizers: [name] })).organizers.get(nameKey(name)) ?? []
  return linkTo({ name, city: '', known }, 'organizer', nextStatus(state, to))
}
