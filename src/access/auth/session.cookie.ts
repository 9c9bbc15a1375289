// RFC 6265bis, 4.1.3.2: a browser takes a cookie with this prefix from the host itself only, and only over https. So no
// neighbour on another host of the same site can plant one.
const plainName = 'cal_session'
const secureName = `__Host-${plainName}`

/** Name of the cookie that holds a session. */
export const sessionCookieName = (isSecure: boolean): string => (isSecure ? secureName : plainName)

/** Whether a `Cookie` header may hold a session, of whichever name. */
export function hasSessionCookie(header: string): boolean {
  return header.includes(`${plainName}=`)
}

/** What a browser holds of its session; over https only what was set over https counts. */
export function sessionSecretIn(header: string | undefined, isSecure: boolean): string | undefined {
  const start = `${sessionCookieName(isSecure)}=`
  const pair = header?.split(';').find((part) => part.trimStart().startsWith(start))
  return pair?.trim().slice(start.length) || undefined
}

/** The `Set-Cookie` header that gives a browser its session. Scripts cannot read it, other sites cannot send it. */
export function sessionCookie(secret: string, seconds: number, isSecure: boolean): string {
  const name = sessionCookieName(isSecure)
  return `${name}=${secret}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
}
