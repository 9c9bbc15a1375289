import { baseKeymap, chainCommands, exitCode } from 'prosemirror-commands'
import { history } from 'prosemirror-history'
import { inputRules, textblockTypeInputRule, undoInputRule, wrappingInputRule } from 'prosemirror-inputrules'
import { keymap } from 'prosemirror-keymap'
import { liftListItem, sinkListItem, splitListItem } from 'prosemirror-schema-list'
import type { Command, Plugin } from 'prosemirror-state'
import { commands, isInCell } from './rich.commands.ts'
import { nodeType } from './rich.schema.ts'

const li = nodeType('li')

const breakLine: Command = chainCommands(exitCode, (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(nodeType('br').create()).scrollIntoView())
  return true
})

/** In a cell, Enter begins a line: another paragraph would be another cell. */
const breakInCell: Command = (state, dispatch) => isInCell(state) && breakLine(state, dispatch)

/** What people type at the beginning of a line: `- `, `1. `, `> `, `## `. */
const typed = inputRules({
  rules: [
    wrappingInputRule(/^\s*[-*•]\s$/, nodeType('ul')),
    wrappingInputRule(
      /^(\d{1,3})[.)]\s$/,
      nodeType('ol'),
      ([, start]) => ({ attributes: start === '1' ? [] : [['start', start ?? '1']] }),
      // A list continues with its next number.
      ([, start], list) => list.childCount + Number(list.attrs.attributes[0]?.[1] ?? 1) === Number(start),
    ),
    wrappingInputRule(/^\s*>\s$/, nodeType('blockquote')),
    textblockTypeInputRule(/^##\s$/, nodeType('h2')),
    textblockTypeInputRule(/^###\s$/, nodeType('h3')),
  ],
})

/** The keys of the text. Tab leaves it. */
export function keyPlugins(own: Readonly<Record<string, Command>>): readonly Plugin[] {
  const keys: Readonly<Record<string, Command>> = {
    'Mod-b': commands.strong.run,
    'Mod-i': commands.em.run,
    'Mod-z': commands.undo.run,
    'Shift-Mod-z': commands.redo.run,
    'Mod-y': commands.redo.run,
    Backspace: undoInputRule,
    Enter: chainCommands(breakInCell, splitListItem(li)),
    'Shift-Enter': breakLine,
    'Mod-[': liftListItem(li),
    'Mod-]': sinkListItem(li),
    ...own,
  }
  return [typed, keymap(keys), keymap(baseKeymap), history()]
}
