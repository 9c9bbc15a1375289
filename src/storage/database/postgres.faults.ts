/** What the system says of a connection, as codes of Node. */
const lostConnection = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH'],
  // The address is not known, or the socket's file is not there.
  ...['ENOTFOUND', 'EAI_AGAIN', 'ENOENT'],
])

/**
 * What the server says, as SQLSTATE (PostgreSQL, Appendix A): connection exception (08), insufficient resources (53),
 * cancelled by a timeout or an operator (57), ended for idling in a transaction, read-only since it is a standby now.
 */
const serverAway = /^(?:08|53|57)...$|^25P03$|^25P04$|^25006$/

/** What the driver says without a code: its connection broke, or it gave up waiting. */
const driverAway =
  /^Connection terminated|^timeout expired|^timeout exceeded when trying to connect|not queryable|^Query read timeout/

/** Serialization failure, deadlock, and a key that another transaction took between a look and a write. */
const conflict = /^(?:40001|40P01|23505)$/

/** True where the database cannot be reached or cannot work now, and may again later. */
export function isAway(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  return lostConnection.has(code) || serverAway.test(code) || (code === '' && driverAway.test(error.message))
}

/** True where the same transaction may well succeed when it is run again. */
export function isConflict(error: unknown): boolean {
  return error instanceof Error && conflict.test(codeOf(error))
}

/** The error in a line. One of several addresses has no message of its own, only theirs. */
export function reasonOf(error: Error): string {
  return error instanceof AggregateError ? error.errors.map(({ message }) => message).join(', ') : error.message
}

function codeOf(error: Error): string {
  return String((error as NodeJS.ErrnoException).code ?? '')
}
