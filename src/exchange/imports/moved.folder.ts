import type { Language } from '../../base/languages/language.ts'
import { isLocalDateTime } from '../../base/time/local.date.time.ts'
import { epochSecondsOf, parseZone, utcZone, type Zone } from '../../base/time/zone.ts'
import type { NamedKind } from '../../calendar/sources/source.repository.ts'
import type { OwnCalendar, PulledEvent, PullFolder, PullManifest } from '../pull/pull.folder.ts'
import { type Form, isObject, recordsIn } from '../pull/pull.lists.ts'
import { entryIdsOf, mergedEntry, mergedEvent, type SiteNames } from './moved.merge.ts'
import { languageKey, type RecordLanguages } from './record.writer.ts'
import type { ImportRemark, MovedValues, Recording, Recordings, SourceReference } from './source.ts'
import { readTecAnswer } from './tec.ts'
import { globalIdOf, listOf, trimmedText } from './tec.values.ts'
import type { TranslationLinks } from './translations.ts'

/** A pulled calendar, as it is read from its folder. */
export interface MovedCalendar extends Pick<SiteNames, 'host'> {
  readonly recordings: Recordings
  readonly users: readonly Form[]
  /** The ids of users who own records. */
  readonly authorIds: ReadonlySet<number>
  readonly remarks: readonly ImportRemark[]
  /** Only of a calendar of this service: the languages of all records, and what they translate. */
  readonly translations?: TranslationLinks
  readonly languages?: RecordLanguages
}

/** Beginnings of the names of raw fields that have a place here, or that only the site itself needs. */
const knownFields = /^_(?:Event|Venue|Organizer|tribe_|edit_|wp_)|^footnotes$/

/** Opens a pulled calendar. */
export async function openMovedCalendar(folder: PullFolder, manifest: PullManifest): Promise<MovedCalendar> {
  const names = await siteNames(folder, manifest)
  const zone = await siteZoneOf(folder)
  const eventFiles = await folder.list('events')
  const raw = {
    venues: await recordsIn(folder, 'raw/venues-'),
    organizers: await recordsIn(folder, 'raw/organizers-'),
    users: await recordsIn(folder, 'raw/users-'),
  }
  const own = manifest.own && (await versionsIn(folder, manifest.own))
  const remarks: ImportRemark[] = []
  const authorIds = new Set<number>()
  const shown = new Set<number>()
  const note = (file: string, form: unknown) => {
    if (!isObject(form)) return
    if (form.status === 'publish') for (const id of entryIdsOf(form)) shown.add(id)
    if ((form.status === 'draft' || form.status === 'pending') && shown.has(Number(form.id))) {
      remarks.push({ file, path: '', text: { key: 'import.moved.published' } })
    }
    const author = authorOf(form)
    if (author !== undefined) authorIds.add(author)
    for (const [name, value] of Object.entries(isObject(form.meta) ? form.meta : {})) {
      const isEmpty = value === '' || value === null || (Array.isArray(value) && value.length === 0) || value === false
      if (!isEmpty && !knownFields.test(name))
        remarks.push({ file, path: '', text: { key: 'import.moved.field', values: { name } } })
    }
  }
  for (const file of eventFiles) {
    const event = await folder.readJson<PulledEvent>(file)
    note(file, own ? event?.v1 : event?.raw)
    if (own && isProtected(event)) remarks.push({ file, path: '', text: { key: 'import.moved.password' } })
  }
  for (const kind of ['venues', 'organizers'] as const) {
    for (const [id, item] of own ? own.entries[kind] : raw[kind]) note(`${kind} ${id}`, item)
  }
  for (const [name, status] of Object.entries(manifest.refused)) {
    remarks.push({ file: 'manifest.json', path: '', text: { key: 'import.moved.refused', values: { name, status } } })
  }
  const say = (key: 'import.moved.unfinished' | 'import.moved.visitors' | 'import.moved.settings') =>
    remarks.push({ file: 'manifest.json', path: '', text: { key } })
  if (manifest.finishedAt === '') say('import.moved.unfinished')
  if (manifest.isSignedIn) say('import.moved.settings')
  else say('import.moved.visitors')
  const recordings = {
    async *[Symbol.asyncIterator]() {
      for (const taxonomy of ['categories', 'tags'] as const) {
        for (const file of await folder.list('lists')) {
          if (file.startsWith(`lists/${taxonomy}-`)) yield readTecAnswer(file, await folder.readJson(file))
        }
      }
      yield await entriesOf(folder, raw.venues, { kind: 'venue', names })
      yield await entriesOf(folder, raw.organizers, { kind: 'organizer', names })
      for (const file of eventFiles) yield await eventIn(folder, file, { ...names, zone })
    },
  }
  return { ...own, host: names.host, recordings, users: [...raw.users.values()], authorIds, remarks }
}

