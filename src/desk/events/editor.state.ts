import { contentLanguageOf, otherTextLanguages, textLanguageOf } from '../../base/languages/language.ts'
import { isLocalDateTime } from '../../base/time/local.date.time.ts'
import type { EventSource, Media } from '../api/answers.ts'
import type { OwnCall } from '../shell/desk.call.ts'
import { inLanguage } from './desk.field.ts'
import { deskFields } from './desk.fields.ts'
import { writeMoment } from './editor.dates.ts'
import { type FormField, formFields, namesOf } from './editor.fields.ts'
import type { EditorImage, EditorState, EditorValues, ReadVersion, SeriesState, Version } from './editor.model.ts'
import { type EventJson, listOf } from './event.json.ts'
import { repeatValues } from './repeat.rule.ts'
import { readSeries, type SeriesJson, segmentOf } from './series.json.ts'

/** Returns the languages that a new event can have: one for each language that readers can choose. */
function languagesToWrite({ config, textLanguage }: OwnCall, first?: string): readonly string[] {
  const own = first ?? contentLanguageOf(config, textLanguage)
  const others = otherTextLanguages(textLanguageOf(own)).map((one) => contentLanguageOf(config, one))
  // A site may have several languages that its readers take for one, such as en and en-CA. One of them is enough.
  return [...new Set([own, ...others])].filter((one) => config.languages.includes(one))
}

const missingVersion = (language: string): Version => ({
  ...{ language, id: undefined, status: 'draft', version: '', url: undefined },
})

/** Returns a new event; on the day in the address, `2030-01-22`, or at the time, `2030-01-22T19:00`, if it names one. */
export function newState(call: OwnCall): EditorState {
  const [day = '', time] = (call.query.get('start') ?? '').split('T')
  const isTime = isLocalDateTime(`${day} ${time ?? '00:00'}:00`)
  const start = isTime ? writeMoment(call.textLanguage, time === undefined ? day : `${day} ${time}`) : ''
  const versions = languagesToWrite(call).map(missingVersion)
  const values = { ...blankValues(versions), start, timezone: call.config.siteZone.name }
  const was = Object.fromEntries(Object.keys(values).map((name) => [name, '']))
  return { id: undefined, status: 'draft', versions, was, values, image: undefined }
}

/** Returns the values of a new event. */
function blankValues(versions: readonly Version[]): EditorValues {
  return valuesOf(versions, ({ blank }) => blank)
}

function valuesOf(versions: readonly Version[], read: (field: FormField) => string): EditorValues {
  const languages = versions.map(({ language }) => language)
  return Object.fromEntries(
    formFields.flatMap((field) => namesOf(field, languages).map((name) => [name, read(field)] as const)),
  )
}

/** Reads an event for the editor; undefined if the user may not change it or it is in the trash. */
export async function readState(call: OwnCall, id: number): Promise<EditorState | undefined> {
  const main = await readVersion(call, id)
  if (!main) return undefined
  const { source, event } = main
  const [stored, ...others] = await Promise.all([
    main.event.series && readSeries(call, main.event.series.id),
    ...source.translations.map((one) => readVersion(call, one.id)),
  ])
  const readable = [main, ...others.filter((one) => one !== undefined)].map((one) => ({
    ...{ ...one, mainStatus: source.status },
  }))
  const taken = new Set([source.language, ...source.translations.map(({ language }) => language)])
  const spoken = new Set([...taken].map(textLanguageOf))
  const missing = languagesToWrite(call, source.language).filter(
    (one) => !taken.has(one) && !spoken.has(textLanguageOf(one)),
  )
  const image = event.image === false ? undefined : event.image
  const versions = [...readable.map((one) => one.version), ...missing.map(missingVersion)]
  const own = readable.map((one) => valuesOf([one.version], (field) => readValue(field, one)))
  const values: EditorValues = {
    ...{ ...blankValues(versions), ...Object.assign({}, ...own.toReversed()) },
    ...(stored?.status === 200 ? repeatOfDate(stored.body, event) : {}),
    ...(image ? await alternativesOf(call, image, versions) : {}),
  }
  const [venue, ...more] = listOf(event.venue)
  const venueId = more.length === 0 ? venue?.id : undefined
  return {
    ...{ id, status: source.status, versions, values, was: values, image, venueId, read: readable },
    series: seriesOf(readable),
  }
}

/** Returns the value of a field in the form for what the interface tells of an event. */
export function readValue({ argument, panel, blank, read, textOf }: FormField, version: ReadVersion): string {
  if (panel === 'repeat') return blank
  return read ? read(version) : textOf((version.event as Readonly<Record<string, unknown>>)[argument])
}

/** Returns the fields for the rule that gave a date. */
function repeatOfDate(series: SeriesJson, { series: own }: EventJson): EditorValues {
  const segment = own && segmentOf(series, own.recurrence_id)
  return segment ? repeatValues(segment, segment.start_date, { isStored: true }) : {}
}

function seriesOf(versions: readonly ReadVersion[]): SeriesState | undefined {
  const [main] = versions
  const series = main?.event.series
  if (!series) return undefined
  const own = versions.flatMap(({ event, source: { language } }) =>
    (event.series?.own_fields ?? []).map((field) => ({ id: event.id, language, field })),
  )
  return { id: series.id, text: series.text ?? '', recurrenceId: series.recurrence_id, own }
}

/** Reads an event in one language, if the user may change it. */
async function readVersion(call: OwnCall, id: number): Promise<Omit<ReadVersion, 'mainStatus'> | undefined> {
  const [source, shown] = await Promise.all([
    call.api.service<EventSource>({ path: `/events/${id}/source` }),
    call.api.events<EventJson>({ path: `/events/${id}`, query: { context: 'edit' } }),
  ])
  if (source.status !== 200 || shown.status !== 200) return undefined
  const { language, status } = source.body
  const url = status === 'publish' ? shown.body.url : undefined
  const version = { language, id, status, version: source.version ?? '', url }
  return { source: source.body, event: shown.body, version }
}

async function alternativesOf(
  { api }: OwnCall,
  { id }: EditorImage,
  versions: readonly Version[],
): Promise<EditorValues> {
  const { status, body } = await api.service<Media>({ path: `/media/${id}` })
  if (status !== 200) return {}
  const texts = versions.map(({ language }) => [inLanguage('alt', language), body.alt_texts[language] ?? ''] as const)
  return { ...Object.fromEntries(texts), decorative: deskFields.decorative.textOf(body.decorative) }
}
