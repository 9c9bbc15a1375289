import type { Removed } from './accounts.ts'
import type { DateTime, Picture } from './api.generated.ts'
import type { AllOptions } from './collection.ts'
import type { CallOptions } from './options.ts'
import { eachItem, type Page } from './paging.ts'
import type { Send } from './send.ts'

/** A picture as a record of its own. */
export interface Media extends Omit<Picture, 'alt'> {
  readonly title: string
  /** The alternative text, in the language of the request; empty if there is none. */
  readonly alt_text: string
  /** The alternative text, by language. */
  readonly alt_texts: Readonly<Record<string, string>>
  /** True if the picture says nothing that the text beside it does not say. */
  readonly decorative: boolean
  readonly 'mime-type': string
  /** The id of its owner. */
  readonly author: number
  /** The upload time, in the time zone of the site. */
  readonly date: DateTime
  readonly date_utc: DateTime
}

/** The properties of a picture that can be changed. */
export interface MediaChanges {
  readonly title?: string | undefined
  readonly alt_text?: string | null | undefined
  /** By language; `null` removes a text. */
  readonly alt_texts?: Readonly<Record<string, string | null>> | undefined
  readonly decorative?: boolean | undefined
}

export interface MediaQuery {
  readonly page?: number | undefined
  readonly per_page?: number | undefined
}

export interface MediaLibrary {
  list(query?: MediaQuery, options?: CallOptions): Promise<Page<Media>>
  all(query?: Omit<MediaQuery, 'page'>, options?: AllOptions): AsyncGenerator<Media, void, undefined>
  get(id: number, options?: CallOptions): Promise<Media>
  /** Adds a picture. Use its id as the `image` of an event, venue or organizer. */
  upload(
    file: Blob,
    about: {
      readonly fileName: string
      readonly title?: string | undefined
      readonly alt_text?: string | undefined
      readonly decorative?: boolean | undefined
    },
    options?: CallOptions,
  ): Promise<Media>
  update(id: number, changes: MediaChanges, options?: CallOptions): Promise<Media>
  /** @param query `force` removes the picture even if something uses it. */
  delete(id: number, query?: { readonly force?: boolean | undefined }, options?: CallOptions): Promise<Removed<Media>>
}

const perPageOfAll = 100

export function createMedia(send: Send): MediaLibrary {
  const call = { namespace: 'service', path: '/media' } as const
  const one = (id: number) => ({ ...call, path: `/media/${id}` })
  const list = async (query: MediaQuery, options?: CallOptions): Promise<Page<Media>> => {
    const { body: items, headers } = await send<readonly Media[]>({ ...call, method: 'GET', query }, options)
    const total = Number(headers.get('X-TEC-Total'))
    const totalPages = Number(headers.get('X-TEC-TotalPages'))
    const { page = 1 } = query
    return { items, total, totalPages, page, isLast: page >= totalPages }
  }
  return {
    list: (query = {}, options) => list(query, options),
    all: ({ per_page = perPageOfAll } = {}, { limit, ...options } = {}) =>
      eachItem(async (page) => ({ page: await list({ per_page, page }, options), pins: {} }), limit),
    get: async (id, options) => (await send<Media>({ ...one(id), method: 'GET' }, options)).body,
    upload: async (file, { fileName, ...about }, options) => {
      const body = new FormData()
      for (const [name, value] of Object.entries(about)) if (value !== undefined) body.append(name, String(value))
      body.append('file', file, fileName)
      return (await send<Media>({ ...call, method: 'POST', body }, options)).body
    },
    update: async (id, changes, options) =>
      (await send<Media>({ ...one(id), method: 'PATCH', body: changes }, options)).body,
    delete: async (id, query, options) =>
      (await send<Removed<Media>>({ ...one(id), method: 'DELETE', query }, options)).body,
  }
}
