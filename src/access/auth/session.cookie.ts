// RFC 6265bis, 4.1.3.2: a browser accepts a cookie with this prefix only from the host itself and only over https. So
// another host of the same site cannot plant one.
const plainName = 'cal_session'
const secureName = `__Host-${plainName}`

/** Name of the cookie that holds a session. */
export const sessionCookieName = (isSecure: boolean): string => (isSecure ? secureName : plainName)

/** Whether a `Cookie` header may hold a session, under either name. */
export function hasSessionCookie(header: string): boolean {
  return header.includes(`${plainName}=`)
}

/** Returns the session secret of the browser. Over https, only a cookie that was set over https counts. */
export function sessionSecretIn(header: string | undefined, isSecure: boolean): string | undefined {
  const start = `${sessionCookieName(isSecure)}=`
  const pair = header?.split(';').find((part) => part.trimStart().startsWith(start))
  return pair?.trim().slice(start.length) || undefined
}

/**
 * Returns the `Set-Cookie` field that gives a browser its session. Scripts cannot read the cookie, and other sites
 * cannot send it.
 */
export function sessionCookie(secret: string, seconds: number, isSecure: boolean): string {
  const name = sessionCookieName(isSecure)
  return `${name}=${secret}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
}
