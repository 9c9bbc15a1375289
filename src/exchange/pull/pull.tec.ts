import type { PulledEvent, PullFolder, PullManifest } from './pull.folder.ts'
import {
  type AddressOf,
  eventStates,
  isId,
  isObject,
  itemsOf,
  type Pull,
  pullOne,
  pullPages,
  pullRecordedList,
} from './pull.lists.ts'
import { picturesOf, pullPicture } from './pull.pictures.ts'
import { createSiteClient, type SiteAnswer, type SiteClient, SiteError, type SiteOptions } from './site.client.ts'

/** How a site is fetched. */
export interface PullOptions extends SiteOptions {
  readonly folder: PullFolder
  /** Ids of further events, for those that are in no list. */
  readonly eventIds?: readonly number[]
  readonly now: () => Date
  readonly onProgress?: (done: number, total: number) => void
}

const maxEvents = 200_000

const always = { start_date: '1970-01-02', end_date: '2100-01-01' }
/** The extension makes readers of its newer interface say that they know of this. */
const newerInterface = {
  'X-TEC-EEA':
    'I understand that this endpoint is experimental and may change in a future release without maintaining backward compatibility. I also understand that I am using this endpoint at my own risk, while support is not provided for it.',
}

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
export async function pullTec(options: PullOptions): Promise<PullManifest & { readonly failures: readonly string[] }> {
  const { folder, site, credentials, now, onProgress } = options
  const client = createSiteClient(options)
  const isSignedIn = credentials !== undefined
  const manifest: PullManifest = {
    ...{ format: 'cal-events-pull', version: 1, site: site.href, isSignedIn, finishedAt: '' },
    ...{ counts: {}, refused: {} },
  }
  await folder.writeManifest(manifest)
  const api = await findInterface(client, options)
  const pull: Pull = { client, folder, api, isSignedIn, refused: {} }
  for (const list of visitorLists) await pullRecordedList(pull, list)
  if (isSignedIn) {
    for (const [name, { path, query }] of Object.entries(rawLists)) {
      const address = api(path, { context: 'edit', per_page: '100', ...query })
      await pullPages(pull, { name: `raw/${name}`, address })
    }
    await pullOne(pull, 'raw/settings.json', 'wp/v2/settings')
  }
  const ids = await pullEventIds(pull, options.eventIds)
  const failures = await pullEach(ids, (id) => pullEvent(pull, id), onProgress)
  const pictures = await picturesOf(folder)
  for (const [id, url] of pictures) await pullPicture(pull, id, url)
  const counts = { events: ids.length, pictures: pictures.size, ...(await countLists(folder)) }
  const finishedAt = failures.length > 0 ? '' : now().toISOString()
  const pulled = { ...manifest, finishedAt, counts, refused: pull.refused }
  await folder.writeManifest(pulled)
  return { ...pulled, failures }
}

/** After this many faults in a row, the site is gone, and not only a record broken. */
const maxFaultsInARow = 3

/** Fetches events one by one, and returns the faults of those that the site cannot show. */
async function pullEach(
  ids: readonly number[],
  pullEvent: (id: number) => Promise<void>,
  onProgress: PullOptions['onProgress'],
): Promise<readonly string[]> {
  const failures: string[] = []
  let inARow = 0
  for (const [place, id] of ids.entries()) {
    try {
      await pullEvent(id)
      inARow = 0
    } catch (error) {
      if (!(error instanceof SiteError) || ++inARow === maxFaultsInARow) throw error
      failures.push(error.message)
    }
    onProgress?.(place + 1, ids.length)
  }
  return failures
}

