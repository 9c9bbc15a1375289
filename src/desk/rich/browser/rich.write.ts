import type { Mark, Node } from 'prosemirror-model'
import { encodeText, encodeValue } from './rich.entities.ts'
import { isBreak, withSingleBlanks } from './rich.inline.ts'
import type { Attributes } from './rich.schema.ts'

/** Returns what the visual editor shows as HTML that the sanitiser keeps as it is. Empty lines are left out. */
export function writeRich(doc: Node): string {
  return blocksOf(doc.children)
}

function blocksOf(blocks: readonly Node[]): string {
  return blocks
    .map(block)
    .filter((text) => text !== '')
    .join('\n')
}

function block(node: Node): string {
  const { name } = node.type
  const tag = startTag(name, node.attrs.attributes)
  if (name === 'hr') return tag
  if (name === 'p')
    return linesOf(node)
      .map((line, place) => `${place === 0 ? tag : '<p>'}${line}</p>`)
      .join('\n')
  if (name === 'pre') return preformatted(node, tag)
  if (node.isTextblock) {
    const line = inline(node.children.filter((one, place, all) => !(isBreak(one) && isBreak(all[place - 1] ?? node))))
    // The cells beside an empty one keep their places.
    return line === '' && name !== 'td' && name !== 'th' ? '' : `${tag}${line}</${name}>`
  }
  if (name === 'li') return item(node, tag)
  const inside = blocksOf(node.children)
  return inside === '' ? '' : `${tag}\n${inside}\n</${name}>`
}

function preformatted(node: Node, tag: string): string {
  const text = runs(node.children)
  // Browsers drop the first line break of the element.
  return text === '' ? '' : `${tag}${text.startsWith('\n') ? '\n' : ''}${text}</pre>`
}

function item(node: Node, tag: string): string {
  const [first, ...others] = node.children
  if (node.attrs.isLoose || !first) {
    const inside = blocksOf(node.children)
    return inside === '' ? `${tag}</li>` : `${tag}\n${inside}\n</li>`
  }
  const [bare = '', ...lines] = linesOf(first)
  const rest = [...lines.map((line) => `<p>${line}</p>`), blocksOf(others)].filter((text) => text !== '')
  return rest.length === 0 ? `${tag}${bare}</li>` : `${tag}${[bare, ...rest].join('\n')}\n</li>`
}

/** Returns the lines of a paragraph. Two breaks in a row begin another paragraph, as they do for visitors. */
function linesOf(node: Node): readonly string[] {
  const parts: Node[][] = [[]]
  for (const child of withSingleBlanks(node.children)) {
    const part = parts.at(-1) ?? []
    const last = part.at(-1)
    if (isBreak(child) && last && isBreak(last)) parts.push([])
    else part.push(child)
  }
  return parts.map(inline).filter((line) => line !== '')
}

/** Returns a line without breaks at its edges. */
function inline(content: readonly Node[]): string {
  const line = withSingleBlanks(content)
  const first = line.findIndex((node) => !isBreak(node))
  const last = line.findLastIndex((node) => !isBreak(node))
  return first < 0 ? '' : runs(line.slice(first, last + 1))
}

/** Returns texts with their marks. Neighbours share the elements that both have. */
function runs(content: readonly Node[]): string {
  let html = ''
  let open: readonly Mark[] = []
  const close = (from: number) => {
    html += open
      .slice(from)
      .map(({ type }) => `</${type.name}>`)
      .toReversed()
      .join('')
  }
  for (const node of content) {
    const different = open.findIndex((mark, place) => !node.marks[place]?.eq(mark))
    const shared = different < 0 ? open.length : different
    close(shared)
    html += node.marks
      .slice(shared)
      .map(({ type, attrs }) => startTag(type.name, attrs.attributes))
      .join('')
    open = node.marks
    html += node.isText ? encodeText(node.text ?? '') : startTag(node.type.name, node.attrs.attributes)
  }
  close(0)
  return html
}

function startTag(name: string, attributes: Attributes): string {
  return `<${name}${attributes.map(([own, value]) => ` ${own}="${encodeValue(value)}"`).join('')}>`
}
