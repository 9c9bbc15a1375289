import type { MessageKey } from './languages/catalogue.ts'

/** Every failure that a client can see: its code and status. The texts are in `languages/`, under the same codes. */
export const PROBLEMS = {
  rest_no_route: 404,
  rest_invalid_json: 400,
  rest_missing_callback_param: 400,
  rest_invalid_param: 400,
  rest_callback_invalid: 400,
  rest_invalid_namespace: 404,
  rest_bad_request: 400,
  rest_request_too_large: 413,
  rest_request_timeout: 408,
  rest_uri_too_long: 414,
  rest_unknown_host: 421,
  rest_too_many_requests: 429,
  rest_headers_too_large: 431,
  rest_forbidden: 403,
  rest_cookie_invalid_nonce: 403,
  incorrect_password: 401,
  internal_server_error: 500,
  service_unavailable: 503,
  'query-too-dear': 503,

  'rest-invalid-event-id': 400,
  'rest-event-not-found': 404,
  'event-not-accessible': 403,
  'event-password-protected': 403,
  'event-no-longer-available': 403,
  'event-archive-page-not-found': 404,
  'event-is-in-trash': 410,
  'event-is-over': 400,
  'could-not-create-venue': 400,
  'could-not-update-venue': 400,
  'venue-not-accessible': 403,
  'venue-archive-page-not-found': 404,
  'venue-is-in-trash': 410,
  'could-not-create-organizer': 400,
  'could-not-update-organizer': 400,
  'organizer-not-accessible': 403,
  'organizer-archive-page-not-found': 404,
  'organizer-is-in-trash': 410,

  ml_translation_exists: 400,

  'media-not-found': 404,
  'media-in-use': 409,
  'media-no-file': 400,
  'media-refused': 422,

  'sign-in-failed': 401,
  'current-password-wrong': 403,
  'user-not-found': 404,
  'user-exists': 409,
  'user-has-records': 409,
  'last-administrator': 409,
  'key-not-found': 404,
  'too-many-keys': 409,
  'too-many-views': 409,
  'too-many-subscriptions': 409,
  'beyond-own-key': 403,
  'beyond-key-scope': 403,
  'session-required': 403,
  'session-not-found': 404,
  'link-not-valid': 410,

  'cancellation-not-found': 404,
  'merge-not-found': 404,

  'series-not-found': 404,
  'series-date-not-found': 404,
  'series-invalid-rule': 400,
  'series-no-dates': 400,
  'series-too-many-dates': 400,
  'series-dates-in-use': 409,
  'series-scope': 400,
  'series-is-in-trash': 410,

  'quota-exceeded': 403,
  'source-of-another-user': 403,
  'external-id-not-found': 404,
  'external-id-exists': 409,

  'record-not-found': 404,
  'sync-expired': 410,
  'record-not-in-trash': 409,
  'precondition-failed': 412,
  'precondition-required': 428,
  'idempotency-key-invalid': 400,
  'idempotency-key-reused': 422,
  'not-a-calendar': 400,
  'not-a-table': 400,
  'batch-failed': 422,
  'batch-too-long': 503,
  'batch-operation-refused': 400,
  'batch-reference-failed': 424,
  'picture-not-fetched': 422,

  term_exists: 400,
  rest_taxonomy_not_hierarchical: 400,
  empty_term_name: 400,
  db_insert_error: 400,
  duplicate_term_slug: 400,

  oembed_invalid_url: 404,
} as const satisfies Record<string, number>

export type ProblemCode = keyof typeof PROBLEMS

export interface ParameterFault {
  readonly text: MessageKey
  readonly values?: Readonly<Record<string, string>>
  /** Set if the value has the wrong type or is not in the list. Reported only if no other fault exists. */
  readonly inner?: { readonly code: 'rest_invalid_type' | 'rest_not_in_enum'; readonly data: unknown }
}

const unauthorized = 401

/**
 * The authentication challenge (RFC 9110, 11.6.1; RFC 6750, 3). Basic is accepted too but not named here, since it
 * makes browsers show their own password dialog (docs/decisions/0029).
 */
const challenge = { 'WWW-Authenticate': 'Bearer realm="calendar"' } as const

/** A failure that is part of the contract. Any other thrown error is a bug. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly status: number
  /** The key of the message: the code, unless a more helpful message exists. */
  readonly text: MessageKey
  /** The members of `data` besides the status. */
  readonly details: Readonly<Record<string, unknown>>
  /** Further texts in `data`, by name. */
  readonly texts: Readonly<Record<string, MessageKey>>
  /** The members next to `code`, `message` and `data`. */
  readonly extra: Readonly<Record<string, unknown>>
  /** The faults by parameter, if the code is `rest_invalid_param`. */
  readonly faults: Readonly<Record<string, ParameterFault>>
  /** Further header fields of the response. */
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ProblemCode, options: ProblemOptions = {}) {
    super(code, 'cause' in options ? { cause: options.cause } : {})
    this.code = code
    this.status = options.status ?? PROBLEMS[code]
    // Contract: one code covers two cases, that nobody is signed in and that the user lacks the permission.
    const isUnknown = code === 'rest_forbidden' && this.status === unauthorized
    this.text = options.text ?? (isUnknown ? 'rest_forbidden.visitor' : code)
    this.details = options.details ?? {}
    this.texts = options.texts ?? {}
    this.extra = options.extra ?? {}
    this.faults = options.faults ?? {}
    this.headers = { ...(this.status === unauthorized ? challenge : {}), ...options.headers }
  }
}

export interface ProblemOptions {
  /** Set if one code has several statuses. */
  readonly status?: number
  readonly text?: MessageKey
  readonly details?: Readonly<Record<string, unknown>>
  readonly texts?: Readonly<Record<string, MessageKey>>
  readonly extra?: Readonly<Record<string, unknown>>
  readonly faults?: Readonly<Record<string, ParameterFault>>
  readonly headers?: Readonly<Record<string, string>>
  /** The internal error. It is logged; clients do not see it. */
  readonly cause?: unknown
}

/** Throws a problem of the contract, which ends the request. */
export function fail(code: ProblemCode, options?: ProblemOptions): never {
  throw new Problem(code, options)
}

/** Throws the problem of one invalid parameter, which ends the request. */
export function failParameter(name: string, text: MessageKey): never {
  throw new Problem('rest_invalid_param', { faults: { [name]: { text } } })
}