/** Finds the interface of the site by its index, also where the site has no addresses of words. */
async function findInterface(client: SiteClient, { site, credentials, folder }: PullOptions): Promise<AddressOf> {
  const base = site.href.replace(/[?#].*$/, '').replace(/\/?(?:wp-json\/?)?$/, '/')
  const forms: readonly AddressOf[] = [
    (path, query = {}) => new URL(`${base}wp-json/${path}?${new URLSearchParams(query)}`),
    (path, query = {}) => new URL(`${base}?${new URLSearchParams({ rest_route: `/${path}`, ...query })}`),
  ]
  for (const api of forms) {
    const answer = await client.get(api('tribe/events/v1/events', { per_page: '1', ...always }))
    if (answer.status === 401 || answer.status === 403) {
      const reason = credentials ? `The site refuses the user ${credentials.user}` : 'The site refuses visitors'
      throw new SiteError(`${reason}: HTTP ${answer.status}.`)
    }
    // A list without events may be answered as not found.
    if (!isObject(answer.body) || answer.body.code === 'rest_no_route') continue
    const index = await client.get(api(''))
    if (index.status === 200) await folder.writeJson('index.json', index.body)
    return api
  }
  throw new SiteError(`${site.href} has no calendar of The Events Calendar: nothing answers at tribe/events/v1.`)
}

/**
 * Returns the ids of all events in any list. No single list has them all: one leaves out hidden events, one those that
 * are over, and one the trash. An event that ends before it starts is in none.
 */
async function pullEventIds(pull: Pull, named: readonly number[] = []): Promise<readonly number[]> {
  const { api, isSignedIn } = pull
  const states = isSignedIn ? { status: eventStates } : {}
  const keep = (item: unknown) => (isObject(item) ? { id: item.id } : {})
  const ofVisitors = api('tribe/events/v1/events', { ...states, ...always, per_page: '50' })
  const found = [...(await pullPages(pull, { name: 'ids/v1', address: ofVisitors, keep }))]
  if (isSignedIn) {
    const newer = api('tec/v1/events', { status: eventStates, start_date: '2000-01-01', per_page: '100' })
    found.push(...(await pullPages(pull, { name: 'ids/newer', address: newer, headers: newerInterface, keep })))
    const raw = api('wp/v2/tribe_events', { context: 'edit', status: `${eventStates},trash`, per_page: '100' })
    found.push(...(await pullPages(pull, { name: 'ids/raw', address: raw, keep })))
  }
  const ids = [...new Set([...named, ...found.map((item) => Number((item as { readonly id: unknown }).id))])].filter(
    isId,
  )
  if (ids.length > maxEvents) throw new SiteError(`The site has more than ${maxEvents} events.`)
  return ids.toSorted((one, other) => one - other)
}

/** Fetches an event in its raw form, which has its password and its state, and as visitors see it. */
async function pullEvent({ client, folder, api, isSignedIn, refused }: Pull, id: number): Promise<void> {
  const name = `events/${id}.json`
  if ((await folder.readJson(name)) !== undefined) return
  const noRaw = !isSignedIn || refused['ids/raw'] !== undefined
  const raw = noRaw ? undefined : await client.get(api(`wp/v2/tribe_events/${id}`, { context: 'edit' }))
  const { password, status } = raw?.status === 200 && isObject(raw.body) ? raw.body : {}
  // The other interface has no trash.
  const v1 =
    status === 'trash'
      ? undefined
      : await client.get(
          api(`tribe/events/v1/events/${id}`, typeof password === 'string' && password !== '' ? { password } : {}),
        )
  const bodyOf = (answer: SiteAnswer | undefined) => (answer?.status === 200 ? answer.body : null)
  await folder.writeJson(name, { id, raw: bodyOf(raw), v1: bodyOf(v1) } satisfies PulledEvent)
}

async function countLists(folder: PullFolder): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {}
  const known = new Map<string, Set<unknown>>()
  for (const name of [...(await folder.list('lists')), ...(await folder.list('raw'))]) {
    const [, list = ''] = /\/([a-z]+)-\d+\.json$/.exec(name) ?? []
    if (list === '') continue
    const ids = known.get(list) ?? new Set()
    for (const item of itemsOf(await folder.readJson(name))) ids.add(isObject(item) ? item.id : item)
    counts[list] = known.set(list, ids).get(list)?.size ?? 0
  }
  return counts
}
