import { hasAllowedScheme } from './rich.attributes.ts'

/**
 * Returns the address of a link that a person typed: `example.org` and `name@example.org` are completed. Undefined if it
 * is not an address, or of a kind that the service does not keep.
 */
export function addressOf(typed: string): string | undefined {
  const text = typed.trim()
  if (text === '' || /\s/.test(text) || text.length > 2000) return undefined
  if (/^[/#?]/.test(text)) return text
  if (/^[^@/:?#]+@[^@/:?#]+\.[a-z]{2,}$/i.test(text)) return `mailto:${text}`
  if (/^(?:mailto|tel):./i.test(text)) return text
  const isHost = /^[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.\p{L}{2,}(?::\d+)?(?:[/?#]|$)/u.test(text)
  const address = isHost ? `https://${text}` : text
  const url = /^(?:https?|ftp):\/\//i.test(address) && URL.canParse(address) ? new URL(address) : undefined
  return url !== undefined && url.hostname !== '' && hasAllowedScheme(address) ? address : undefined
}
