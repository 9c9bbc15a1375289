import { escapeHtml } from './escape.ts'
import { BLOCK_ELEMENTS, VOID_ELEMENTS } from './markup.ts'
import { type Element, parseTags } from './tags.ts'

/**
 * Returns the replacement of a start tag: another element, or markup that replaces both tags. `within` are the
 * enclosing elements.
 */
export type RewriteElement = (element: Element, within: readonly Element[]) => Element | { readonly html: string }

interface OpenElement {
  readonly element: Element
  readonly start: string
  readonly end: string
  /** Whether it continues after the end of its block. */
  reopensAfterBlock: boolean
}

/**
 * Elements that continue after the end of a block as if reopened (HTML standard, list of active formatting elements).
 */
const formatting: ReadonlySet<string> = new Set('a b big code em font i s small strike strong tt u'.split(' '))

/** Elements that are never placed directly in reopened formatting. Their content is. */
const neverReopenedBefore: ReadonlySet<string> = new Set([
  ...BLOCK_ELEMENTS,
  ...'figcaption rp rt source track'.split(' '),
])

/** Blank text looks the same with and without formatting or a link. */
const blank = /^[\t\n\f\r ]*$/

/** Maximum characters of reopened start tags. Without this limit, a short text could become a very long one. */
const maxReopenedCharacters = 64 * 1024

/**
 * Returns `html` with every element replaced by the result of `change`, and texts unchanged. It is parsed and
 * serialized again, so that an attribute value can never be taken for markup. The output is well formed and has no
 * comments. Formatting that is still open at the end of its paragraph continues in the next one until its own end tag,
 * as in a browser.
 */
export function rewriteElements(html: string, change: RewriteElement): string {
  let written = ''
  const within: Element[] = []
  const open: OpenElement[] = []
  /** Formatting that continues but is not open now, outermost first. */
  let waiting: OpenElement[] = []
  let left = maxReopenedCharacters
  let link: OpenElement | undefined

  const push = (opened: OpenElement) => {
    written += opened.start
    open.push(opened)
    within.push(opened.element)
  }
  /** Closes the elements from this position on. Formatting inside them continues. */
  const endFrom = (place: number) => {
    const ended = open.splice(place)
    within.length = place
    for (const { end } of ended.toReversed()) written += end
    const lost = ended.filter(({ reopensAfterBlock }, index) => index > 0 && reopensAfterBlock)
    if (lost.length > 0) waiting = [...lost, ...waiting]
  }
  const reopen = () => {
    const reopened = waiting
    waiting = []
    for (const one of reopened) {
      left -= one.start.length
      if (left < 0) return
      push(one)
    }
  }
  /** Links do not nest, so the earlier link does not continue. */
  const forgetLink = () => {
    if (link) link.reopensAfterBlock = false
    waiting = waiting.filter(({ reopensAfterBlock }) => reopensAfterBlock)
  }

  parseTags(html, {
    start: (element) => {
      const { name } = element
      if (name === 'a') forgetLink()
      if (!neverReopenedBefore.has(name)) reopen()
      const changed = change(element, within)
      if ('html' in changed) written += changed.html
      else if (VOID_ELEMENTS.has(changed.name)) written += startTag(changed)
      else {
        const opened = {
          element,
          start: startTag(changed),
          end: `</${changed.name}>`,
          reopensAfterBlock: formatting.has(name),
        }
        push(opened)
        if (name === 'a') link = opened
      }
    },
    end: (name) => {
      const isNamed = ({ element }: OpenElement) => element.name === name
      const last = formatting.has(name) ? waiting.findLastIndex(isNamed) : -1
      if (last >= 0) {
        waiting.splice(last, 1)
        return
      }
      const place = open.findLastIndex(isNamed)
      if (place >= 0) endFrom(place)
    },
    text: (source) => {
      if (!blank.test(source)) reopen()
      written += source.replace(/[<>]/g, escapeHtml)
    },
  })
  endFrom(0)
  return written
}

function startTag({ name, attributes }: Element): string {
  const pairs = Object.entries(attributes).map(([attribute, value]) => ` ${attribute}="${escapeHtml(value)}"`)
  return `<${name}${pairs.join('')}>`
}
