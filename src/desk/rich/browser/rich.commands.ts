import { lift, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands'
import { redo, redoDepth, undo, undoDepth } from 'prosemirror-history'
import type { MarkType, Node } from 'prosemirror-model'
import { liftListItem, wrapInList } from 'prosemirror-schema-list'
import type { Command, EditorState } from 'prosemirror-state'
import { markType, nodeType } from './rich.schema.ts'

/** A command of the toolbar. */
export interface ToolbarCommand {
  readonly run: Command
  /** Whether the selection has what the command makes; undefined for commands without a state. */
  readonly isOn?: (state: EditorState) => boolean
  readonly isAvailable?: (state: EditorState) => boolean
}

function hasMark({ selection, doc, storedMarks }: EditorState, type: MarkType): boolean {
  const { from, to, empty, $from } = selection
  return empty ? type.isInSet(storedMarks ?? $from.marks()) !== undefined : doc.rangeHasMark(from, to, type)
}

/** Older texts have another element for the same look. It is removed together with ours. */
function mark(name: string, older: string): ToolbarCommand {
  const [own, other] = [markType(name), markType(older)]
  return {
    run: (state, dispatch, view) => toggleMark(hasMark(state, other) ? other : own)(state, dispatch, view),
    isOn: (state) => hasMark(state, own) || hasMark(state, other),
  }
}

/** Returns the nearest of these elements around the selection, and its depth. */
function around(
  { selection: { $from } }: EditorState,
  names: readonly string[],
): { node: Node; depth: number } | undefined {
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    const node = $from.node(depth)
    if (names.includes(node.type.name)) return { node, depth }
  }
  return undefined
}

function heading(name: string): ToolbarCommand {
  const isOn = (state: EditorState) => state.selection.$from.parent.type.name === name
  return {
    run: (state, dispatch, view) => setBlockType(nodeType(isOn(state) ? 'p' : name))(state, dispatch, view),
    isOn,
  }
}

function list(name: 'ul' | 'ol'): ToolbarCommand {
  const isOn = (state: EditorState) => around(state, ['ul', 'ol'])?.node.type.name === name
  return {
    isOn,
    run: (state, dispatch, view) => {
      const found = around(state, ['ul', 'ol'])
      if (!found) return wrapInList(nodeType(name))(state, dispatch, view)
      if (isOn(state)) return liftListItem(nodeType('li'))(state, dispatch, view)
      dispatch?.(state.tr.setNodeMarkup(state.selection.$from.before(found.depth), nodeType(name)))
      return true
    },
  }
}

export const isInCell = (state: EditorState) => around(state, ['td', 'th']) !== undefined

const isInQuote = (state: EditorState) => around(state, ['blockquote']) !== undefined

/** The commands by the names of their buttons. */
export const commands = {
  strong: mark('strong', 'b'),
  em: mark('em', 'i'),
  h2: heading('h2'),
  h3: heading('h3'),
  ul: list('ul'),
  ol: list('ol'),
  quote: {
    isOn: isInQuote,
    run: (state, dispatch, view) => (isInQuote(state) ? lift : wrapIn(nodeType('blockquote')))(state, dispatch, view),
  },
  undo: { run: undo, isAvailable: (state) => undoDepth(state) > 0 },
  redo: { run: redo, isAvailable: (state) => redoDepth(state) > 0 },
} as const satisfies Readonly<Record<string, ToolbarCommand>>
