import type { TestAnswer, TestApp } from '../support/app.ts'

/** The path of the interface. */
export const own = '/cal/events/v1'
export const jsonType = { 'content-type': 'application/json' }
/** Headers of a request with a nonce, which no visitor has. */
export const nonce = { 'x-wp-nonce': 'abc' }

/** A body that is sent unchanged, of the type that `headers` name. */
export const raw = (text: string, headers: Readonly<Record<string, string>> = jsonType) => ({ form: text, headers })

/** Returns status and code of a refusal, with the names of the faulty parameters if it has any. */
export function faultOf({ status, body }: TestAnswer): readonly unknown[] {
  const { params } = body?.data ?? {}
  return [status, body?.code, ...(params === undefined ? [] : [Array.isArray(params) ? params : Object.keys(params)])]
}

/** Returns the number of venues, drafts included. */
export async function venueCount(app: TestApp): Promise<number> {
  return (await app.send({ as: 'editor', path: '/venues' })).body.total
}
