import type { FastifyInstance } from 'fastify'

type Json = Readonly<Record<string, unknown>>

/** A client of the interface within the process. The demo is filled through the interface, like any calendar. */
export interface DemoClient {
  /** Creates a record in a language, as a translation of `of` if that is given, and returns its id. */
  create(resource: Resource, json: Json, language: DemoLanguage, of?: number): Promise<number>
  /** Creates a series in French and its translation, and returns its id. */
  createSeries(json: Json, english: Json): Promise<number>
  /** Returns the ids of the dates of a series from a local time on. */
  listDates(id: number, asked: { readonly from: string; readonly language: DemoLanguage }): Promise<readonly number[]>
  /** Changes an event. */
  change(id: number, json: Json): Promise<void>
  /** Adds a picture and returns its id. */
  upload(name: string, bytes: Buffer): Promise<number>
}

type Resource = 'events' | 'venues' | 'organizers' | 'categories' | 'tags'
type DemoLanguage = 'en' | 'fr-CA'

interface Sent {
  readonly method?: 'POST' | 'PATCH'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly payload: string | Buffer
}

const json = { 'content-type': 'application/json' }

export function demoClient(server: FastifyInstance, authorization: string): DemoClient {
  const send = async ({ method = 'POST', url, headers = json, payload }: Sent) => {
    const response = await server.inject({ method, url, headers: { authorization, ...headers }, payload })
    const isDone = response.statusCode === (method === 'POST' ? 201 : 200)
    if (!isDone) throw new Error(`The demo was refused ${url}: ${response.body}`)
    return response.json() as { readonly id: number; readonly series?: { readonly id: number } }
  }
  const events = '/cal/events/v1/events'
  return {
    create: async (resource, record, language, of) => {
      const payload = JSON.stringify(of === undefined ? record : { ...record, ml_translation_of: of })
      return (await send({ url: `/cal/events/v1/${resource}?ml_language=${language}`, payload })).id
    },
    createSeries: async (record, english) => {
      const { series } = await send({ url: `${events}?ml_language=fr-CA`, payload: JSON.stringify(record) })
      const id = series?.id ?? 0
      const url = `/cal/service/v1/series/${id}/translations?ml_language=en`
      await send({ url, payload: JSON.stringify(english) })
      return id
    },
    listDates: async (id, { from, language }) => {
      const asked = new URLSearchParams({ series: String(id), start_date: from, ml_language: language })
      const response = await server.inject({ url: `${events}?${asked}`, headers: { authorization } })
      return (response.json() as { readonly events: readonly { readonly id: number }[] }).events.map(
        (event) => event.id,
      )
    },
    change: async (id, change) => {
      await send({ method: 'PATCH', url: `${events}/${id}`, payload: JSON.stringify(change) })
    },
    upload: async (name, bytes) => {
      const headers = { 'content-type': 'image/jpeg', 'content-disposition': `attachment; filename="${name}"` }
      return (await send({ url: '/cal/service/v1/media', headers, payload: bytes })).id
    },
  }
}

/** Does this work for all items, several at a time: concurrent writes share a commit. */
export async function inTurns<T, R>(items: readonly T[], work: (item: T, place: number) => Promise<R>): Promise<R[]> {
  const atOnce = 16
  const results: R[] = []
  for (let from = 0; from < items.length; from += atOnce) {
    const turn = items.slice(from, from + atOnce).map((item, place) => work(item, from + place))
    results.push(...(await Promise.all(turn)))
  }
  return results
}
