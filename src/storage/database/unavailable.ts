import { Problem } from '../../base/problems.ts'

const retryAfterSeconds = 5
/** The same read may be shorter when the machine is less busy. */
const retryDearAfterSeconds = 10

/** Returns the problem for a request while the database cannot serve it. The cause is for the log; undefined if it was reported already. */
export function unavailable(cause: unknown): Problem {
  return new Problem('service_unavailable', { headers: { 'Retry-After': String(retryAfterSeconds) }, cause })
}

/** True for a problem that `unavailable` returned. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Problem && error.code === 'service_unavailable'
}

/** True for a failure that needs no line in the log: the outage that caused it was reported already. */
export function isToldOnce(error: unknown): boolean {
  return isUnavailable(error) && (error as Problem).cause === undefined
}

/** Returns the problem for a read that was ended because it took too long. */
export function tooDear(): Problem {
  return new Problem('query-too-dear', { headers: { 'Retry-After': String(retryDearAfterSeconds) } })
}
