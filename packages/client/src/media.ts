import type {
  ChangeMediaInput,
  DeleteMediaQuery,
  ListMediaQuery,
  Media,
  RemovedMedia,
  UploadMediaInput,
} from './api.generated.ts'
import type { AllOptions } from './collection.ts'
import type { CallOptions, ServiceWriteOptions } from './options.ts'
import { eachItem, type Page } from './paging.ts'
import type { Send } from './send.ts'

export type MediaQuery = ListMediaQuery

/** The properties of a picture that can be changed. */
export type MediaChanges = ChangeMediaInput

export interface MediaLibrary {
  list(query?: MediaQuery, options?: CallOptions): Promise<Page<Media>>
  all(query?: Omit<MediaQuery, 'page'>, options?: AllOptions): AsyncGenerator<Media, void, undefined>
  get(id: number, options?: CallOptions): Promise<Media>
  /** Adds a picture. Use its id as the `image` of an event, venue or organizer. */
  upload(
    file: Blob,
    about: Omit<UploadMediaInput, 'file'> & { readonly fileName: string },
    options?: ServiceWriteOptions,
  ): Promise<Media>
  update(id: number, changes: MediaChanges, options?: ServiceWriteOptions): Promise<Media>
  /** @param query `force` removes the picture even if something uses it. */
  delete(id: number, query?: DeleteMediaQuery, options?: ServiceWriteOptions): Promise<RemovedMedia>
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
      (await send<RemovedMedia>({ ...one(id), method: 'DELETE', query }, options)).body,
  }
}
