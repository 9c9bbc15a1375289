/** Connection errors of the system, as Node error codes. */
const lostConnection = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH'],
  // The address is unknown, or the socket file does not exist.
  ...['ENOTFOUND', 'EAI_AGAIN', 'ENOENT'],
])

/**
 * Errors of the server, as SQLSTATE (PostgreSQL, Appendix A): connection exception (08), insufficient resources (53),
 * cancelled by a timeout or an operator (57), ended for idling in a transaction, read-only since it is a standby now.
 */
const serverAway = /^(?:08|53|57)...$|^25P03$|^25P04$|^25006$/

/** What a server that follows another one answers to a write. */
export const readOnly = '25006'
/** No server can be reached. */
export const cannotConnect = '08001'

/** True if the server has ended this statement, at its timeout or for an operator. */
export function isStatementEnded(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === '57014'
}

/** Messages of the driver without a code: the connection broke, or a wait timed out. */
const driverAway =
  /^Connection terminated|^timeout expired|^timeout exceeded when trying to connect|not queryable|^Query read timeout/

/** Serialization failure, deadlock, and a key that another transaction inserted between a read and a write. */
const conflict = /^(?:40001|40P01|23505)$/

/** True if the database cannot be reached or cannot work now, and may recover later. */
export function isUnreachable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  return lostConnection.has(code) || serverAway.test(code) || (code === '' && driverAway.test(error.message))
}

/** Among these errors, those that say that the connection is gone, and not that one statement failed. */
const goneAway = /^(?:08...|57P0[123]|25006)$/
const goneMessage = /^Connection terminated|^timeout expired|not queryable|^Query read timeout/

/** True if the server has gone away. Until it is back, every request fails for this reason. */
export function isServerGone(error: Error): boolean {
  const code = codeOf(error)
  return lostConnection.has(code) || goneAway.test(code) || (code === '' && goneMessage.test(error.message))
}

/** True if the server can be read from, but not written to. */
export function isReadOnly(error: Error): boolean {
  return codeOf(error) === readOnly
}

/** True if the same transaction may succeed when it is run again. */
export function isConflict(error: unknown): boolean {
  return error instanceof Error && conflict.test(codeOf(error))
}

/** Returns the error as one line. An error of several addresses has no message of its own, only theirs. */
export function errorText(error: Error): string {
  return error instanceof AggregateError ? error.errors.map(errorText).join(', ') : error.message
}

function codeOf(error: Error): string {
  return String((error as NodeJS.ErrnoException).code ?? '')
}
