import type { Text } from '../plural.ts'

/** The texts of the keyboard shortcuts of the desk. */
export const deskShortcutTexts = {
  'shortcuts.title': 'Keyboard shortcuts',
  'shortcuts.everywhere': 'Everywhere',
  'shortcuts.lists': 'In a list',
  'shortcuts.editor': 'In the editor',
  'shortcuts.text': 'In the description',
  'shortcuts.next': 'Next row',
  'shortcuts.previous': 'Previous row',
  'shortcuts.select': 'Select the row',
  'shortcuts.then': 'then',
  'shortcuts.Shift': 'Shift',
  'shortcuts.Enter': 'Enter',
  'shortcuts.on': 'Use keys without Ctrl and Alt',
  'shortcuts.on.hint': 'Switch them off if you dictate to the computer. This browser remembers your choice.',
  'shortcuts.close': 'Close',
} as const satisfies Readonly<Record<string, Text>>
