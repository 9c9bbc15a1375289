import { createRequire } from 'node:module'
import { decodeHTMLAttribute } from 'entities'
import type * as Htmlparser from 'htmlparser2'

/** An element as in its start tag: name and attributes in lower case, values with entities decoded. */
export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}

/** Receives the parts of the markup, in order. Texts arrive in pieces, in their source form. */
export interface TagHandler {
  start(element: Element): void
  end(name: string): void
  text(source: string): void
}

const require = createRequire(import.meta.url)
let loaded: typeof Htmlparser | undefined

/** Loads the library with the first text that needs it. Most pages show texts that need no change. */
function library(): typeof Htmlparser {
  loaded ??= require('htmlparser2') as typeof Htmlparser
  return loaded
}

const htmlName = /^[a-z][a-z\d-]*$/

/**
 * Reads the tags and texts of `html` as browsers do. Omits comments, and tags with invalid names. The caller decides
 * which tag ends which element.
 */
export function parseTags(html: string, { start, end, text }: TagHandler): void {
  const nameAt = (from: number, to: number) => html.slice(from, to).toLowerCase()
  let name = ''
  let attribute = ''
  let value = ''
  let attributes = new Map<string, string>()
  const finish = () => {
    if (htmlName.test(name)) start({ name, attributes: Object.fromEntries(attributes) })
  }
  const { Tokenizer } = library()
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      onopentagname: (from, to) => {
        name = nameAt(from, to)
        attributes = new Map()
      },
      onattribname: (from, to) => {
        attribute = nameAt(from, to)
        value = ''
      },
      onattribdata: (from, to) => {
        value += html.slice(from, to)
      },
      onattribend: () => {
        // The first attribute of a name counts.
        if (htmlName.test(attribute) && !attributes.has(attribute))
          attributes.set(attribute, decodeHTMLAttribute(value))
      },
      onopentagend: finish,
      onselfclosingtag: finish,
      onclosetag: (from, to) => end(nameAt(from, to)),
      ontext: (from, to) => text(html.slice(from, to)),
      ontextentity: () => {},
      onattribentity: () => {},
      oncdata: () => {},
      oncomment: () => {},
      ondeclaration: () => {},
      onprocessinginstruction: () => {},
      onend: () => {},
    },
  )
  tokenizer.write(html)
  tokenizer.end()
}
