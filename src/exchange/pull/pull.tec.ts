import type { PulledEvent, PullFolder, PullManifest } from './pull.folder.ts'
import {
  type AddressOf,
  always,
  eventStates,
  isCurrent,
  isId,
  isObject,
  itemsOf,
  keptOfList,
  noteChanges,
  type Pull,
  pullOne,
  pullPages,
  pullRecordedList,
  putAway,
} from './pull.lists.ts'
import { openOwnCalendar, ownForm, ownWordIn } from './pull.own.ts'
import { picturesOf, pullPicture } from './pull.pictures.ts'
import { createSiteClient, type SiteAnswer, type SiteClient, SiteError, type SiteOptions } from './site.client.ts'

/** How a site is fetched. */
export interface PullOptions extends SiteOptions {
  readonly folder: PullFolder
  /** Ids of further events, for those that are in no list. */
  readonly eventIds?: readonly number[]
  /** Reads the site. Default: over HTTP. */
  readonly client?: SiteClient
  readonly now: () => Date
  /** Whether only what has changed since the last run is fetched. */
  readonly isSinceLast?: boolean
  readonly onEvents?: OnProgress
  readonly onPictures?: OnProgress
}

type OnProgress = (done: number, total: number) => void

const maxEvents = 200_000

/** The extension makes readers of its newer interface say that they know of this. */
const newerInterface = {
  'X-TEC-EEA':
    'I understand that this endpoint is experimental and may change in a future release without maintaining backward compatibility. I also understand that I am using this endpoint at my own risk, while support is not provided for it.',
}

const rawEvents = 'wp/v2/tribe_events'

/** The lists of the site. Those of visitors come first: they are recordings, which an import reads as they are. */
const visitorLists = ['categories', 'tags', 'venues', 'organizers'] as const
/** The lists that only an administrator may read, by the name in the folder. */
const rawLists = {
  users: { path: 'wp/v2/users', query: {} },
  venues: { path: 'wp/v2/tribe_venue', query: { status: `${eventStates},trash` } },
  organizers: { path: 'wp/v2/tribe_organizer', query: { status: `${eventStates},trash` } },
} as const

/**
 * Fetches a whole calendar of The Events Calendar: as its administrator, if a user is given, or else as a visitor. What is
 * in the folder is not fetched again.
 *
 * @throws SiteError
 */
export async function pullTec(
  options: PullOptions,
): Promise<PullManifest & { readonly failures: readonly string[]; readonly gone: readonly number[] }> {
  const { folder, site, credentials, now, onEvents, onPictures } = options
  const { client = createSiteClient(options) } = options
  const isSignedIn = credentials !== undefined
  const { api, word } = await findInterface(client, options)
  const known = await folder.readManifest()
  const { isSinceLast = false } = options
  const changes = { modified: new Map<number, string>(), gone: [] }
  const pull: Pull = { client, folder, api, isSignedIn, refused: {}, ...(isSinceLast ? { changes } : {}) }
  if (isSinceLast) for (const lists of ['ids', 'lists', 'raw', 'series']) await folder.remove(lists)
  const own = isSignedIn && word !== undefined ? await openOwnCalendar(pull, word) : undefined
  const manifest: PullManifest = {
    ...{ format: 'cal-events-pull', version: 1, site: site.href, isSignedIn, finishedAt: '' },
    ...{ counts: {}, refused: {}, ...(own ? { own: own.calendar } : {}) },
  }
  await folder.writeManifest(manifest)
  if (!own) await pullLists(pull)
  // What is in the folder and in no list may be gone, or hidden.
  const kept = isSinceLast ? (await folder.list('events')).map((name) => Number(/\d+/.exec(name)?.[0])) : []
  const named = [...(options.eventIds ?? []), ...kept]
  const ids = own ? await own.pullLists(named) : await pullEventIds(pull, named)
  const ofEvents = await pullEach({ ...pull, onProgress: onEvents }, ids, (id) =>
    own ? own.pullEvent(id) : pullEvent(pull, id),
  )
  await own?.pullSeries()
  const pictures = await picturesOf(folder)
  const ofPictures = await pullEach({ ...pull, onProgress: onPictures }, [...pictures], ([id, url]) =>
    pullPicture(pull, { id, known: url, path: own?.mediaPath ?? 'wp/v2/media' }),
  )
  const failures = [...ofEvents, ...ofPictures]
  const counts = { events: ids.length - changes.gone.length, pictures: pictures.size, ...(await countLists(folder)) }
  // What was complete before is still as it was then.
  const finishedAt = failures.length > 0 ? '' : (!isSinceLast && known?.finishedAt) || now().toISOString()
  const pulled = { ...manifest, finishedAt, counts, refused: pull.refused }
  await folder.writeManifest(pulled)
  return { ...pulled, failures, gone: changes.gone }
}

async function pullLists(pull: Pull): Promise<void> {
  const { isSignedIn } = pull
  for (const list of visitorLists) {
    const hasStates = isSignedIn && (list === 'venues' || list === 'organizers')
    const query = { per_page: '50', hide_empty: 'false', ...(hasStates ? { status: eventStates } : {}) }
    await pullRecordedList(pull, { name: `lists/${list}`, path: `tribe/events/v1/${list}`, query })
  }
  if (!isSignedIn) return
  for (const [name, { path, query }] of Object.entries(rawLists)) {
    await pullPages(pull, { name: `raw/${name}`, path, query: { context: 'edit', per_page: '100', ...query } })
  }
  await pullOne(pull, 'raw/settings.json', 'wp/v2/settings')
}

