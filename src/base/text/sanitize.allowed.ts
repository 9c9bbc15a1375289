// The only allowlist of markup in texts, for all writers. Everything else is removed.
import type { IOptions } from 'sanitize-html'

/** Elements that are removed with their content: code, embedded documents, controls, foreign markup. */
export const DROPPED_WITH_CONTENT = (
  'script style iframe form object embed applet svg math template noscript noembed noframes frameset ' +
  'textarea select option button xmp plaintext title head'
).split(' ')

const lengthLimit = 4_096

/** Whether an attribute is too long for a legitimate value. The checks of URLs cost more than linear time. */
export function isAttributeTooLong(value: string): boolean {
  return value.length > lengthLimit
}

const dataName = /^data(?:-[a-z\d_]{1,50}){1,10}$/
const maxData = 32

/** Returns the attributes of an element, without `data-…` attributes that have unusual names or exceed the limit. */
export function limitDataAttributes(attributes: readonly (readonly [string, string])[]): typeof attributes {
  let data = 0
  return attributes.filter(([name]) => {
    if (!name.startsWith('data-')) return true
    if (!dataName.test(name)) return false
    data += 1
    return data <= maxData
  })
}

interface ReviewedElement {
  readonly style: string | undefined
  readonly classes: string | undefined
}

/** Whether an element is a comment of a review in Word, or the sign that leads to it. It is removed with its content. */
export function isReviewComment({ style = '', classes = '' }: ReviewedElement): boolean {
  return (
    /mso-(?:element|special-character):\s*comment\b/i.test(style) ||
    /\bmso(?:comanchor|comtxt|comoff|commentreference)\b/i.test(classes)
  )
}

/** Titles and names: inline elements only, without presentational attributes. */
export const TITLE_MARKUP = {
  allowedTags: 'a abbr acronym b blockquote cite code del em i q s strike strong'.split(' '),
  allowedAttributes: {
    a: ['href', 'title'],
    abbr: ['title'],
    acronym: ['title'],
    blockquote: ['cite'],
    del: ['datetime'],
    q: ['cite'],
  },
} as const satisfies IOptions

const mediaSchemes = ['http', 'https']

/** Descriptions and excerpts: the markup of articles. */
export const ARTICLE_MARKUP: IOptions = {
  allowedTags: [
    'a abbr acronym address article aside audio b bdi bdo big blockquote br caption cite code col colgroup dd del',
    'details dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li main',
    'mark nav ol p pre q rp rt ruby s samp section small source span strike strong sub summary sup table tbody td',
    'tfoot th thead time tr track tt u ul var video wbr',
  ].flatMap((line) => line.split(' ')),
  allowedAttributes: {
    '*': ['align', 'aria-*', 'class', 'data-*', 'dir', 'hidden', 'id', 'lang', 'role', 'style', 'title'],
    a: ['href', 'hreflang', 'name', 'rel', 'target', 'type', 'download'],
    audio: ['controls', 'loop', 'muted', 'preload', 'src'],
    blockquote: ['cite'],
    br: ['clear'],
    col: ['span', 'valign', 'width'],
    colgroup: ['span', 'valign', 'width'],
    del: ['cite', 'datetime'],
    details: ['open'],
    font: ['color', 'face', 'size'],
    hr: ['noshade', 'size', 'width'],
    img: ['alt', 'border', 'decoding', 'height', 'hspace', 'loading', 'sizes', 'src', 'srcset', 'vspace', 'width'],
    ins: ['cite', 'datetime'],
    li: ['value'],
    ol: ['reversed', 'start', 'type'],
    q: ['cite'],
    source: ['sizes', 'src', 'srcset', 'type'],
    table: ['bgcolor', 'border', 'cellpadding', 'cellspacing', 'rules', 'summary', 'width'],
    td: ['abbr', 'bgcolor', 'colspan', 'headers', 'height', 'nowrap', 'rowspan', 'scope', 'valign', 'width'],
    th: ['abbr', 'bgcolor', 'colspan', 'headers', 'height', 'nowrap', 'rowspan', 'scope', 'valign', 'width'],
    time: ['datetime'],
    tr: ['bgcolor', 'valign'],
    track: ['default', 'kind', 'label', 'src', 'srclang'],
    ul: ['type'],
    video: ['controls', 'height', 'loop', 'muted', 'poster', 'preload', 'src', 'width'],
  },
  allowedSchemesByTag: {
    audio: mediaSchemes,
    img: mediaSchemes,
    source: mediaSchemes,
    // The library checks each address of the attribute by its name.
    srcset: mediaSchemes,
    track: mediaSchemes,
    video: mediaSchemes,
  },
}

/** Allowed URL schemes, and the attributes that contain URLs. */
export const URL_RULES = {
  allowedSchemes: ['http', 'https', 'mailto', 'tel', 'ftp'],
  allowedSchemesAppliedToAttributes: ['href', 'src', 'cite', 'poster'],
} as const satisfies IOptions

const styleProperties: ReadonlySet<string> = new Set(
  [
    'background-color border border-bottom border-collapse border-color border-left border-radius border-right',
    'border-spacing border-style border-top border-width caption-side clear color direction float font font-family',
    'font-size font-style font-variant font-weight height letter-spacing line-height list-style-type margin',
    'margin-bottom margin-left margin-right margin-top max-height max-width min-height min-width padding',
    'padding-bottom padding-left padding-right padding-top text-align text-decoration text-indent text-transform',
    'vertical-align white-space width word-spacing',
  ].flatMap((line) => line.split(' ')),
)

/** Returns the declarations of a `style` that only change how a text looks, as written. '' if none is left. */
export function safeStyle(style: string): string {
  return style
    .split(';')
    .map((declaration) => declaration.trim())
    .filter(isSafeDeclaration)
    .join(';')
}

const pictureSource = /^\S+(?:\s+(?:[1-9]\d*w|\d+(?:\.\d+)?x))?$/

/** Returns the well-formed pictures of `srcset`. The library checks their addresses, but writes all others to the console. */
export function wellFormedPictures(srcset: string): string {
  return srcset
    .replace(/(\s[\d.]+[wx]),/g, '$1, ')
    .split(/,\s+|,$/)
    .map((source) => source.trim())
    .filter((source) => pictureSource.test(source))
    .join(', ')
}

function isSafeDeclaration(declaration: string): boolean {
  const [, property, value] = /^([a-z-]+)\s*:([^:]*)$/i.exec(declaration) ?? []
  if (property === undefined || value === undefined || !styleProperties.has(property.toLowerCase())) return false

  // Colours are the only allowed functions: no `url()`, no `expression()`, and no escapes that could spell them.
  const plain = value.replace(/\b(?:rgb|hsl)a?\([\d\s.,%/]*\)/gi, '')
  return /^[\w\s.,%#!'"+/-]+$/.test(plain) || (plain.trim() === '' && plain !== value)
}
