import type { Text } from '../plural.ts'

/** The texts of conflicts, of rows of a spreadsheet, of imports, of pictures and of saved views. */
export const deskBulkTexts = {
  'conflict.text':
    'Your changes are not saved yet, and none of them is lost. Choose for each field which version to keep. Everything else is the same in both.',
  'conflict.same': 'Both of you made the same changes. Save to continue.',
  'conflict.mine': 'Your version',
  'conflict.theirs': 'Saved by the other person',
  'conflict.was': 'Before',
  'conflict.mine-only': 'Only you have changed this.',
  'conflict.theirs-only': 'Only the other person has changed this.',
  'conflict.both': 'Both of you have changed this.',
  'conflict.choose': 'Choose one of the versions.',
  'conflict.label': '{label}:',
  'conflict.save': 'Save the chosen versions',
  'conflict.edit': 'Continue in the editor',
  'conflict.discard': 'Discard my changes',
  'conflict.editing': 'The form has the chosen versions. Nothing is saved yet.',
} as const satisfies Readonly<Record<string, Text>>