/** Fetches records one by one, and returns the faults of those that the site cannot show. */
async function pullEach<T>(
  { client, api, onProgress }: Pull & { readonly onProgress: OnProgress | undefined },
  records: readonly T[],
  pullRecord: (record: T) => Promise<void>,
): Promise<readonly string[]> {
  const failures: string[] = []
  for (const [place, record] of records.entries()) {
    try {
      await pullRecord(record)
    } catch (error) {
      if (!(error instanceof SiteError)) throw error
      // If the site itself is gone, this throws. The others are not tried then.
      await client.get(api(''))
      failures.push(error.message)
    }
    onProgress?.(place + 1, records.length)
  }
  return failures
}

/**
 * Finds the interface of the site by its index, also where the site has no addresses of words. Returns the first word of
 * its namespaces as well, which this service can change, if it may be a calendar of this service.
 */
async function findInterface(
  client: SiteClient,
  { site, credentials, folder }: PullOptions,
): Promise<{ readonly api: AddressOf; readonly word: string | undefined }> {
  const base = site.href.replace(/[?#].*$/, '').replace(/\/?(?:wp-json\/?)?$/, '/')
  // For example, the language.
  const asked = Object.fromEntries(site.searchParams)
  const forms: readonly AddressOf[] = [
    (path, query = {}) => new URL(`${base}wp-json/${path}?${new URLSearchParams({ ...asked, ...query })}`),
    (path, query = {}) => new URL(`${base}?${new URLSearchParams({ ...asked, rest_route: `/${path}`, ...query })}`),
  ]
  for (const form of forms) {
    const root = await client.get(form(''))
    if (!isObject(root.body)) continue
    const word = ownWordIn(root.body)
    const api = word === undefined ? form : ownForm(site, root.body, word)
    const answer = await client.get(api('tribe/events/v1/events', { per_page: '1', ...always }))
    if (answer.status === 401 || answer.status === 403) {
      const reason = credentials ? `The site refuses the user ${credentials.user}` : 'The site refuses visitors'
      throw new SiteError(`${reason}: HTTP ${answer.status}.`)
    }
    // A list without events may be answered as not found.
    if (!isObject(answer.body) || answer.body.code === 'rest_no_route') continue
    if (root.status === 200) await folder.writeJson('index.json', root.body)
    return { api, word }
  }
  throw new SiteError(`${site.href} has no calendar of The Events Calendar: nothing answers at tribe/events/v1.`)
}

/**
 * Returns the ids of all events in any list. No single list has them all: one leaves out hidden events, one those that
 * are over, and one the trash. An event that ends before it starts is in none.
 */
async function pullEventIds(pull: Pull, named: readonly number[] = []): Promise<readonly number[]> {
  const { isSignedIn } = pull
  const states = isSignedIn ? { status: eventStates } : {}
  const keep = keptOfList
  const ofVisitors = { ...states, ...always, per_page: '50' }
  const found = [
    ...(await pullPages(pull, { name: 'ids/v1', path: 'tribe/events/v1/events', query: ofVisitors, keep })),
  ]
  if (isSignedIn) {
    const newer = { status: eventStates, start_date: '2000-01-01', per_page: '100' }
    const headers = newerInterface
    found.push(...(await pullPages(pull, { name: 'ids/newer', path: 'tec/v1/events', query: newer, headers, keep })))
    const raw = { context: 'edit', status: `${eventStates},trash`, per_page: '100' }
    found.push(...(await pullPages(pull, { name: 'ids/raw', path: rawEvents, query: raw, keep })))
  }
  noteChanges(pull, found)
  const ids = [...new Set([...named, ...found.map((item) => Number((item as { readonly id: unknown }).id))])].filter(
    isId,
  )
  if (ids.length > maxEvents) throw new SiteError(`The site has more than ${maxEvents} events.`)
  return ids.toSorted((one, other) => one - other)
}

/**
 * Fetches an event in its raw form, which has its password and its state, and as visitors see it.
 *
 * @throws SiteError if the site shows neither.
 */
async function pullEvent(pull: Pull, id: number): Promise<void> {
  const { client, folder, api, isSignedIn, refused } = pull
  const name = `events/${id}.json`
  if (await isCurrent(pull, id)) return
  const noRaw = !isSignedIn || refused[rawEvents] !== undefined
  const raw = noRaw ? undefined : await client.get(api(`${rawEvents}/${id}`, { context: 'edit' }))
  const { password, status } = raw?.status === 200 && isObject(raw.body) ? raw.body : {}
  // The other interface has no trash.
  const v1 =
    status === 'trash'
      ? undefined
      : await client.get(
          api(`tribe/events/v1/events/${id}`, typeof password === 'string' && password !== '' ? { password } : {}),
        )
  const bodyOf = (answer: SiteAnswer | undefined) => (answer?.status === 200 ? answer.body : null)
  const pulled: PulledEvent = { id, raw: bodyOf(raw), v1: bodyOf(v1) }
  const isGone = [404, 410].includes((v1 ?? raw)?.status ?? 0) && pull.changes && (await folder.readJson(name))
  if (pulled.raw === null && pulled.v1 === null && isGone) return putAway(pull, id)
  if (pulled.raw === null && pulled.v1 === null) throw new SiteError(`${name}: HTTP ${(v1 ?? raw)?.status}`)
  await folder.writeJson(name, pulled)
}

async function countLists(folder: PullFolder): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {}
  const known = new Map<string, Set<unknown>>()
  for (const name of [...(await folder.list('lists')), ...(await folder.list('raw'))]) {
    const [, list = ''] = /\/([a-z]+)-(?:.*-)?\d+\.json$/.exec(name) ?? []
    if (list === '') continue
    const ids = known.get(list) ?? new Set()
    for (const item of itemsOf(await folder.readJson(name))) ids.add(isObject(item) ? item.id : item)
    counts[list] = known.set(list, ids).get(list)?.size ?? 0
  }
  return counts
}
