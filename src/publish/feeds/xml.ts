import { withoutControlCharacters } from '../../base/text/lines.ts'

type Attributes = Readonly<Record<string, string | number>>

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** An element of XML with texts or elements in it; an empty one where there are none. */
export function element(name: string, content: string | readonly string[] = '', attributes: Attributes = {}): string {
  const inner = typeof content === 'string' ? escaped(content) : content.join('')
  return inner === '' ? `<${name}${written(attributes)}/>` : `<${name}${written(attributes)}>${inner}</${name}>`
}

function written(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escaped(String(value))}"`)
    .join('')
}

/** What precedes and follows the content of a document of XML, which is within these elements. */
export function xmlEnvelope(open: readonly { readonly name: string; readonly attributes?: Attributes }[]): {
  readonly before: string
  readonly after: string
} {
  const begins = open.map(({ name, attributes = {} }) => `<${name}${written(attributes)}>`)
  const ends = open.map(({ name }) => `</${name}>`).reverse()
  return { before: `<?xml version="1.0" encoding="utf-8"?>\n${begins.join('')}`, after: `${ends.join('')}\n` }
}

function escaped(text: string): string {
  return withoutControlCharacters(text).replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign)
}
