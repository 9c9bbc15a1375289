import { type Attrs, type DOMOutputSpec, type MarkSpec, type NodeSpec, Schema } from 'prosemirror-model'

// What the visual editor knows of the markup that the sanitiser keeps. Texts with other markup are edited as HTML.

/** Attributes of an element, in the order in which they were written. */
export type Attributes = readonly (readonly [name: string, value: string])[]

export const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const
/** Elements that change how a part of a line looks or what it means. Those that people use come first: they are outermost. */
const markNames =
  'a strong em abbr acronym b bdi bdo big cite code del dfn font i ins kbd mark q s samp small span strike sub sup time tt u var'.split(
    ' ',
  )

/** Attributes that do no harm on the page of the editor. Classes and ids could meet those of the desk. */
const shown: ReadonlySet<string> = new Set(
  'dir lang title href start reversed type value style colspan rowspan'.split(' '),
)

function domAttributes({ attributes }: Attrs): Record<string, string> {
  return Object.fromEntries((attributes as Attributes).filter(([name]) => shown.has(name)))
}

const attributes = { attributes: { default: [] } }

const element = (tag: string, spec: NodeSpec): NodeSpec => ({
  ...{ attrs: attributes, parseDOM: [{ tag }], toDOM: (node) => [tag, domAttributes(node.attrs), 0] },
  ...spec,
})

/** A picture of this site is shown. One from elsewhere, which the policy of the page blocks, is shown as its description. */
function picture({ attributes: own }: Attrs): DOMOutputSpec {
  const { src = '', alt = '' } = Object.fromEntries(own as Attributes)
  const { location } = globalThis as { readonly location?: { readonly href: string; readonly origin: string } }
  const isOwn = location !== undefined && URL.parse(src, location.href)?.origin === location.origin
  return isOwn
    ? ['img', { src, alt }]
    : ['span', { class: 'rich-picture', role: 'img', 'aria-label': alt || src }, alt || src]
}

const nodes: Record<string, NodeSpec> = {
  doc: { content: 'block+' },
  text: { group: 'inline' },
  // The first block is the one that Enter makes.
  p: element('p', { group: 'block', content: 'inline*' }),
  ...Object.fromEntries(
    headings.map((tag) => [tag, element(tag, { group: 'block', content: 'inline*', defining: true })]),
  ),
  blockquote: element('blockquote', { group: 'block', content: 'block+', defining: true }),
  ul: element('ul', { group: 'block', content: 'li+' }),
  ol: element('ol', { group: 'block', content: 'li+' }),
  li: element('li', {
    content: 'p block*',
    // A loose item has its first text in a paragraph. That of other items is bare.
    attrs: { ...attributes, isLoose: { default: false } },
    defining: true,
  }),
  pre: element('pre', { group: 'block', content: 'text*', code: true, defining: true }),
  table: element('table', { group: 'block', content: 'tr+', isolating: true }),
  tr: element('tr', { content: '(td | th)+' }),
  // A cell has lines of text. A table with other content is edited as HTML.
  td: element('td', { content: 'inline*', isolating: true }),
  th: element('th', { content: 'inline*', isolating: true }),
  hr: element('hr', { group: 'block', toDOM: (node) => ['hr', domAttributes(node.attrs)] }),
  br: element('br', { group: 'inline', inline: true, selectable: false, toDOM: () => ['br'] }),
  img: element('img', { group: 'inline', inline: true, toDOM: (node) => picture(node.attrs), parseDOM: [] }),
}

const marks: Record<string, MarkSpec> = Object.fromEntries(
  markNames.map((tag) => [
    tag,
    {
      attrs: attributes,
      parseDOM: [
        { tag, getAttrs: (dom) => attributesOfLink(dom as unknown as { getAttribute(name: string): string | null }) },
      ],
      toDOM: (mark) => [tag, domAttributes(mark.attrs), 0],
      // A text is in one link at most, but other elements may be in one of the same name.
      ...(tag === 'a' ? { inclusive: false } : { excludes: '' }),
    } satisfies MarkSpec,
  ]),
)

/** Of elements that the browser makes, only the address of a link is kept. */
function attributesOfLink(dom: { getAttribute(name: string): string | null }): Attrs {
  const href = dom.getAttribute('href')
  return { attributes: href === null ? [] : [['href', href]] }
}

export const schema = new Schema({ nodes, marks })

/** Returns an element of the editor by its tag. The tag is one of those above. */
export function nodeType(tag: string) {
  const type = schema.nodes[tag]
  if (!type) throw new Error(`The editor has no <${tag}>.`)
  return type
}

export function markType(tag: string) {
  const type = schema.marks[tag]
  if (!type) throw new Error(`The editor has no <${tag}>.`)
  return type
}
