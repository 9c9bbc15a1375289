import { contentLanguageOf, otherTextLanguages, textLanguageOf } from '../../base/languages/language.ts'
import { isLocalDateTime } from '../../base/time/local.date.time.ts'
import type { OwnCall } from '../shell/desk.call.ts'
import type { Faults } from '../shell/fields.ts'
import type { PictureJson } from '../shell/picture.json.ts'
import { writeMoment } from './editor.dates.ts'
import { boxes, inLanguage, namesOfFields } from './editor.fields.ts'
import { type Offer, offersText } from './editor.offers.ts'
import { type EventJson, listOf, nameOf } from './event.json.ts'
import { noRepeat, repeatValues } from './repeat.rule.ts'
import type { RepeatDates } from './repeat.shown.ts'
import { readSeries, type SeriesJson, segmentOf } from './series.json.ts'

export type EditorValues = Readonly<Record<string, string>>

/** The event in one language: a record of its own, or none yet. */
export interface Version {
  readonly language: string
  readonly id: number | undefined
  readonly status: string
  /** The version that the form shows, for `If-Match`. */
  readonly version: string
  readonly url: string | undefined
}

/** What the editor shows, and what it compares with when it is saved. */
export interface EditorState {
  /** The event at the address of the editor; undefined for a new one. */
  readonly id: number | undefined
  readonly status: string
  /** The languages that are edited side by side. The first one is that of the event at the address. */
  readonly versions: readonly Version[]
  readonly values: EditorValues
  /** The values when the form was made. */
  readonly was: EditorValues
  readonly image: ImageJson | undefined
  /** The venue that is saved, if there is one alone. */
  readonly venueId?: number | undefined
  /** The series of which the event is a date. */
  readonly series?: SeriesState | undefined
  /** Set if the event went away while the form was filled. */
  readonly lost?: Lost
}

/** An event that is in the trash, or that the user can no longer reach. */
export interface Lost {
  readonly isRestorable: boolean
  /** The ids of its versions, by language. */
  readonly ids: Readonly<Record<string, number>>
  /** The button with which the save began. */
  readonly asked: string
}

/** The series of a date, as the editor shows it. */
interface SeriesState {
  readonly id: number
  /** The rule in words. */
  readonly text: string
  /** The local start that the rule gave the date. */
  readonly recurrenceId: string
  /** The fields in which the date does not follow the series, by the id of the version that has them. */
  readonly own: readonly { readonly id: number; readonly language: string; readonly field: string }[]
}

/** What else the editor shows. */
export interface EditorMessages {
  /** Whether the page was opened by its address. Otherwise it shows what was typed. */
  readonly isOpened?: boolean
  readonly faults?: Faults
  readonly notice?: string
  /** What else is worth a look. */
  readonly checks?: readonly { readonly field: string; readonly text: string }[]
  /** What somebody else has saved meanwhile, by field. */
  readonly saved?: Readonly<Record<string, string>>
  /** The pictures from which one can be chosen. */
  readonly library?: Library
  /** The dates of what repeats. */
  readonly dates?: RepeatDates | undefined
}

/** Pictures of the library, and the words by which they were found. */
export interface Library {
  readonly words: string
  readonly pictures: readonly PictureJson[]
}

/** A picture, as the editor shows it. */
export interface ImageJson {
  readonly id: number
  readonly url: string
  readonly sizes?: Readonly<Record<string, { readonly url: string } | undefined>> | undefined
}

/** An event, with the fields that only the editor reads. */
interface EditedJson extends EventJson {
  readonly slug: string
  readonly date: string
  readonly website: string
  readonly image: ImageJson | false
  readonly hide_from_listings: boolean
  readonly featured: boolean
  readonly sticky: boolean
  readonly event_status?: string
  readonly event_status_reason?: string
  readonly attendance?: string
  readonly virtual_url?: string
  readonly offers?: readonly Offer[]
  readonly availability?: string
  readonly capacity?: number
  readonly series?: SeriesOfEventJson
}

/** The series of an event, as the interface shows it. */
interface SeriesOfEventJson {
  readonly id: number
  readonly text?: string
  readonly recurrence_id: string
  readonly own_fields?: readonly string[]
}

/** The texts of an event, as they were written. */
interface SourceJson {
  readonly id: number
  readonly status: string
  readonly language: string
  readonly title: string
  readonly description: string
  readonly excerpt: string
  readonly cost: readonly string[]
  readonly translations: readonly { readonly language: string; readonly id: number }[]
}

