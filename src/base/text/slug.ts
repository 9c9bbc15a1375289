import { foldLatin } from './fold.ts'
import { withoutTags } from './markup.ts'
import { normalize } from './normalize.ts'

/** Most octets of a slug, its percent signs and digits counted. */
export const maxSlugOctets = 200

const dashes = /&(?:nbsp|ndash|mdash|#160|#8211|#8212);|[\s\p{Z}\p{Pd}./]+/gu
// Quotation marks, invisible signs and what else says nothing in an address. Signs of other kinds stay, as octets.
const droppedSigns = /[\p{Pi}\p{Pf}\p{Cc}\p{Cf}\p{Cs}\u{fffd}‚„¡¿©®°•…™´ˊ`£]+/gu
const wordSigns: Readonly<Record<string, string>> = { '×': 'x', '€': 'e', º: 'o', ª: 'a' }

/**
 * The part of an address that stands for `text`: small Latin letters, digits, `-` and `_`; letters of other scripts as
 * percent octets in small letters. At most 200 octets; empty where nothing of `text` can be kept.
 *
 * A slug gives itself, decoded or not, in any letter case: what stores slugs and what looks them up both call this.
 *
 * @see events.md §3 "slug"; venues-organizers.md §5; terms.md §4
 */
export function slugFrom(text: string): string {
  const kept = withoutTags(normalize(decodeOctets(text).toWellFormed(), 'NFC'))
    .replace(/[×€ºª]/g, (sign) => wordSigns[sign] ?? '')
    .replace(dashes, '-')
    .replace(/&#?\w{1,32};/g, '')
    .replace(droppedSigns, '')
    .replace(/[^\w\-\u{80}-\u{10ffff}]+/gu, '')
    .replace(/-+/g, '-')
  // Folded last: a sign that is dropped can bring an accent to a letter.
  return trimDashes(cut(foldLatin(kept.replace(/^-/, '')), maxSlugOctets))
}

/** No slug gets a number of more digits. */
export const maxSlugDigits = 9

/**
 * The `n`th slug of those that would all be `base`: `concert-2`. Never longer than a slug may be.
 *
 * @param n From 2 on; 1 gives `base` itself.
 */
export function numberedSlug(base: string, n: number): string {
  return n < 2 ? base : numberedStem(base, String(n).length) + n
}

/** What stands before the number in the slugs that would all be `base`, where the number has so many digits. */
export function numberedStem(base: string, digits: number): string {
  return `${stemOf(base, digits + 1)}-`
}

/** The number of a slug that is `base` with a number; undefined for any other. */
export function numberOfSlug(base: string, slug: string): number | undefined {
  const number = Number(/-([1-9]\d{0,8})$/.exec(slug)?.[1] ?? 0)
  return number > 1 && numberedSlug(base, number) === slug ? number : undefined
}

function stemOf(base: string, octetsOfEnding: number): string {
  return trimDashes(cut(decodeOctets(base), maxSlugOctets - octetsOfEnding))
}

// As many whole characters as fit: half a character would be no text when the slug is decoded.
function cut(text: string, limit: number): string {
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

// Octets that are no UTF-8 become U+FFFD, which is dropped with the other signs.
function decodeOctets(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (octets) => {
    const bytes = Uint8Array.from(octets.slice(1).split('%'), (octet) => Number.parseInt(octet, 16))
    return new TextDecoder().decode(bytes)
  })
}
