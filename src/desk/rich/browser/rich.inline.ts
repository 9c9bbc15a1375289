import type { Node } from 'prosemirror-model'
import { schema } from './rich.schema.ts'

/**
 * Returns the content of a line as browsers show it: a run of blanks is one blank, and there are none at the edges of the
 * line or of its breaks.
 */
export function withSingleBlanks(content: readonly Node[]): readonly Node[] {
  const kept: Node[] = []
  let isAfterBlank = true
  for (const node of content) {
    if (node.isText) {
      const text = (node.text ?? '').replace(/[ \t\n\f\r]+/g, ' ')
      const own: string = isAfterBlank ? text.replace(/^ /, '') : text
      if (own === '') continue
      isAfterBlank = own.endsWith(' ')
      kept.push(schema.text(own, node.marks))
    } else {
      if (isBreak(node)) dropLastBlank(kept)
      isAfterBlank = isBreak(node)
      kept.push(node)
    }
  }
  dropLastBlank(kept)
  return kept
}

function dropLastBlank(kept: Node[]): void {
  const last = kept.at(-1)
  if (!last?.isText || !last.text?.endsWith(' ')) return
  kept.pop()
  const text = last.text.slice(0, -1)
  if (text !== '') kept.push(schema.text(text, last.marks))
}

export function isBreak(node: Node): boolean {
  return node.type.name === 'br'
}