interface MediaJson {
  readonly alt_texts?: Readonly<Record<string, string>>
  readonly decorative?: boolean
}

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
  const languages = languagesToWrite(call)
  const empty = Object.fromEntries(namesOfFields(languages).map((name) => [name, '']))
  const values = {
    ...{ ...empty, ...noRepeat, start },
    timezone: call.config.siteZone.name,
    visibility: 'public',
    event_status: 'scheduled',
    attendance: 'offline',
  }
  return {
    ...{ id: undefined, status: 'draft', versions: languages.map(missingVersion) },
    ...{ was: empty, values, image: undefined },
  }
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
  const readable = [main, ...others.filter((one) => one !== undefined)]
  const taken = new Set([source.language, ...source.translations.map(({ language }) => language)])
  const spoken = new Set([...taken].map(textLanguageOf))
  const missing = languagesToWrite(call, source.language).filter(
    (one) => !taken.has(one) && !spoken.has(textLanguageOf(one)),
  )
  const image = event.image === false ? undefined : event.image
  const versions = [...readable.map((one) => one.version), ...missing.map(missingVersion)]
  const texts = readable.flatMap((one) => Object.entries(textsOf(one, source.status)))
  const alternatives = image ? await alternativesOf(call, image, versions) : {}
  const empty = Object.fromEntries(namesOfFields(versions.map(({ language }) => language)).map((name) => [name, '']))
  const repeat = stored?.status === 200 ? repeatOfDate(stored.body, main.event) : {}
  const values = { ...empty, ...noRepeat, ...repeat, ...sharedOf(main), ...Object.fromEntries(texts), ...alternatives }
  const [venue, ...more] = listOf(event.venue)
  const venueId = more.length === 0 ? venue?.id : undefined
  return { id, status: source.status, versions, values, was: values, image, venueId, series: seriesOf(readable) }
}

/** Returns the fields for the rule that gave a date. */
function repeatOfDate(series: SeriesJson, { series: own }: EditedJson): EditorValues {
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

interface ReadVersion {
  readonly source: SourceJson
  readonly event: EditedJson
  readonly version: Version
}

async function readVersion(call: OwnCall, id: number): Promise<ReadVersion | undefined> {
  const [source, shown] = await Promise.all([
    call.api.service<SourceJson>({ path: `/events/${id}/source` }),
    call.api.events<EditedJson>({ path: `/events/${id}`, query: { context: 'edit' } }),
  ])
  if (source.status !== 200 || shown.status !== 200) return undefined
  const { language, status } = source.body
  const url = status === 'publish' ? shown.body.url : undefined
  const version = { language, id, status, version: source.version ?? '', url }
  return { source: source.body, event: shown.body, version }
}

function textsOf({ source, event }: ReadVersion, mainStatus: string): EditorValues {
  const { language, title, description, excerpt, status } = source
  const plain = {
    // Titles are stored as HTML. An ampersand that begins no entity is shown as it was typed.
    title: title.replace(/&amp;(?!#?\w+;)/g, '&'),
    description: description.replaceAll('\r\n', '\n'),
    excerpt: excerpt.replaceAll('\r\n', '\n'),
    slug: event.slug,
    event_status_reason: event.event_status_reason ?? '',
    hold: status === 'draft' && mainStatus !== 'draft' ? '1' : '',
  }
  return Object.fromEntries(
    Object.entries(plain).map(([name, value]) => [inLanguage(name as keyof typeof plain, language), value]),
  )
}

async function alternativesOf(
  { api }: OwnCall,
  { id }: ImageJson,
  versions: readonly Version[],
): Promise<EditorValues> {
  const { status, body } = await api.service<MediaJson>({ path: `/media/${id}` })
  if (status !== 200) return {}
  const texts = versions.map(({ language }) => [inLanguage('alt', language), body.alt_texts?.[language] ?? ''] as const)
  return { ...Object.fromEntries(texts), decorative: box(body.decorative) }
}

const box = (isOn: boolean | null | undefined) => (isOn ? '1' : '')

function sharedOf({ event, source: { cost, status } }: ReadVersion): EditorValues {
  const names = (linked: Parameters<typeof listOf>[0]) => listOf(linked).map(nameOf).join(' + ')
  const moment = (local: string) => local.slice(0, event.all_day ? 10 : 16)
  return {
    ...{ start: moment(event.start_date), end: moment(event.end_date) },
    ...{ all_day: box(event.all_day), timezone: event.timezone },
    ...{ venue: names(event.venue), venue_city: '', organizer: names(event.organizer) },
    cost: cost.join(' – '),
    // An event without a website shows its own page.
    website: event.website === event.url ? '' : event.website.replaceAll('&amp;', '&'),
    ...{ offers: offersText(event.offers), availability: event.availability ?? '' },
    capacity: event.capacity === undefined ? '' : String(event.capacity),
    categories: idsInOrder(event.categories.map((term) => String(term.id))),
    tags: event.tags.map(nameOf).join(', '),
    ...{ event_status: event.event_status ?? 'scheduled', attendance: event.attendance ?? 'offline' },
    virtual_url: event.virtual_url ?? '',
    visibility: status === 'private' ? 'private' : 'public',
    ...{ hide_from_listings: box(event.hide_from_listings), featured: box(event.featured), sticky: box(event.sticky) },
    ...{ event_password: '', no_password: '' },
    date: status === 'future' ? event.date.slice(0, 16) : '',
    image: event.image === false ? '' : String(event.image.id),
  }
}

export function idsInOrder(ids: readonly string[]): string {
  return ids.toSorted((one, other) => Number(one) - Number(other)).join(',')
}

/** Whether a field is a box, in any language. */
export function isBox(name: string): boolean {
  return boxes.has(name.split('.')[0] ?? '')
}
