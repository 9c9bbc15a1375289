import { foldLatin } from './fold.ts'
import { withoutTags } from './markup.ts'
import { normalize } from './normalize.ts'

/** Most octets of a slug, its percent signs and digits counted. */
export const slugLimit = 200

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
 * @see the contracts on events, 3, on venues, 5, and on terms, 4
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
  return trimDashes(cut(foldLatin(kept.replace(/^-/, '')), slugLimit))
}

/**
 * The `n`th slug of those that would all be `base`: `concert-2`. Never longer than a slug may be.
 *
 * @param n From 2 on; 1 gives `base` itself.
 */
export function numberedSlug(base: string, n: number): string {
  if (n < 2) return base
  const ending = `-${n}`
  return stemOf(base, ending.length) + ending
}

/**
 * The first of those slugs that is free, and its number.
 *
 * @param from The lowest number that may be free.
 */
export function firstFreeSlug(
  base: string,
  isFree: (slug: string) => boolean,
  from = 1,
): { readonly slug: string; readonly number: number } {
  if (from < 2 && isFree(base)) return { slug: base, number: 1 }
  // Very many may be taken: what is left of the base is the same for all numbers of so many digits.
  const stems = new Map<number, string>()
  for (let number = Math.max(2, from); ; number += 1) {
    const ending = `-${number}`
    const stem = stems.get(ending.length) ?? stemOf(base, ending.length)
    stems.set(ending.length, stem)
    if (isFree(stem + ending)) return { slug: stem + ending, number }
  }
}

/** What is left of the longest slug when it gets a number: that takes eleven octets, a letter that is cut up to twelve. */
const shortestStem = slugLimit - 24

/** Where in the order of code points the slugs stand that may be `base` with a number: `from` counts, `to` does not. */
export function numberedRange(base: string): { readonly from: string; readonly to: string } {
  // “.” follows “-”: the range holds all that begin with “base-”. A long base is cut to make room for the number, and
  // “~” follows all that a slug is made of.
  const stem = base.slice(0, shortestStem)
  return stem === base ? { from: `${base}-`, to: `${base}.` } : { from: stem, to: `${stem}~` }
}

function stemOf(base: string, octetsOfEnding: number): string {
  return trimDashes(cut(decodeOctets(base), slugLimit - octetsOfEnding))
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
