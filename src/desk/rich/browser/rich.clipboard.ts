import { Fragment, type Node, Slice } from 'prosemirror-model'
import { TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { isInCell } from './rich.commands.ts'
import { linkPasted } from './rich.link.ts'
import { readPasted, readPlain } from './rich.paste.ts'
import { nodeType } from './rich.schema.ts'

// The library would let the browser parse what is pasted, which the policy of the page refuses (Trusted Types). Our reader
// makes content of the editor from the text itself.

function sliceOf(data: DataTransfer, isPlain: boolean): Slice | undefined {
  const html = isPlain ? '' : data.getData('text/html')
  const text = data.getData('text/plain')
  const rich = html === '' ? undefined : readPasted(html)
  if (rich && rich.size > 0) return rich
  return text === '' ? undefined : readPlain(text)
}

/** Returns the lines of what is pasted, without their structure: a cell has only lines. */
function asLines({ content }: Slice): Slice {
  const lines: Node[] = []
  content.descendants((node) => {
    if (!node.isTextblock) return true
    lines.push(...(lines.length > 0 ? [nodeType('br').create()] : []), ...node.children)
    return false
  })
  return new Slice(Fragment.from(lines), 0, 0)
}

function insert(view: EditorView, pasted: Slice | undefined): void {
  const slice = pasted && isInCell(view.state) ? asLines(pasted) : pasted
  if (slice) view.dispatch(view.state.tr.replaceSelection(slice).scrollIntoView().setMeta('paste', true))
}

let isShiftDown = false

export const clipboardEvents = {
  keydown: (_view: EditorView, event: KeyboardEvent) => {
    isShiftDown = event.shiftKey
    return false
  },
  paste: (view: EditorView, event: ClipboardEvent) => {
    const { clipboardData: data } = event
    if (!data) return false
    event.preventDefault()
    const text = data.getData('text/plain')
    if (view.state.selection.$from.parent.type.spec.code)
      view.dispatch(view.state.tr.insertText(text.replace(/\r\n?/g, '\n')))
    else if (!linkPasted(view, text)) insert(view, sliceOf(data, isShiftDown))
    return true
  },
  drop: (view: EditorView, event: DragEvent) => {
    const { dataTransfer: data } = event
    // The library moves what is dragged within the text.
    if (!data || view.dragging) return false
    event.preventDefault()
    const place = view.posAtCoords({ left: event.clientX, top: event.clientY })
    if (!place) return true
    view.dispatch(view.state.tr.setSelection(TextSelection.near(view.state.doc.resolve(place.pos))))
    insert(view, sliceOf(data, false))
    return true
  },
}
