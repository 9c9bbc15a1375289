/** Statuses of the interface that the desk tells apart. */
export const statuses = {
  ok: 200,
  forbidden: 403,
  /** The record has another state than the request needs. */
  conflict: 409,
  /** Somebody has changed the record since it was read. */
  preconditionFailed: 412,
} as const
