/** The schemas of headers that the documents describe, by name. */
export const answerHeaderSchemas = {
  'X-TEC-Total': { type: 'integer', minimum: 0 },
  'X-TEC-TotalPages': { type: 'integer', minimum: 0 },
  Allow: { type: 'string' },
  Location: { type: 'string', format: 'uri' },
  'X-Record-Version': { type: 'integer', minimum: 0 },
  'X-Changes-Cursor': { type: 'string' },
  'X-WP-Total': { type: 'integer', minimum: 0 },
  'X-WP-TotalPages': { type: 'integer', minimum: 0 },
} as const satisfies Readonly<Record<string, object>>

/** Headers of answers that the documents describe. */
export type AnswerHeader = keyof typeof answerHeaderSchemas

/** Headers that only some answers of an operation have. The documents name them in texts. */
const further = [
  ...['Link', 'ETag', 'X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'Content-Disposition'],
  ...['Idempotency-Replayed', 'X-Dry-Run', 'X-Fields-Kept', 'X-Series-Changed'],
  ...['X-Ignored-Parameters', 'X-Adjusted-Parameters', 'Preference-Applied', 'WWW-Authenticate'],
  ...['X-TEC-API-VERSION', 'X-TEC-API-ROOT', 'X-TEC-API-ORIGIN'],
]

/**
 * All headers of answers that say something to programs: browsers show them to pages of other origins, besides those
 * that they always show (Fetch, “CORS-safelisted response-header name”).
 */
export const exposedHeaders: readonly string[] = [...Object.keys(answerHeaderSchemas), ...further]
