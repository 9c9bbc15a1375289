import {
  ARTICLE_MARKUP,
  isAttributeTooLong,
  limitDataAttributes,
  safeStyle,
  URL_RULES,
} from '../../../base/text/sanitize.allowed.ts'
import { decodeReferences } from './rich.entities.ts'
import type { Attributes } from './rich.schema.ts'

const attributePattern = /\s+([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g

/** Returns the attributes of a start tag; undefined if the sanitiser would not keep them all as they are. */
export function attributesIn(tag: string, source: string): Attributes | undefined {
  const inside = source.slice(1 + tag.length, -1).replace(/\s*\/?$/, '')
  if (inside.replace(attributePattern, '').trim() !== '') return undefined
  const found: (readonly [string, string])[] = []
  for (const [, written = '', double, single, bare] of inside.matchAll(attributePattern)) {
    const name = written.toLowerCase()
    const value = decodeReferences(double ?? single ?? bare ?? '')
    if (value === undefined || !isKept(tag, name, value) || found.some(([one]) => one === name)) return undefined
    found.push([name, value])
  }
  return limitDataAttributes(found).length === found.length ? found : undefined
}

function isKept(tag: string, name: string, value: string): boolean {
  const { allowedAttributes, allowedSchemesByTag = {} } = ARTICLE_MARKUP
  if (!allowedAttributes) return false
  const allowed = [...(allowedAttributes['*'] ?? []), ...(allowedAttributes[tag] ?? [])]
  const isAllowed = allowed.some((one) => typeof one === 'string' && matches(one, name))
  // Only a description of a picture is kept without a value.
  if (!isAllowed || (value === '' && name !== 'alt') || isAttributeTooLong(value) || value !== value.trim())
    return false
  if (name === 'style') return safeStyle(value) === value
  if (!(URL_RULES.allowedSchemesAppliedToAttributes as readonly string[]).includes(name)) return true
  const byTag = typeof allowedSchemesByTag === 'boolean' ? undefined : allowedSchemesByTag[tag]
  return hasAllowedScheme(value, byTag ?? URL_RULES.allowedSchemes)
}

/** Whether a name is that of a rule: `title`, `aria-*`. */
function matches(rule: string, name: string): boolean {
  return rule.endsWith('*') ? name.startsWith(rule.slice(0, -1)) : rule === name
}

/** Whether an address is relative, or has one of these schemes. */
export function hasAllowedScheme(address: string, schemes: readonly string[] = URL_RULES.allowedSchemes): boolean {
  // Browsers ignore blanks and control characters in a scheme.
  const plain = [...address].filter((character) => character > ' ').join('')
  const [, scheme] = /^([a-z][a-z\d+.-]*):/i.exec(plain) ?? []
  return scheme === undefined ? !/^[^/?#]*:/.test(plain) : schemes.includes(scheme.toLowerCase())
}
