import type { FastifyInstance } from 'fastify'

type Json = Readonly<Record<string, unknown>>

/** A client of the interface within the process. The demo is filled through the interface, like any calendar. */
export interface DemoClient {
  /** Creates a record in a language, as a translation of `of` if that is given, and returns its id. */
  create(resource: Resource, json: Json, language: DemoLanguage, of?: number): Promise<number>
  /** Adds a picture and returns its id. */
  upload(name: string, bytes: Buffer): Promise<number>
}

type Resource = 'events' | 'venues' | 'organizers' | 'categories' | 'tags'
type DemoLanguage = 'en' | 'fr-CA'

export function demoClient(server: FastifyInstance, authorization: string): DemoClient {
  const send = async (url: string, headers: Readonly<Record<string, string>>, payload: string | Buffer) => {
    const response = await server.inject({ method: 'POST', url, headers: { authorization, ...headers }, payload })
    if (response.statusCode !== 201) throw new Error(`The demo was refused ${url}: ${response.body}`)
    return (response.json() as { readonly id: number }).id
  }
  return {
    create: (resource, json, language, of) =>
      send(
        `/cal/events/v1/${resource}?ml_language=${language}`,
        { 'content-type': 'application/json' },
        JSON.stringify(of === undefined ? json : { ...json, ml_translation_of: of }),
      ),
    upload: (name, bytes) =>
      send(
        '/cal/service/v1/media',
        { 'content-type': 'image/jpeg', 'content-disposition': `attachment; filename="${name}"` },
        bytes,
      ),
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
