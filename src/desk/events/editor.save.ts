import { languageParameterNames } from '../../access/http/addresses.ts'
import { localDateTimeAt, parseZone } from '../../base/time/zone.ts'
import { sharedArguments } from '../../calendar/events/model/fields.derived.ts'
import { type Operation, sendBatch } from '../api/batch.ts'
import { statuses } from '../api/statuses.ts'
import type { OwnCall } from '../shell/desk.call.ts'
import type { Faults } from '../shell/fields.ts'
import { inLanguage } from './desk.field.ts'
import { type FormField, fieldOf, formFields, namesOf } from './editor.fields.ts'
import type { EditorState, Sending, Version } from './editor.model.ts'
import { venueOf, whichText } from './editor.named.ts'
import { faultsByField } from './editor.values.ts'
import { recurrenceFrom, recurrenceIn } from './repeat.rule.ts'
import { type DateCounts, datesIn, type SaveScope, scopeParameters } from './series.counts.ts'

// One save writes all languages of an event in one transaction: a batch in which everything succeeds or nothing.

type Parameters = Readonly<Record<string, unknown>>

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
    ({ id, language }) => id !== undefined || state.values[inLanguage('title', language)] !== '',
  )
  const [main, ...others] = written
  if (!main) return { kind: 'refused', faults: {} }
  const venue = isChanged(state, 'venue', 'venue_city') ? await venueOf(call, state) : undefined
  if (venue && 'cities' in venue) return { kind: 'refused', faults: { venue_city: whichText(call, venue) } }
  const status = nextStatus(state, to)
  const changed = changedRecurrence(state)
  const recurrence = changed && recurrenceFrom(changed, firstChanged(call, state, options))
  // Versions of a new event are made first, so that the series has all of them.
  const isLast = recurrence !== undefined && state.series === undefined && (main.id !== undefined || others.length > 0)
  const known = written.filter(({ id }) => id !== undefined)
  const languages = languageParameterNames(call.config)
  const write = async (version: Version): Promise<Operation> => {
    const { id, language } = version
    const sending = { call, state, version, status, venue }
    const own = await parametersOf(sending, ({ isText }) => isText === true)
    // A reason explains one status.
    const texts = own.event_status_reason === undefined ? own : { event_status: state.values.event_status, ...own }
    const body = {
      ...texts,
      ...(await parametersOf(sending, ({ argument, isText }) => {
        return !isText && (version === main || !sharedArguments.has(argument))
      })),
      ...statusParameter(state, { version, to, status }),
      ...(version === main && recurrence !== undefined && !isLast ? { recurrence } : {}),
    }
    if (id !== undefined) {
      const scoped = { ...body, ...scopeParameters(body, options) }
      return { method: 'PATCH', path: `/events/${id}`, body: scoped, ...compared }
    }
    const made = { ...body, [languages.language]: language }
    if (version === main) return { ref: mainRef, method: 'POST', path: '/events', body: made }
    // A new language of all dates is one of the series.
    if (state.series && options.scope === 'all') {
      const path = `/series/${state.series.id}/translations`
      return { method: 'POST', path, body: { ...texts, [languages.language]: language }, ...compared }
    }
    const original = main.id ?? { ref: mainRef }
    return { method: 'POST', path: '/events', body: { ...made, [languages.translationOf]: original } }
  }
  const operations: readonly Operation[] = [
    // A write to one language changes what all of them share, and so their versions. All are compared before any write.
    ...known.map(({ id, version }) => ({
      ...({ method: 'PATCH', path: `/events/${id}`, body: {}, if_match: `"${version}"` } as const),
    })),
    ...(await Promise.all(written.map(write))),
    ...(isLast
      ? [
          {
            ...({ method: 'PATCH', path: `/events/${main.id ?? `{${mainRef}}`}` } as const),
            ...{ body: { recurrence }, ...compared },
          },
        ]
      : []),
  ]
  const sent = { isDry, key: !isDry && /^[\w-]{1,100}$/.test(key) ? key : undefined }
  const { results, refused } = await sendBatch(call, operations, sent)
  const [failed] = refused
  if (failed === undefined) {
    return { kind: 'saved', id: main.id ?? results[known.length]?.id ?? 0, dates: datesIn(results) }
  }
  const { place, faults, message, inUse } = failed
  if (failed.status === statuses.preconditionFailed) return { kind: 'conflict' }
  if (failed.status === statuses.conflict && inUse !== undefined) return { kind: 'in-use', ids: inUse }
  const { language } = [...known, ...written][place] ?? main
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

const isChanged = ({ values, was }: EditorState, ...names: readonly string[]) =>
  names.some((name) => values[name] !== was[name])

/** Returns the arguments of fields that were changed. In what is new, these are all that are not as in a new event. */
async function parametersOf(sending: Sending, isMeant: (field: FormField) => boolean): Promise<Parameters> {
  const { state, version } = sending
  const nameOf = (field: FormField) => namesOf(field, [version.language])[0] ?? ''
  const isSent = ({ name, isText, sentWith = [name] }: FormField) => {
    const isNew = state.id === undefined || (isText && version.id === undefined)
    const fields = sentWith.flatMap((one) => fieldOf(one) ?? [])
    return fields.some((one) => (isNew ? state.values[nameOf(one)] !== one.blank : isChanged(state, nameOf(one))))
  }
  const parameters: Record<string, unknown> = {}
  for (const field of formFields) {
    const { argument, jsonOf, send = jsonOf } = field
    if (send === 'no' || !isMeant(field) || !isSent(field)) continue
    const value = await send(state.values[nameOf(field)] ?? '', sending)
    if (value !== undefined) parameters[argument] = value
  }
  return parameters
}

/** Returns the next state of the event. */
function nextStatus({ values, status }: EditorState, to: string): string {
  if (to === 'draft' || to === 'pending') return to
  const isOpen = values.visibility === 'private' ? 'private' : 'publish'
  return to === 'publish' || status === 'publish' || status === 'private' ? isOpen : status
}

/** Returns the next state of a version. A language that is held back stays a draft. */
function statusParameter(
  state: EditorState,
  { version, to, status }: Pick<Sending, 'version' | 'status'> & { readonly to: string },
): Parameters {
  const hold = inLanguage('hold', version.language)
  const isHeld = state.values[hold] === '1' && status !== 'draft'
  const isSent = version.id === undefined || to !== 'save' || isChanged(state, hold, 'visibility')
  return isSent ? { status: isHeld ? 'draft' : status } : {}
}
