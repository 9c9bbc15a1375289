// Names are HTML with entities and some tags. Trusted Types block the HTML parsers of browsers, so names are parsed
// here.

import { filled } from '../../../base/languages/dates.js'

const named = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', hellip: '…', ndash: '–', mdash: '—' },
  ...{ lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', laquo: '«', raquo: '»', middot: '·', bull: '•', times: '×' },
  ...{ agrave: 'à', acirc: 'â', ccedil: 'ç', eacute: 'é', egrave: 'è', ecirc: 'ê', euml: 'ë', icirc: 'î', iuml: 'ï' },
  ...{ ocirc: 'ô', oelig: 'œ', ugrave: 'ù', ucirc: 'û', uuml: 'ü', Agrave: 'À', Ccedil: 'Ç', Eacute: 'É', Egrave: 'È' },
  ...{ Ecirc: 'Ê', copy: '©', reg: '®', trade: '™', euro: '€', deg: '°', frac12: '½' },
}
const lastCharacter = 0x10ffff

/** Returns a name as plain text. Unknown entities stay unchanged. */
export function plainText(html) {
  return String(html ?? '')
    .replace(/<\/?[a-z][^>]*>/gi, '')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/gi, (entity, decimal, hexadecimal, name) => {
      if (name !== undefined) return Object.hasOwn(named, name) ? named[name] : entity
      const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal)
      return code > 0 && code <= lastCharacter ? String.fromCodePoint(code).toWellFormed() : entity
    })
    .replace(/\s+/g, ' ')
    .trim()
}

/** Returns a text in the plural form for `count`, with each `{name}` replaced by its value. */
export function fill(text, locale, values = {}) {
  return filled(formOf(text, locale, values.count), values)
}

function formOf(text, locale, count) {
  if (typeof text === 'string') return text
  if (count === 0 && text.zero !== undefined) return text.zero
  return new Intl.PluralRules(locale).select(count) === 'one' ? text.one : text.other
}
