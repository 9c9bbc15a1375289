import type { TestAnswer, TestApp } from '../support/app.ts'

/** Where the interface is. */
export const own = '/cal/events/v1'
export const jsonType = { 'content-type': 'application/json' }
/** Headers of a request with a nonce, which no visitor has. */
export const nonce = { 'x-wp-nonce': 'abc' }

/** A body as it is, of the type that `headers` name. */
export const raw = (text: string, headers: Readonly<Record<string, string>> = jsonType) => ({ form: text, headers })

/** Status and code of a refusal, with the names of the parameters at fault where it has them. */
export function faultOf({ status, body }: TestAnswer): readonly unknown[] {
  const { params } = body?.data ?? {}
  return [status, body?.code, ...(params === undefined ? [] : [Array.isArray(params) ? params : Object.keys(params)])]
}

/** How many venues there are, drafts included. */
export async function venueCount(app: TestApp): Promise<number> {
  return (await app.send({ as: 'editor', path: '/venues' })).body.total
}
