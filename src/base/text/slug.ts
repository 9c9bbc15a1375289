import { foldLatin } from './fold.ts'
import { withoutTags } from './markup.ts'
import { normalize } from './normalize.ts'

/** Maximum octets of a slug, including the characters of percent-encoding. */
export const maxSlugOctets = 200

const dashes = /&(?:nbsp|ndash|mdash|#160|#8211|#8212);|[\s\p{Z}\p{Pd}./]+/gu
// Quotation marks, invisible signs and other signs without meaning in an address. Signs of other kinds stay, as octets.
const droppedSigns = /[\p{Pi}\p{Pf}\p{Cc}\p{Cf}\p{Cs}\u{fffd}‚„¡¿©®°•…™´ˊ`£]+/gu
const wordSigns: Readonly<Record<string, string>> = { '×': 'x', '€': 'e', º: 'o', ª: 'a' }

/**
 * Returns the slug of `text`: lower-case Latin letters, digits, `-` and `_`; letters of other scripts as lower-case
 * percent octets. At most 200 octets. Empty if nothing of `text` can be kept.
 *
 * The slug of a slug is the slug itself, decoded or not, in any letter case. Code that stores slugs and code that looks
 * them up both call this.
 *
 * @see events.md §3 "slug"; venues-organizers.md §5; terms.md §4
 */
export function slugFrom(text: string): string {
  // The rest would change nothing else.
  if (/^[\w ]*$/.test(text)) return ended(text.toLowerCase().replace(/ +/g, '-'))
  const kept = withoutTags(normalize(decodeOctets(text).toWellFormed(), 'NFC'))
    .replace(/[×€ºª]/g, (sign) => wordSigns[sign] ?? '')
    .replace(dashes, '-')
    .replace(/&#?\w{1,32};/g, '')
    .replace(droppedSigns, '')
    .replace(/[^\w\-\u{80}-\u{10ffff}]+/gu, '')
    .replace(/-+/g, '-')
  // Folded last: a dropped sign can leave an accent next to a letter.
  return ended(foldLatin(kept.replace(/^-/, '')))
}

/** Returns a slug of the maximum length, without a dash at its beginning or end. */
function ended(slug: string): string {
  return trimDashes(cut(slug.replace(/^-/, ''), maxSlugOctets))
}

/** Maximum number of digits in the number of a slug. */
export const maxSlugDigits = 9

/**
 * Returns the `n`th of the slugs that share the base `base`: `concert-2`. Never exceeds the maximum length of a slug.
 *
 * @param n From 2 on; 1 gives `base` itself.
 */
export function numberedSlug(base: string, n: number): string {
  return n < 2 ? base : numberedStem(base, String(n).length) + n
}

/** Returns the part before the number in slugs that share `base` and have a number of this many digits. */
export function numberedStem(base: string, digits: number): string {
  return `${stemOf(base, digits + 1)}-`
}

/** Returns the number of a slug that consists of `base` and a number, or undefined for any other slug. */
export function numberOfSlug(base: string, slug: string): number | undefined {
  const number = Number(/-([1-9]\d{0,8})$/.exec(slug)?.[1] ?? 0)
  return number > 1 && numberedSlug(base, number) === slug ? number : undefined
}

function stemOf(base: string, octetsOfEnding: number): string {
  return trimDashes(cut(decodeOctets(base), maxSlugOctets - octetsOfEnding))
}

// Cuts at a whole character: half of one would not decode to text.
function cut(text: string, limit: number): string {
  if (!/[^\0-\x7f]/.test(text)) return text.slice(0, limit)
  let slug = ''
  for (const character of text) {
    const octets = character < '\u0080' ? character : encodeURIComponent(character).toLowerCase()
    if (slug.length + octets.length > limit) break
    slug += octets
  }
  return slug
}

function trimDashes(slug: string): string {
  return slug.replace(/-$/, '')
}

// Octets that are not valid UTF-8 become U+FFFD, which is dropped with the other signs.
function decodeOctets(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (octets) => {
    const bytes = Uint8Array.from(octets.slice(1).split('%'), (octet) => Number.parseInt(octet, 16))
    return new TextDecoder().decode(bytes)
  })
}
