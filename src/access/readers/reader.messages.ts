import type { TextLanguage } from '../../base/languages/language.ts'
import type { QueryTiming } from '../../base/monitoring/query.ts'
import type { ProblemCode } from '../../base/problems.ts'
import type { RawParameters } from '../http/arguments/argument.ts'
import type { Wait } from '../http/call.ts'
import type { WireRequest, WireResponse } from '../http/wire.ts'

// The messages between the main thread and its reader threads.

/** A read of a namespace of our own, whose route the framework has found. */
export interface RoutedRead {
  /** The path of the namespace below the prefix: `cal/service/v1`. */
  readonly namespace: string
  /** The path of the route: `/events/{id}`. */
  readonly route: string
  readonly textLanguage: TextLanguage
  /** The parameters in the path, unchanged. */
  readonly path: RawParameters
  /** The parameters in the query, unchanged. */
  readonly query: RawParameters
  /** What the endpoint has waited for, if it is asked again. */
  readonly waited: Wait | undefined
}

/** A read, and what its response depends on besides the content. */
export interface ReadTask {
  readonly request: Omit<WireRequest, 'isGone'>
  /** Whether it is for a page, for the interface of the contract, or for a namespace of our own. */
  readonly target: 'page' | 'interface' | RoutedRead
  /** The second since 1970 at which it is answered. */
  readonly second: number
  /** How long the client must wait until it may try the password of a list again. */
  readonly guessWaitSeconds: number
}

/** What a thread has noted while it worked, for the log, the metrics and the traces of the main thread. */
export interface ReadNotes {
  readonly problem: ProblemCode | undefined
  readonly queries: readonly QueryTiming[]
  readonly errors: readonly unknown[]
}

export type ThreadJob =
  | { readonly kind: 'answer'; readonly task: ReadTask }
  /** Asks for the next piece of a response that the thread has begun. */
  | { readonly kind: 'next'; readonly stream: number }

/** What the main thread sends. */
export type ThreadOrder =
  | { readonly kind: 'job'; readonly id: number; readonly job: ThreadJob }
  /** Nobody reads the rest of this response. */
  | { readonly kind: 'release'; readonly stream: number }

export interface ReadAnswer {
  /** The body is in `bytes`. */
  readonly response: Omit<WireResponse, 'body' | 'pieces'>
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Set if the response is sent in pieces: the number under which the thread holds them. */
  readonly stream: number | undefined
}

/** A piece of a response; undefined after the last one. */
export interface ReadPiece {
  readonly piece: Uint8Array<ArrayBuffer> | undefined
}

/** A failure of the thread itself. Problems of a request are part of its answer. */
export interface ReadFailure {
  readonly failure: unknown
}

export type ThreadResult = (ReadAnswer | ReadPiece | ReadFailure) & { readonly notes: ReadNotes }

/** What a thread sends. */
export type ThreadReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly id: number; readonly result: ThreadResult }
  /** A wrong password, which the main thread counts. */
  | { readonly kind: 'wrong-guess'; readonly client: string | undefined; readonly target: string | undefined }
