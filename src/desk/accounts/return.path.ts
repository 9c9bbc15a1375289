import { splitLanguagePath } from '../../base/languages/language.ts'

const longest = 2000

/**
 * Returns the page of the desk to go to after signing in. Every address outside the desk, and every address that a browser
 * could read as another site, becomes the start page of the desk.
 *
 * @param sent Path and query, below the prefix of a proxy.
 */
export function returnPath(sent: string, otherwise: string): string {
  if (sent.length > longest || !/^\/[!-~]*$/.test(sent) || sent.includes('\\')) return otherwise
  const base = 'http://desk.invalid'
  if (!URL.canParse(sent, base)) return otherwise
  const { origin, pathname, search } = new URL(sent, base)
  const { path, prefix } = splitLanguagePath(pathname)
  const isOfDesk = origin === base && /^\/admin\//.test(path) && !/^\/admin\/(?:sign-in|sign-out|link)\//.test(path)
  return isOfDesk && !/^\/\//.test(`${prefix}${path}`) ? `${prefix}${path}${search}` : otherwise
}
