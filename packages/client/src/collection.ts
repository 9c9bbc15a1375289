import type { EventList, Language } from './api.generated.ts'
import { isApiError } from './errors.ts'
import type { CallOptions, ServiceWriteOptions, WriteOptions } from './options.ts'
import { eachItem, type Page, type PageRead } from './paging.ts'
import type { Send } from './send.ts'

/** The types of one kind of record. */
export interface Kind {
  readonly item: { readonly id: number }
  /** The parameters of its list. */
  readonly listQuery: { readonly page?: number | undefined; readonly per_page?: number | undefined }
  /** The parameters of a single record. */
  readonly itemQuery: object
  readonly created: object
  readonly changed: object
  /** The input of a translation. Properties that are left out are taken from the original. */
  readonly translated: object
}

/** Options of a call that reads a whole list. */
export type AllOptions = CallOptions & {
  /** At most this many items. */
  readonly limit?: number | undefined
}

/** The records of one kind. */
export interface Collection<K extends Kind> {
  /** One page. */
  list(query?: K['listQuery'], options?: CallOptions): Promise<Page<K['item']>>
  /** Yields all items. Reads each page when its items are needed. */
  all(query?: Omit<K['listQuery'], 'page'>, options?: AllOptions): AsyncGenerator<K['item'], void, undefined>
  get(id: number, query?: K['itemQuery'], options?: CallOptions): Promise<K['item']>
  create(input: K['created'], options?: WriteOptions): Promise<K['item']>
  /** Changes only the properties that are sent. */
  update(id: number, input: K['changed'], options?: WriteOptions): Promise<K['item']>
  /** Moves events, venues and organizers to the trash. Removes categories and tags permanently. */
  delete(id: number, options?: WriteOptions): Promise<K['item']>
  /** Creates the version of a record in another language. It copies properties that are not sent from the record. */
  translate(id: number, language: Language, input: K['translated'], options?: WriteOptions): Promise<K['item']>
}

/** Events, venues or organizers, which have a slug and a trash. */
export interface Records<K extends Kind, SlugQuery> extends Collection<K> {
  /** @throws ApiError `rest_invalid_param`, if there is no such record */
  bySlug(slug: string, query?: SlugQuery, options?: CallOptions): Promise<K['item']>
  /** Restores a record from the trash, with its previous status. */
  restore(id: number, options?: ServiceWriteOptions): Promise<K['item']>
}

/** The maximum page size of the service by default, so that few requests suffice. */
const perPageOfAll = 100

type WireList = Omit<EventList, 'events'>

/** The representation of records on the wire. */
interface Wire {
  readonly send: Send
  /** The last part of the address of the list, and the key of its items. */
  readonly plural: string
  /** Converts an input to its representation on the wire. */
  readonly toWire?: (input: object) => object
}

export function createCollection<K extends Kind>({ send, plural, toWire = (input) => input }: Wire): Collection<K> {
  type Item = K['item']
  const call = { namespace: 'events', path: `/${plural}` } as const
  const one = (id: number) => ({ ...call, path: `/${plural}/${id}` })
  const readPage = async (query: K['listQuery'], options?: CallOptions): Promise<PageRead<Item>> => {
    const { body } = await send<WireList & Readonly<Record<string, unknown>>>(
      { ...call, method: 'GET', query },
      options,
    )
    const page = {
      items: body[plural] as readonly Item[],
      total: body.total,
      totalPages: body.total_pages,
      page: query.page ?? 1,
      isLast: body.next_rest_url === undefined,
    }
    return { page, pins: datesIn(body.next_rest_url) }
  }
  const create = async (input: object, options?: WriteOptions) =>
    (await send<Item>({ ...call, method: 'POST', body: toWire(input) }, options)).body
  return {
    list: async (query = {}, options) => (await readPage(query, options)).page,
    all: (query, { limit, ...options } = {}) =>
      eachItem(
        (page, pins) => orNone(readPage({ per_page: perPageOfAll, ...query, ...pins, page }, options), page),
        limit,
      ),
    get: async (id, query, options) => (await send<Item>({ ...one(id), method: 'GET', query }, options)).body,
    create,
    update: async (id, input, options) =>
      (await send<Item>({ ...one(id), method: 'PATCH', body: toWire(input) }, options)).body,
    delete: async (id, options) => (await send<Item>({ ...one(id), method: 'DELETE' }, options)).body,
    translate: (id, language, input, options) => create({ ...input, ml_translation_of: id }, { ...options, language }),
  }
}

export function createRecords<K extends Kind, SlugQuery extends object>(wire: Wire): Records<K, SlugQuery> {
  const { send, plural } = wire
  return {
    ...createCollection<K>(wire),
    bySlug: async (slug, query, options) => {
      const path = `/${plural}/by-slug/${encodeURIComponent(slug)}`
      return (await send<K['item']>({ namespace: 'events', method: 'GET', path, query }, options)).body
    },
    restore: async (id, options) => {
      const path = `/${plural}/${id}/restore`
      return (await send<K['item']>({ namespace: 'service', method: 'POST', path }, options)).body
    },
  }
}

/**
 * Returns the dates in the address of the next page. They resolve dates that were not sent and dates such as `today`.
 * Without them, the next page would belong to another list if it were requested on another day.
 */
function datesIn(nextUrl: string | undefined): object {
  const query = nextUrl === undefined ? [] : [...new URL(nextUrl).searchParams]
  return Object.fromEntries(query.filter(([name]) => /^(start|end)_date$|^(starts|ends)_(before|after)$/.test(name)))
}

/** Returns undefined if the list has become shorter and no longer has this page. */
async function orNone<T>(page: Promise<T>, number: number): Promise<T | undefined> {
  try {
    return await page
  } catch (error) {
    const isGone = isApiError(
      error,
      'event-archive-page-not-found',
      'venue-archive-page-not-found',
      'organizer-archive-page-not-found',
    )
    if (isGone && number > 1) return undefined
    throw error
  }
}