/** Finds out how the site names its records, by any record as visitors see it. */
async function siteNames(folder: PullFolder, { site }: PullManifest): Promise<SiteNames> {
  for (const file of await folder.list('events')) {
    const v1 = (await folder.readJson<PulledEvent>(file))?.v1
    if (!isObject(v1)) continue
    const host = globalIdOf(v1.global_id)?.replace(/\?.*/, '')
    if (host !== undefined) return { host, restUrl: trimmedText(v1.rest_url) || site }
  }
  return { host: new URL(site).host, restUrl: site }
}

/** Reads venues or organizers, those in the trash included, which only the raw list has. */
async function entriesOf(
  folder: PullFolder,
  raw: ReadonlyMap<number, Form>,
  { kind, names }: { readonly kind: 'venue' | 'organizer'; readonly names: SiteNames },
): Promise<Recording> {
  const shown = await recordsIn(folder, `lists/${kind}s-`)
  const ids = [...new Set([...shown.keys(), ...raw.keys()])]
  const items = ids.map((id) => mergedEntry({ kind, names }, raw.get(id), shown.get(id)))
  const recording = readTecAnswer(`${kind}s`, { [`${kind}s`]: items })
  const moved = <R extends SourceReference & { readonly hasImage: boolean }>(record: R): R => {
    const id = Number(record.source.replace(/^.*=/, ''))
    return withMoved(record, movedValues(raw.get(id), shown.get(id)))
  }
  return { ...recording, venues: recording.venues.map(moved), organizers: recording.organizers.map(moved) }
}

async function eventIn(
  folder: PullFolder,
  file: string,
  { zone, ...names }: SiteNames & { readonly zone: Zone },
): Promise<Recording> {
  const pulled = await folder.readJson<PulledEvent>(file)
  const [raw, shown] = [pulled?.raw, pulled?.v1].map((form) => (isObject(form) ? form : undefined))
  const v1 = shown && { ...shown, ...typedTexts(pulled?.source), slug: untrashed(shown.slug) }
  const { events, ...recording } = readTecAnswer(file, mergedEvent(raw, v1, names))
  return {
    ...recording,
    events: events.map((event) =>
      withMoved(event, {
        ...{ ...movedValues(raw, v1), ...historyOf(v1, zone) },
        ...(isProtected(pulled) ? { isProtected: true } : {}),
      }),
    ),
    // A fault of a file as a whole would count no event.
    faults: recording.faults.map((fault) => ({ ...fault, path: fault.path || 'v1' })),
  }
}

