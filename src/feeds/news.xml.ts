import { printable } from '../text/lines.ts'

type Attributes = Readonly<Record<string, string | number>>

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** An element of XML with texts or elements in it; an empty one where there are none. */
export function element(name: string, content: string | readonly string[] = '', attributes: Attributes = {}): string {
  const inner = typeof content === 'string' ? escaped(content) : content.join('')
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(String(value))}"`)
  return inner === '' ? `<${name}${written.join('')}/>` : `<${name}${written.join('')}>${inner}</${name}>`
}

export function xmlDocument(root: string): string {
  return `<?xml version="1.0" encoding="utf-8"?>\n${root}\n`
}

function escaped(text: string): string {
  return printable(text).replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign)
}
