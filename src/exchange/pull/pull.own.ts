import type { OwnCalendar, PulledEvent } from './pull.folder.ts'
import {
  type AddressOf,
  always,
  eventStates,
  isCurrent,
  isId,
  isObject,
  keptOfList,
  noteChanges,
  type Pull,
  pullOne,
  pullPages,
  pullRecordedList,
  putAway,
} from './pull.lists.ts'
import { SiteError } from './site.client.ts'

// A calendar of this service itself. Beside what other calendars have, its interface has the texts as they were typed,
// the versions in all languages, the trash, and series.

const lists = ['categories', 'tags', 'venues', 'organizers'] as const
/** Hidden events are in no list, so ids without a record are tried, and this number of ids beyond the last record. */
const idsBeyond = 10
/** More would be asked for days. */
const maxIds = 10_000_000

type Item = Readonly<Record<string, unknown>>

/** Returns the first word of the namespaces of a calendar of this service; undefined if the site is another one. */
export function ownWordIn({ namespaces }: Item): string | undefined {
  if (!Array.isArray(namespaces) || namespaces.includes('wp/v2')) return undefined
  return /^(\w+)\/events\/v1$/.exec(String(namespaces[0]))?.[1]
}

/** Returns the addresses of the interface of such a calendar: its prefix and its words can be chosen. */
export function ownForm(site: URL, { routes }: Item, word: string): AddressOf {
  const namespace = `${word}/events/v1`
  const route = (routes as Readonly<Record<string, Item>> | undefined)?.[`/${namespace}`]
  const links = route?._links as { readonly self?: readonly { readonly href?: string }[] } | undefined
  const self = String(links?.self?.[0]?.href)
  const base = URL.canParse(self) ? new URL(self).pathname.replace(namespace, '') : '/'
  const asked = Object.fromEntries(site.searchParams)
  return (path, query = {}) => {
    const own = path.replace(/^tribe\//, `${word}/`)
    return new URL(`${site.origin}${base}${own}?${new URLSearchParams({ ...asked, ...query })}`)
  }
}

/** Returns how to fetch from the site, if it is a calendar of this service that lets this user in. */
export async function openOwnCalendar(pull: Pull, word: string) {
  const { client, folder, api } = pull
  const service = `${word}/service/v1`
  if ((await client.get(api(`${service}/users/me`))).status !== 200) return undefined
  const found = ownCalendarIn((await client.get(api(`${word}/events/v1`))).body, word)
  if (!found) return undefined
  const calendar: OwnCalendar = found
  const trashed = new Map<number, Item>()

  /** Returns the lists of each language. Among versions in the trash and others, a list shows the others. */
  function* listsOf(languages: readonly string[], paths: readonly string[]) {
    for (const language of languages) {
      for (const status of [eventStates, 'trash']) {
        const query = { per_page: '100', context: 'edit', hide_empty: 'false', [calendar.languageParameter]: language }
        const end = `${language.toLowerCase()}-${status === 'trash' ? 'trash' : 'live'}`
        for (const path of paths) {
          const hasStates = path !== 'categories' && path !== 'tags'
          if (status === 'trash' && !hasStates) continue
          yield { end, isTrash: status === 'trash', path, query: { ...query, ...(hasStates ? { status } : {}) } }
        }
      }
    }
  }

  return {
    calendar,
    mediaPath: `${service}/media`,
    /** Fetches all lists, and returns the ids of events, and those that may be events. */
    pullLists: async (named: readonly number[] = []): Promise<readonly number[]> => {
      const known = new Set<number>()
      const keep = (item: unknown) => asUser(item as Item)
      await pullPages(pull, { name: 'raw/users', path: `${service}/users`, query: {}, keep })
      for (const { end, path, query } of listsOf(calendar.languages, lists)) {
        const list = { name: `lists/${path}-${end}`, path: `${word}/events/v1/${path}`, query }
        for (const { id } of (await pullRecordedList(pull, list)) as readonly Item[]) {
          if (isId(id) && path !== 'categories' && path !== 'tags') known.add(id)
        }
      }
      const events = new Set(named)
      for (const { end, isTrash, query } of listsOf(calendar.languages, ['events'])) {
        const keep = (item: unknown) => (isTrash ? item : keptOfList(item))
        const list = { name: `ids/${end}`, path: `${word}/events/v1/events`, query: { ...query, ...always }, keep }
        const found = (await pullPages(pull, list)) as readonly Item[]
        noteChanges(pull, found)
        for (const item of found) {
          if (!isId(item.id)) continue
          events.add(item.id)
          if (isTrash) trashed.set(item.id, item)
        }
      }
      const last = [...known, ...events].reduce((most, id) => Math.max(most, id), 0) + idsBeyond
      if (last > maxIds) throw new SiteError(`The site has a record with the id ${last - idsBeyond}.`)
      for (let id = 1; id <= last; id += 1) if (!known.has(id) && !events.has(id) && (await isEvent(id))) events.add(id)
      return [...events].toSorted((one, other) => one - other)
    },
    pullEvent: async (id: number): Promise<void> => {
      const name = `events/${id}.json`
      if (await isCurrent(pull, id)) return
      const { languageParameter, languages } = calendar
      const query = { context: 'edit', [languageParameter]: languages[0] as string }
      const answer = trashed.has(id) ? undefined : await client.get(api(`${word}/events/v1/events/${id}`, query))
      const v1 = trashed.get(id) ?? (answer?.status === 200 ? answer.body : undefined)
      if (!v1 && answer?.status === 404 && pull.changes) return putAway(pull, id)
      if (!v1) throw new SiteError(`${name}: HTTP ${answer?.status}`)
      const { body: source } = await client.get(api(`${service}/events/${id}/source`))
      await folder.writeJson(name, { id, raw: null, v1, source } satisfies PulledEvent)
    },
    /** Fetches the series of the events that are in the folder, in all languages, with the list of their dates. */
    pullSeries: async (): Promise<void> => {
      const waiting = new Set<number>()
      for (const file of await folder.list('events')) {
        const v1 = (await folder.readJson<PulledEvent>(file))?.v1
        if (isObject(v1) && isObject(v1.series) && isId(v1.series.id)) waiting.add(v1.series.id)
      }
      for (const id of waiting) {
        const series = await pullOne(pull, `series/${id}.json`, `${service}/series/${id}`)
        const translations = isObject(series) && isObject(series.translations) ? series.translations : {}
        for (const other of Object.values(translations)) if (isId(other)) waiting.add(other)
      }
    },
  }

  /** Whether this id, which no list has, is that of an event. The answer is kept. */
  async function isEvent(id: number): Promise<boolean> {
    if ((await folder.readJson(`events/${id}.json`)) !== undefined) return true
    return (await client.get(api(`${service}/events/${id}/source`))).status === 200
  }
}

/** Returns what the index of the interface says. Only the language is an argument with a list of values. */
function ownCalendarIn(index: unknown, word: string): OwnCalendar | undefined {
  const routes = isObject(index) && isObject(index.routes) ? index.routes : {}
  const { endpoints = [] } = (routes[`/${word}/events/v1/events`] ?? {}) as { readonly endpoints?: readonly Item[] }
  for (const [languageParameter, argument] of Object.entries(endpoints[0]?.args ?? {})) {
    const { enum: languages } = argument as { readonly enum?: readonly string[] }
    if (Array.isArray(languages)) return { word, languageParameter, languages }
  }
  return undefined
}

/** Returns a user as other calendars show it. */
function asUser({ id, name, email, role }: Item): Item {
  return { id, username: name, name, email, roles: [role] }
}