/** Returns the versions of all records of a calendar of this service. Of versions, the oldest is the original. */
async function versionsIn(folder: PullFolder, { languageParameter }: OwnCalendar) {
  const languages = new Map<string, Language>()
  const links = { event: new Map(), venue: new Map(), organizer: new Map(), category: new Map(), tag: new Map() }
  const entries = { venues: new Map<number, Form>(), organizers: new Map<number, Form>() }
  const note = (kind: NamedKind, { id, [languageParameter]: language, ...form }: Form) => {
    const versions = form[languageParameter.replace(/language$/, 'translations')]
    const original = Math.min(Number(id), ...Object.values(isObject(versions) ? versions : {}).map(Number))
    languages.set(languageKey(kind, String(id)), language as Language)
    if (original !== id) links[kind].set(String(id), String(original))
  }
  const kinds = { venues: 'venue', organizers: 'organizer', categories: 'category', tags: 'tag' } as const
  for (const list of Object.keys(kinds) as (keyof typeof kinds)[]) {
    for (const [id, item] of await recordsIn(folder, `lists/${list}-`)) {
      note(kinds[list], item)
      if (list === 'venues' || list === 'organizers') entries[list].set(id, item)
    }
  }
  for (const file of await folder.list('events')) note('event', (await folder.readJson<PulledEvent>(file))?.v1 as Form)
  return { languages, translations: links satisfies TranslationLinks, entries }
}

/** Whether an event of this service has a password, which nobody can read: its JSON-LD is not shown then. */
function isProtected(pulled: PulledEvent | undefined): boolean {
  const { source, v1 } = pulled ?? {}
  return source !== undefined && isObject(v1) && v1.status !== 'trash' && v1.json_ld === undefined
}

/** Returns the id of the user who owns a record. Visitors of most sites do not see it. */
function authorOf(form: Form | undefined): number | undefined {
  const author = Number(form?.author)
  return author > 0 ? author : undefined
}

function untrashed(slug: unknown): string {
  return trimmedText(slug).replace(/__trashed$/, '')
}

/** Returns the texts of an event as they were typed, which only a calendar of this service tells. */
function typedTexts(source: unknown): Form {
  if (!isObject(source)) return {}
  const { title, description, excerpt, cost } = source
  const [only, ...others] = listOf(cost)
  return { title, description, excerpt, ...(only === undefined || others.length > 0 ? {} : { cost: only }) }
}

/** Returns what recorded answers do not have. */
function movedValues(raw: Form | undefined, v1: Form | undefined): MovedValues {
  const picture = raw?.featured_media || (isObject(v1?.image) ? v1.image.id : undefined)
  const password = trimmedText(raw?.password)
  const author = authorOf(raw ?? v1)
  return {
    ...(author === undefined ? {} : { author }),
    ...(typeof picture === 'number' ? { picture } : {}),
    ...(password === '' ? {} : { password }),
  }
}

/** Returns the time zone of the site, in which it tells when events got their status. */
export async function siteZoneOf(folder: PullFolder): Promise<Zone> {
  const { timezone_string: name, gmt_offset: offset } = (await folder.readJson<Form>('index.json')) ?? {}
  return parseZone(trimmedText(name) || `UTC${Number(offset) < 0 ? '' : '+'}${Number(offset)}`) ?? utcZone
}

/** Returns what has happened to an event, which only a calendar of this service tells. */
function historyOf(v1: Form | undefined, zone: Zone): MovedValues {
  const statusAt = instantFrom(v1?.event_status_date, zone)
  if (statusAt === undefined) return {}
  const previousStarts = listOf(v1?.previous_start_dates).flatMap((previous) => {
    if (!isObject(previous)) return []
    const [start, end] = [trimmedText(previous.start_date), trimmedText(previous.end_date)]
    const until = instantFrom(previous.until, utcZone)
    if (!isLocalDateTime(start) || !isLocalDateTime(end) || until === undefined) return []
    return [{ start, end, timezone: trimmedText(previous.timezone), until }]
  })
  return { history: { statusAt, previousStarts } }
}

/** Returns when it is this local time in a zone; undefined for everything else. */
export function instantFrom(raw: unknown, zone: Zone): number | undefined {
  const text = trimmedText(raw)
  return isLocalDateTime(text) ? epochSecondsOf(text, zone) : undefined
}

/** Adds these values to a record. A picture that comes is not missing. */
function withMoved<R extends { readonly hasImage: boolean }>(record: R, moved: MovedValues): R {
  return { ...record, moved, hasImage: record.hasImage && moved.picture === undefined }
}
