import type { Mark } from 'prosemirror-model'
import { withoutInvalidCharacters } from '../../../base/text/characters.ts'
import { DROPPED_WITH_CONTENT, isReviewComment } from '../../../base/text/sanitize.allowed.ts'
import { hasAllowedScheme } from './rich.attributes.ts'
import { decodeReferences } from './rich.entities.ts'
import { type Attributes, headings, markType } from './rich.schema.ts'

// What the elements of other programs mean.

export interface Element {
  readonly tag: string
  readonly marks: readonly Mark[]
  /** Whether its content is dropped. */
  readonly isDropped: boolean
  /** The list of a paragraph that Word shows as an item. */
  readonly word: { readonly level: number; isNumbered: boolean } | undefined
  /** The heading that a style of Word stands for. */
  readonly heading: string | undefined
  /** How many columns and rows a cell takes. */
  readonly spans: Attributes
  hasBegun: boolean
}

const dropped: ReadonlySet<string> = new Set([...DROPPED_WITH_CONTENT, ...'meta link img picture svg video'.split(' ')])
const sameMark: Readonly<Record<string, string>> = {
  ...{ b: 'strong', strong: 'strong', i: 'em', em: 'em', u: 'u', ins: 'u', s: 's', strike: 's', del: 's' },
  ...{ sub: 'sub', sup: 'sup', code: 'code', tt: 'code', kbd: 'code' },
}

/** The cleaner never stops at a reference that it does not know. */
export function textOf(source: string): string {
  return withoutInvalidCharacters(source.replace(/&(#?\w{1,32};)/g, (written) => decodeReferences(written) ?? written))
}

export function elementOf(tag: string, source: string): Element {
  const value = (name: string) => {
    const [, double, single, bare] =
      new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(source) ?? []
    return textOf(double ?? single ?? bare ?? '')
  }
  const [style, classes] = [value('style').toLowerCase(), value('class')]
  // A change that a reviewer of Word has suggested, whom it names.
  const isRevision = /^mailto:/i.test(value('cite'))
  const [, level] = /mso-list:\s*l\d+\s+level(\d)/.exec(style) ?? []
  return {
    ...{ tag, marks: isRevision ? [] : marksIn(tag, style, value('href')), hasBegun: false },
    isDropped:
      dropped.has(tag) ||
      /mso-list:\s*ignore|display:\s*none/.test(style) ||
      isReviewComment({ style, classes }) ||
      (tag === 'del' && isRevision),
    heading: titles[classes.toLowerCase()],
    spans: (['colspan', 'rowspan'] as const).flatMap((name) => {
      const count = value(name)
      return /^(?:[2-9]|[1-9]\d{1,2})$/.test(count) ? [[name, count] as const] : []
    }),
    word: level === undefined ? undefined : { level: Number(level), isNumbered: false },
  }
}

/** Word has a title as a paragraph of its own style. */
const titles: Readonly<Record<string, string>> = { msotitle: 'h2', msosubtitle: 'h3' }

/** Returns the marks that an element or its style stands for. */
function marksIn(tag: string, style: string, href: string): readonly Mark[] {
  const names = new Set<string>()
  const own = sameMark[tag]
  // Google Docs puts all of its text into an element for bold text that is not bold.
  if (own !== undefined && !(own === 'strong' && /(?<![\w-])font-weight:\s*(?:normal|[1-4]00)/.test(style)))
    names.add(own)
  if (!(headings as readonly string[]).includes(tag)) {
    if (/(?<![\w-])font-weight:\s*(?:bold|[6-9]00)/.test(style)) names.add('strong')
    if (/(?<![\w-])font-style:\s*italic/.test(style)) names.add('em')
    if (/text-decoration[a-z-]*:[^;]*line-through/.test(style)) names.add('s')
    if (tag !== 'a' && /text-decoration[a-z-]*:[^;]*underline/.test(style)) names.add('u')
    if (/vertical-align:\s*super/.test(style)) names.add('sup')
    if (/vertical-align:\s*sub\b/.test(style)) names.add('sub')
  }
  const address = tag === 'a' ? linkOf(href) : undefined
  const link = address === undefined ? [] : [markType('a').create({ attributes: [['href', address]] })]
  return [...link, ...[...names].map((name) => markType(name).create())]
}

function linkOf(href: string): string | undefined {
  // Google Docs sends addresses by way of its own.
  const google = /^https:\/\/www\.google\.com\/url\?(?:.*&)?q=([^&]+)/.exec(href)?.[1]
  const address = (google === undefined ? href : safelyDecoded(google)).trim()
  return /^(?:https?|mailto|tel):/i.test(address) && hasAllowedScheme(address) && address.length < 2000
    ? address
    : undefined
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
