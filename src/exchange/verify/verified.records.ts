import { instantFrom, siteZoneOf } from '../imports/moved.folder.ts'
import { mergedEntry, mergedEvent, textOf } from '../imports/moved.merge.ts'
import { listOf, trimmedText } from '../imports/tec.values.ts'
import type { PulledEvent, PulledPicture, PullFolder, PullManifest } from '../pull/pull.folder.ts'
import { type Form, isObject, recordsIn } from '../pull/pull.lists.ts'
import { type Fields, ignored } from './deviations.ts'

/** The kinds of records that are compared. */
export const verifiedKinds = ['categories', 'tags', 'venues', 'organizers', 'pictures', 'series', 'events'] as const
export type VerifiedKind = (typeof verifiedKinds)[number]

/** A record. It is read when it is compared. */
interface VerifiedRecord {
  /** What people call it. */
  readonly title: string
  readonly read: () => Promise<Fields>
}

/** The records of a kind by what names them on both sites. */
export type Verified = ReadonlyMap<string, VerifiedRecord>

/** A fetched calendar. */
export interface VerifiedSide {
  readonly folder: PullFolder
  readonly manifest: PullManifest
}

/**
 * Opens a fetched calendar for a comparison. Events, which are many, are not kept in memory.
 *
 * @param hasLanguages Whether both calendars tell the languages of their records.
 */
