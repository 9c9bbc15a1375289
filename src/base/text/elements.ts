import { escapeHtml } from './escape.ts'
import { BLOCK_ELEMENTS, VOID_ELEMENTS } from './markup.ts'
import { type Element, parseTags } from './tags.ts'

/** Gives what a start tag becomes: another one, or markup in the place of both tags. `within` are the elements around it. */
export type RewriteElement = (element: Element, within: readonly Element[]) => Element | { readonly html: string }

/** An element that is open in what is written. */
interface OpenElement {
  readonly element: Element
  readonly start: string
  readonly end: string
  /** Whether it goes on behind the end of a block that it is in. */
  reopensAfterBlock: boolean
}

/** What goes on behind the end of a block, as if opened anew (HTML standard, list of active formatting elements). */
const formatting: ReadonlySet<string> = new Set('a b big code em font i s small strike strong tt u'.split(' '))

/** What is not put into formatting that goes on: what it holds is. */
const neverReopenedBefore: ReadonlySet<string> = new Set([
  ...BLOCK_ELEMENTS,
  ...'figcaption rp rt source track'.split(' '),
])

/** What is seen neither bold nor linked. */
const blank = /^[\t\n\f\r ]*$/

/** So many characters of start tags are written again at most: else a short text could become a very long one. */
const maxReopenedCharacters = 64 * 1024

/**
 * `html` with every element as `change` gives it, texts as they are. It is parsed and written anew, so that no value of an
 * attribute is ever taken for anything else; what is written is well formed, and has no comments. Formatting that is still
 * open where its paragraph ends, goes on in the next one until its own end tag, as in a browser.
 */
export function rewriteElements(html: string, change: RewriteElement): string {
  let written = ''
  const within: Element[] = []
  const open: OpenElement[] = []
  /** Formatting that goes on, and is not open now: the outermost first. */
  let waiting: OpenElement[] = []
  let left = maxReopenedCharacters
  let link: OpenElement | undefined

  const push = (opened: OpenElement) => {
    written += opened.start
    open.push(opened)
    within.push(opened.element)
  }
  /** Ends the elements from this place on; formatting among those within it goes on. */
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
  /** A link is in no other one: the earlier one does not go on. */
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
