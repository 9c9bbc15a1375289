import type { IncomingMessage, ServerResponse } from 'node:http'
import { cacheBudgets } from '../../base/config/cache.ts'
import { type RequestTrace, unmatchedRoute } from '../../base/monitoring/request.trace.ts'
import type { Deps } from '../deps.ts'
import { onlyPlain } from '../http/accept.encoding.ts'
import type { Coder } from '../http/coder.ts'
import { acceptedBy, codingFor, isText, isWithoutSecret, knownForm, varyingByCoding } from '../http/coding.ts'
import {
  answerToKeep,
  codedForm,
  createMemory,
  isTrueAt,
  type KeptAnswer,
  type KeptForm,
  keyFor,
} from '../http/memory.ts'
import type { FindSite } from '../http/site.ts'
import type { WireResponse } from '../http/wire.ts'
import type { Unread } from './unread.ts'
import { timingOf } from './watching.ts'

/** What is known of a request before it is answered. */
export interface Recalled {
  /** What it asks for; undefined where its answer is not kept. */
  readonly key: string | undefined
  /** The state of the content when it was asked. */
  readonly revision: number | undefined
  /** The answer, where one stands that is still true. */
  readonly answer: KeptAnswer | undefined
}

const nothing: Recalled = { key: undefined, revision: undefined, answer: undefined }

/**
 * The memory of a server: answers to visitors, each true for as long as the content is in the state that it was made of,
 * and the clock has not passed what it depends on. So no answer is older than the last write that was acknowledged,
 * by whatever process.
 */
export function createRecall({ config, storage, now }: Deps, findSite: FindSite, unread: Unread, coder?: Coder) {
  const memory = createMemory(cacheBudgets(config).answers)
  const keyOf = config.cacheMegabytes === 0 ? () => undefined : keyFor(config, findSite)
  const known = new WeakMap<IncomingMessage, Recalled>()

  const judge = (key: string, revision: number): Recalled => {
    const answer = memory.find(key)
    const isTrue = answer !== undefined && isTrueAt(answer, revision, now())
    if (answer && !isTrue) memory.forget(key)
    return { key, revision, answer: isTrue ? answer : undefined }
  }

  /** What is known of this request, at once where its answer is not kept. */
  const recall = (request: IncomingMessage): Recalled | Promise<Recalled> => {
    const earlier = known.get(request)
    if (earlier) return earlier
    const key = keyOf(request)
    if (key === undefined) return nothing
    return storage.revision().then((revision) => judge(key, revision))
  }

  /**
   * Answers from memory, before anything else looks at the request.
   *
   * @param more Headers for this client only, names and values in turns.
   * @returns false where that cannot be done.
   */
  const answerAtOnce = (
    request: IncomingMessage,
    response: ServerResponse,
    more: readonly string[],
    requestTrace: RequestTrace,
  ): boolean | Promise<boolean> => {
    const recalled = recall(request)
    const send = (found: Recalled) => {
      if (!found.answer) {
        if (found.key === undefined) return false
        requestTrace.memory = 'miss'
        known.set(request, found)
        return false
      }
      requestTrace.memory = 'hit'
      requestTrace.route = found.answer.route
      const all = (kept: readonly string[]) =>
        kept.concat(config.sendsServerTiming ? more.concat('Server-Timing', timingOf(requestTrace)) : more)
      const sendForm = (form: KeptForm | KnownForm) => {
        if (response.destroyed) return true
        if (form.body === undefined) {
          response.writeHead(304, all(form.headers)).end()
          return true
        }
        unread.makeRoom(response, form.body.length)
        response.writeHead(200, all(form.headers)).end(request.method === 'HEAD' ? undefined : form.body)
        return true
      }
      const form = formFor(found, found.answer, request)
      return form instanceof Promise ? form.then(sendForm) : sendForm(form)
    }
    return recalled instanceof Promise ? recalled.then(send, () => false) : send(recalled)
  }

  /**
   * What of a kept answer this request is sent: that its client has it already, or the form that it takes. A coded form is
   * made when it is first asked for, and kept from then on.
   */
  const formFor = (
    { key = '' }: Pick<Recalled, 'key'>,
    answer: KeptAnswer,
    request: IncomingMessage,
  ): KnownForm | KeptForm | Promise<KeptForm> => {
    const accepted = answer.coded ? acceptedBy(request) : onlyPlain
    const known = knownForm(answer.etag, accepted, request.headers['if-none-match'])
    if (known !== undefined) return { headers: [...answer.headersAlone, 'ETag', known] }
    const coding = codingFor(accepted, answer.body.length)
    if (!coding || !answer.coded || !coder) return answer
    const there = answer.coded.get(coding)
    if (there) return there
    const made = coder.code(coding, answer.body, 'kept')?.then(
      (body) => {
        const form = codedForm(answer, coding, body)
        answer.coded?.set(coding, form)
        memory.grow(key, answer, form)
        return form
      },
      () => {
        answer.coded?.delete(coding)
        return answer
      },
    )
    if (!made) return answer
    answer.coded.set(coding, made)
    return made
  }

  /** What is being made now, by what was asked. */
  const making = new Map<string, { readonly revision: number; readonly made: Promise<Made> }>()

  /**
   * The answer to a request that nothing stands for, kept where it may be. Of many who ask the same at the same time one
   * has it made, and the others wait: after a write they would all make it at once.
   *
   * @param make Makes it for this request alone.
   */
  const madeOnce = async (
    { key, revision }: Recalled,
    request: IncomingMessage,
    make: () => Promise<WireResponse>,
  ): Promise<Made> => {
    if (key === undefined || revision === undefined) return { response: await make() }
    const other = making.get(key)
    // Made of a state that is no older than the one this request has seen, and by a clock that shows the same.
    if (other?.revision === revision) {
      const answer = await other.made.then(
        (made) => made.answer,
        () => undefined,
      )
      if (answer && isTrueAt(answer, revision, now())) return { answer }
      return { response: await make() }
    }
    const made = (async (): Promise<Made> => {
      const madeAt = now()
      const response = await make()
      const { kept } = response
      if (!kept) return { response }
      // What no later second changes none changes at all.
      const freshFrom = kept.freshUntil === Number.POSITIVE_INFINITY ? Number.NEGATIVE_INFINITY : madeAt
      const { headers } = response
      const isCodable =
        coder !== undefined && isText(headers['Content-Type'], headers['Cache-Control']) && isWithoutSecret(request)
      const body = Buffer.from(response.body)
      const content = { headers: isCodable ? varyingByCoding(headers) : headers, body, isCodable }
      const { route = unmatchedRoute } = response
      const answer = answerToKeep(content, { ...kept, route, freshFrom })
      memory.keep(key, answer)
      return { answer }
    })()
    const entry = { revision, made }
    making.set(key, entry)
    try {
      return await made
    } finally {
      if (making.get(key) === entry) making.delete(key)
    }
  }

  return { memory, recall, answerAtOnce, formFor, madeOnce }
}

/** An answer that may be given again, or one to this request only. */
type Made =
  | { readonly answer: KeptAnswer; readonly response?: undefined }
  | { readonly answer?: undefined; readonly response: WireResponse }

/** That the client has the answer already (RFC 9110, 15.4.5). */
export interface KnownForm {
  readonly headers: readonly string[]
  readonly body?: undefined
}
