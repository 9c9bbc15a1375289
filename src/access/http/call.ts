import type { Readable } from 'node:stream'
import type { Language, TextLanguage } from '../../base/languages/language.ts'
import type { Actor } from '../auth/actor.ts'
import type { HeldKey } from '../auth/key.ts'
import type { Session } from '../auth/session.ts'
import type { Deps } from '../deps.ts'
import type { KeyedRequest } from '../idempotency/idempotency.ts'
import type { Addresses } from './addresses.ts'
import type { Validators } from './answers/etag.ts'
import type { Arguments, ArgumentValues, RawParameters } from './arguments/argument.ts'
import type { ParameterReport } from './arguments/parameter.report.ts'
import type { BodyLimits } from './received.body.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A request of an endpoint before its parameters are read. */
export interface EndpointRequest<P extends Arguments = Arguments> {
  readonly deps: Deps
  readonly actor: Actor
  /** Set if the browser of a signed-in user sends the request. */
  readonly session: Session | undefined
  /** Set if a program sends the request with a key. */
  readonly key: HeldKey | undefined
  /** The key under which the requests of the client are counted; undefined if they are not counted. */
  readonly client: string | undefined
  /** IP address of the client; '' if it is unknown. */
  readonly address: string
  readonly addresses: Addresses
  /** The language of messages and descriptions. */
  readonly textLanguage: TextLanguage
  /** The path below the prefix: `cal/service/v1`. */
  readonly namespace: string
  /** Path of the request, still percent-encoded. */
  readonly requestPath: string
  /** The parameters in the address, unchanged. */
  readonly query: RawParameters
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Values from the path. No other parameter overrides them. */
  readonly path: ArgumentValues<P>
}

export interface Call<P extends Arguments = Arguments, A extends Arguments = Arguments, T = unknown>
  extends EndpointRequest<P> {
  /** What the endpoint found before its parameters were read. */
  readonly target: T
  /** Values from body and query. */
  readonly values: ArgumentValues<A>
  /** The parameters as they were sent. Links of lists repeat them. */
  readonly sent: RawParameters
  /** Value of the language parameter, if the endpoint accepts it and it was sent. */
  readonly language: Language | undefined
  /** Id of the record that the written record translates; 0 if it no longer translates any. */
  readonly translationOf: number | undefined
  /** Methods that the caller may use on the item of the route. */
  readonly allow: () => Promise<readonly Method[]>
  /** What the answer reports about the parameters. */
  readonly parameterReport: ParameterReport
  /** The idempotency key of a write; undefined if it has none. */
  readonly keyed: KeyedRequest | undefined
  /** Returns the validator of the response with these validators if the client has it: see `content.coding.ts`. */
  readonly matchedForm: (validators: Validators) => string | undefined
  /** `context` of the query or body. Only terms and password-protected events use it. */
  readonly context: string | undefined
  /** A body that the endpoint reads itself; undefined if there is none. */
  readonly upload: Upload<A> | undefined
  /** What the endpoint has waited for, if it answers the request again after a wait. */
  readonly waited: Wait | undefined
}

/** What an endpoint waits for. It can be sent to another thread. */
export interface Wait {
  readonly [name: string]: unknown
  /** How long, in milliseconds. The clocks of threads differ, so it is not a time. */
  readonly forMs: number
}

/** What ends a wait besides what it waits for. */
export interface WaitEnd {
  /** A time of `performance.now`. */
  readonly untilMs: number
  /** Aborted when the client has gone, or the service stops. */
  readonly signal: AbortSignal
  /** Identifies the client for limits. Clients without a known address count as one. */
  readonly client: string | undefined
}

/** A body that its endpoint reads itself. */
export interface Upload<A extends Arguments = Arguments> {
  readonly body: Readable
  /**
   * Reads the body into memory.
   *
   * @throws as `readBody`
   */
  readonly whole: (bounds: Pick<BodyLimits, 'maxBytes' | 'look'>) => Promise<Buffer>
  /** Reads the fields sent with the file, by the table of the endpoint. */
  readonly read: (fields: RawParameters) => Promise<Pick<Call<Arguments, A>, 'values' | 'language'>>
}