export async function openVerified(
  { folder, manifest }: VerifiedSide,
  hasLanguages: boolean,
): Promise<Readonly<Record<VerifiedKind, Verified>>> {
  const { origin, host } = new URL(manifest.site)
  const names = { host, restUrl: manifest.site }
  const language = manifest.own?.languageParameter ?? ''
  const translations = `${language.replace(/language$/, '')}translations`
  /** What names a record on both sites, by its kind and its id here. */
  const keys = new Map<string, string>()
  const users = new Map<number, string>()
  const zone = await siteZoneOf(folder)
  for (const [id, { email, username }] of await recordsIn(folder, 'raw/users-')) {
    users.set(id, trimmedText(email || username).toLowerCase())
  }

  /** Returns a value without what only this site has in it. */
  const ofAnySite = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replaceAll(origin, '').replace(/^0000-00-00 00:00:00$/, '')
    if (Array.isArray(value)) return value.map(ofAnySite)
    if (!isObject(value)) return value
    const members = Object.entries(value).filter(([name]) => !ignored.has(name))
    return Object.fromEntries(members.map(([name, member]) => [name, ofAnySite(member)]))
  }
  const fieldsOf = (kind: VerifiedKind, form: Form): Fields => {
    const {
      author,
      image,
      parent,
      website,
      status,
      series,
      [language]: own,
      [translations]: versions,
      ...others
    } = form
    const inLanguages = Object.entries(isObject(versions) ? versions : {})
    const linked = ['venue', 'organizer', 'categories', 'tags'].flatMap((name) => {
      const value = form[name]
      return typeof value === 'object' ? [[name, listOf(value).map((one) => nameOf(one as Form))] as const] : []
    })
    const terms = ['categories', 'tags']
    return ofAnySite({
      ...others,
      ...Object.fromEntries(linked.map(([name, all]) => [name, terms.includes(name) ? all.toSorted() : all])),
      status,
      author: users.get(Number(author)),
      image: isObject(image) ? keys.get(`pictures ${image.id}`) : undefined,
      parent: keys.get(`${kind} ${parent}`),
      website: website === form.url ? '' : website,
      slug: trimmedText(form.slug).replace(/__trashed$/, ''),
      event_status: form.event_status === 'scheduled' ? '' : form.event_status,
      event_status_date: instantFrom(form.event_status_date, zone),
      attendance: form.attendance === 'offline' ? '' : form.attendance,
      language: hasLanguages ? own : undefined,
      translations: hasLanguages
        ? inLanguages.map(([code, id]) => `${code} ${keys.get(`${kind} ${id}`)}`).toSorted()
        : undefined,
      series: isObject(series) ? seriesFields(series) : undefined,
    }) as Fields
  }
  /** Names the records of a kind, in the order of their ids. */
  const named = async (
    kind: VerifiedKind,
    forms: Iterable<readonly [number, Form]> | AsyncIterable<readonly [number, Form]>,
    read: (id: number, form: Form) => () => Promise<Fields>,
  ): Promise<Verified> => {
    const found = new Map<string, VerifiedRecord>()
    for await (const [id, form] of forms) {
      const name = [hasLanguages ? form[language] : undefined, nameOf(form)].filter(Boolean).join(' ')
      let key = name
      for (let number = 2; found.has(key); number += 1) key = `${name} (${number})`
      keys.set(`${kind} ${id}`, key)
      found.set(key, { title: titleOf(form), read: read(id, form) })
    }
    return found
  }
  const kept = (kind: VerifiedKind) => (_: number, form: Form) => async () => fieldsOf(kind, form)

  const terms = async (kind: 'categories' | 'tags') =>
    named(kind, await recordsIn(folder, `lists/${kind}-`), kept(kind))
  const entries = async (kind: 'venues' | 'organizers', one: 'venue' | 'organizer') => {
    const shown = await recordsIn(folder, `lists/${kind}-`)
    const raw = await recordsIn(folder, `raw/${kind}-`)
    const ids = [...new Set([...shown.keys(), ...raw.keys()])].toSorted((a, b) => a - b)
    const forms = ids.map((id) => {
      const visible = shown.get(id)
      const merged = mergedEntry({ kind: one, names }, raw.get(id), visible)
      const image = visible?.image ?? pictureOf(raw.get(id))
      return [
        id,
        { ...merged, author: raw.get(id)?.author ?? visible?.author, image, ...textsOf(visible, one) },
      ] as const
    })
    return named(kind, forms, kept(kind))
  }
  async function* seriesForms() {
    for (const file of await folder.list('series')) {
      // Versions of a series tell the id of the original.
      yield [Number(/\d+/.exec(file)), (await folder.readJson<Form>(file)) as Form] as const
    }
  }
  async function* pictures() {
    for (const file of await folder.list('media')) {
      const { id, raw } = (await folder.readJson<PulledPicture>(file)) as PulledPicture
      const { alt_text, alt_texts, decorative, title } = (isObject(raw) ? raw : {}) as Form
      yield [id, { title: textOf(title), alt_text, alt_texts, decorative }] as const
    }
  }
  const eventIn = async (file: string): Promise<Form> => {
    const { raw, v1, source } = (await folder.readJson<PulledEvent>(file)) as PulledEvent
    const [hidden, visible] = [raw, v1].map((form) => (isObject(form) ? form : undefined))
    const isProtected = hidden
      ? trimmedText(hidden.password) !== ''
      : visible?.all_day === null || (manifest.own && visible?.status !== 'trash' && !visible?.json_ld)
    return {
      ...mergedEvent(hidden, visible, names),
      ...textsOf(visible, 'title', 'excerpt', 'cost'),
      ...{ author: hidden?.author ?? visible?.author, image: visible?.image || pictureOf(hidden) },
      ...{ protected: isProtected, typed: isObject(source) ? typedTexts(source) : undefined },
    }
  }
  async function* events() {
    for (const file of await folder.list('events')) {
      const { slug, title, start_date, [language]: own, id } = await eventIn(file)
      yield [Number(id), { slug, title, start_date, [language]: own }] as const
    }
  }
  return {
    categories: await terms('categories'),
    tags: await terms('tags'),
    venues: await entries('venues', 'venue'),
    organizers: await entries('organizers', 'organizer'),
    pictures: await named('pictures', pictures(), kept('pictures')),
    series: await named('series', seriesForms(), kept('series')),
    events: await named('events', events(), (id) => async () => fieldsOf('events', await eventIn(`events/${id}.json`))),
  }
}

/** Returns what names a record on any site. */
function nameOf(form: Form): string {
  return trimmedText(form.slug).replace(/__trashed$/, '') || titleOf(form)
}

function titleOf({ title, name, venue, organizer, start_date: start }: Form): string {
  return [title ?? name ?? venue ?? organizer, start].filter(Boolean).join(' ')
}

function pictureOf(raw: Form | undefined): Form | undefined {
  return raw?.featured_media ? { id: raw.featured_media } : undefined
}

/** Returns the texts of a record as visitors see them. */
function textsOf(visible: Form | undefined, ...names: readonly string[]): Form {
  const shown = visible ? ['description', ...names].filter((name) => visible[name] !== undefined) : []
  return Object.fromEntries(shown.map((name) => [name, visible?.[name]]))
}

function typedTexts({ title, description, excerpt, cost }: Form): Form {
  return { title, description, excerpt, cost }
}

/** Returns what an event says about its series. */
function seriesFields({ url, recurrence_id, is_modified, own_fields, rrule }: Form): Form {
  return { address: url, recurrence_id, is_modified, own_fields, rrule }
}
