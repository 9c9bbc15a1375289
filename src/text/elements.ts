import { createRequire } from 'node:module'
import { decodeHTMLAttribute } from 'entities'
import type * as Htmlparser from 'htmlparser2'
import { escapeHtml } from './escape.ts'
import { VOID_ELEMENTS } from './markup.ts'

/** An element as its start tag has it: name and attributes in lower case, values as characters. */
export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}

/** Gives what a start tag becomes: another one, or markup in the place of both tags. `within` are the elements around it. */
export type ChangeElement = (element: Element, within: readonly Element[]) => Element | { readonly html: string }

const require = createRequire(import.meta.url)
let loaded: typeof Htmlparser | undefined

/** The library, with the first text that needs it: most pages show texts in which nothing has to be changed. */
function library(): typeof Htmlparser {
  loaded ??= require('htmlparser2') as typeof Htmlparser
  return loaded
}

const htmlName = /^[a-z][a-z\d-]*$/

/**
 * `html` with every element as `change` gives it, texts as they are. It is parsed and written anew, so that no value of an
 * attribute is ever taken for anything else; what is written is well formed, and has no comments.
 */
export function changeElements(html: string, change: ChangeElement): string {
  let written = ''
  const within: Element[] = []
  /** What ends the elements that are open. */
  const ends: string[] = []
  const { Parser } = library()
  const parser = new Parser(
    {
      onopentag: (name, raw, isImplied) => {
        const element = { name, attributes: decoded(raw) }
        // HTML has an end tag without a start tag make an element: nobody has written it.
        const changed = isImplied || !htmlName.test(name) ? { html: '' } : change(element, within)
        const isReplaced = 'html' in changed
        written += isReplaced ? changed.html : startTag(changed)
        within.push(element)
        ends.push(isReplaced || VOID_ELEMENTS.has(changed.name) ? '' : `</${changed.name}>`)
      },
      onclosetag: () => {
        within.pop()
        written += ends.pop() ?? ''
      },
      ontext: (text) => {
        written += text.replace(/[<>]/g, escapeHtml)
      },
    },
    { decodeEntities: false },
  )
  parser.end(html)
  return written
}

function decoded(raw: Readonly<Record<string, string>>): Element['attributes'] {
  return Object.fromEntries(
    Object.entries(raw).flatMap(([name, value]) => (htmlName.test(name) ? [[name, decodeHTMLAttribute(value)]] : [])),
  )
}

function startTag({ name, attributes }: Element): string {
  const pairs = Object.entries(attributes).map(([attribute, value]) => ` ${attribute}="${escapeHtml(value)}"`)
  return `<${name}${pairs.join('')}>`
}
