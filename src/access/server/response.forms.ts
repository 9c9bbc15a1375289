import type { IncomingMessage } from 'node:http'
import { identityOnly } from '../http/answers/accept.encoding.ts'
import { chooseCoding, codingsAcceptedBy, matchedForm } from '../http/answers/content.coding.ts'
import type { ContentEncoder } from '../http/answers/content.encoder.ts'
import { type CachedForm, type CachedResponse, codedForm, type ResponseStore } from '../http/answers/response.store.ts'

/** The response that the client already has the representation (RFC 9110, 15.4.5). */
interface NotModified {
  readonly headers: readonly string[]
  readonly body?: undefined
}

/** The form of a cached response that is sent. */
export type SentForm = CachedForm | NotModified

/** A cached response, with its key in the store. */
export interface StoredResponse {
  readonly key: string | undefined
  readonly response: CachedResponse
}

/**
 * Selects the form of a cached response for a request: a 304 if the client already has it, else the representation that
 * the client accepts. The first request for a content coding makes the coded form, which is then stored.
 */
export type SelectForm = (stored: StoredResponse, request: IncomingMessage) => SentForm | Promise<CachedForm>

export function createFormSelector(
  store: Pick<ResponseStore, 'addForm'>,
  coder: ContentEncoder | undefined,
): SelectForm {
  return ({ key = '', response }, request) => {
    const accepted = response.coded ? codingsAcceptedBy(request) : identityOnly
    const etag = matchedForm(response, accepted, request.headers)
    if (etag !== undefined) return { headers: [...response.headersAlone, 'ETag', etag] }
    const { coded } = response
    const coding = chooseCoding(accepted, response.body.length)
    if (!coding || !coded || !coder) return response
    const known = coded.get(coding)
    if (known) return known
    const made = coder.code(coding, response.body, 'kept')?.then(
      (body) => {
        const form = codedForm(response, coding, body)
        coded.set(coding, form)
        store.addForm(key, response, form)
        return form
      },
      () => {
        coded.delete(coding)
        return response
      },
    )
    if (!made) return response
    coded.set(coding, made)
    return made
  }
}
