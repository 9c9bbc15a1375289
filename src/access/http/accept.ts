/** Returns true if an `Accept` value lists this type (RFC 9110, 12.5.1). */
export function takesType(accept: string | undefined, type: string): boolean {
  return (accept ?? '').split(',').some((part) => part.split(';')[0]?.trim().toLowerCase() === type)
}

/**
 * Returns true if a client wants JSON and not a page. A 404 has the format that the client requested (addresses.md).
 */
export function wantsJson(accept: string | undefined): boolean {
  return takesType(accept, 'application/json') && !takesType(accept, 'text/html')
}
