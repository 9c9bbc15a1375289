import { withoutInvalidCharacters } from '../../../base/text/characters.ts'

// The character references of texts. Those with rare names are not read here: such a text is edited as HTML.

/** The names of the characters from 160 on. */
const latin =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para ' +
  'middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave ' +
  'Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc ' +
  'Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc ' +
  'iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'

const others = {
  ...{ amp: 38, lt: 60, gt: 62, quot: 34, apos: 39, OElig: 338, oelig: 339, Scaron: 352, scaron: 353, Yuml: 376 },
  ...{ ensp: 8194, emsp: 8195, thinsp: 8201, ndash: 8211, mdash: 8212, lsquo: 8216, rsquo: 8217, sbquo: 8218 },
  ...{ ldquo: 8220, rdquo: 8221, bdquo: 8222, bull: 8226, hellip: 8230, prime: 8242, Prime: 8243, lsaquo: 8249 },
  ...{ rsaquo: 8250, euro: 8364, trade: 8482, larr: 8592, uarr: 8593, rarr: 8594, darr: 8595, minus: 8722 },
}

const codes: ReadonlyMap<string, number> = new Map([
  ...latin.split(' ').map((name, place) => [name, 160 + place] as const),
  ...Object.entries(others),
])

/** Returns a text with its character references replaced; undefined if it has one that is not known here. */
export function decodeReferences(text: string): string | undefined {
  let isKnown = true
  const decoded = text.replace(/&(#?\w{1,32});/g, (_, name: string) => {
    const code = codeOf(name)
    if (code === undefined) isKnown = false
    return String.fromCodePoint(code ?? 0)
  })
  return isKnown ? decoded : undefined
}

function codeOf(name: string): number | undefined {
  if (!name.startsWith('#')) return codes.get(name)
  const digits = name.slice(1)
  const code = /^x[\da-f]{1,6}$/i.test(digits)
    ? Number.parseInt(digits.slice(1), 16)
    : /^\d{1,7}$/.test(digits)
      ? Number(digits)
      : Number.NaN
  // Browsers read 128 to 159 as other characters. Control characters, surrogates and noncharacters are not valid in texts.
  const isText = (code >= 32 && code < 127) || (code >= 160 && code < 0xd800) || (code > 0xdfff && code <= 0x10ffff)
  return isText && !(code >= 0xfdd0 && code <= 0xfdef) && (code & 0xfffe) !== 0xfffe ? code : undefined
}

/** Returns a text as HTML. Blanks of other kinds are written as references at its edges, because they are trimmed there. */
export function encodeText(text: string): string {
  return escapeText(text).replace(/^[^\S \t\n\f\r]+|[^\S \t\n\f\r]+$/g, (blanks) =>
    [...blanks].map((one) => (one === '\u00a0' ? '&nbsp;' : `&#${one.codePointAt(0)};`)).join(''),
  )
}

export function encodeValue(value: string): string {
  return escapeText(value).replaceAll('"', '&quot;')
}

function escapeText(text: string): string {
  return withoutInvalidCharacters(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
