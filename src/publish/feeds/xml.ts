import { withoutControlCharacters } from '../../base/text/lines.ts'

type Attributes = Readonly<Record<string, string | number>>

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Returns an XML element with text or elements in it; an empty element without content. */
export function element(name: string, content: string | readonly string[] = '', attributes: Attributes = {}): string {
  const inner = typeof content === 'string' ? escaped(content) : content.join('')
  return inner === '' ? `<${name}${written(attributes)}/>` : `<${name}${written(attributes)}>${inner}</${name}>`
}

function written(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escaped(String(value))}"`)
    .join('')
}

/** Returns the text before and after the content of an XML document, which is within these elements. */
export function xmlEnvelope(open: readonly { readonly name: string; readonly attributes?: Attributes }[]): {
  readonly before: string
  readonly after: string
} {
  const begins = open.map(({ name, attributes = {} }) => `<${name}${written(attributes)}>`)
  const ends = open.map(({ name }) => `</${name}>`).reverse()
  return { before: `<?xml version="1.0" encoding="utf-8"?>\n${begins.join('')}`, after: `${ends.join('')}\n` }
}

function escaped(text: string): string {
  const printable = withoutControlCharacters(text)
  return /[&<>"]/.test(printable) ? printable.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign) : printable
}
