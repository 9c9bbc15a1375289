/** Whether a client says that it takes this type (RFC 9110, 12.5.1). */
export function takesType(accept: string | undefined, type: string): boolean {
  return (accept ?? '').split(',').some((part) => part.split(';')[0]?.trim().toLowerCase() === type)
}

/** Whether a client wants JSON and no page: what is nowhere is told in the form that was asked for (addresses.md). */
export function wantsJson(accept: string | undefined): boolean {
  return takesType(accept, 'application/json') && !takesType(accept, 'text/html')
}
