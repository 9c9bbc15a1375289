import type { FastifyInstance } from 'fastify'

type Json = Readonly<Record<string, unknown>>

/** A client of the interface within the process. The demo is filled through the interface, like any calendar. */
export interface DemoClient {
  /** Creates a record in a language, as a translation of `of` if that is given, and returns its id. */
  create(resource: Resource, json: Json, language: DemoLanguage, of?: number): Promise<number>
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
    return (response.json() as { readonly id: number }).id
  }
  return {
    create: (resource, record, language, of) =>
      send({
        url: `/cal/events/v1/${resource}?ml_language=${language}`,
        payload: JSON.stringify(of === undefined ? record : { ...record, ml_translation_of: of }),
      }),
    change: async (id, change) => {
      await send({ method: 'PATCH', url: `/cal/events/v1/events/${id}`, payload: JSON.stringify(change) })
    },
    upload: (name, bytes) =>
      send({
        url: '/cal/service/v1/media',
        headers: { 'content-type': 'image/jpeg', 'content-disposition': `attachment; filename="${name}"` },
        payload: bytes,
      }),
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
