import type { Text } from '../plural.ts'

/** The texts of the visual editor. `rich.strong.sign` is what the button for bold text shows. */
export const deskRichTexts = {
  'rich.toolbar': 'Formatting',
  'rich.strong': 'Bold',
  'rich.strong.sign': 'B',
  'rich.em': 'Italic',
  'rich.h2': 'Heading',
  'rich.h3': 'Subheading',
  'rich.ul': 'Bulleted list',
  'rich.ol': 'Numbered list',
  'rich.quote': 'Quotation',
  'rich.link': 'Link',
  'rich.undo': 'Undo',
  'rich.redo': 'Redo',
  'rich.source': 'Edit as HTML',
  'rich.address': 'Address of the link',
  'rich.address.hint': 'For example https://example.org/tickets, or an email address.',
  'rich.address.fault':
    'This is not an address that can be linked. Write one such as https://example.org, an email address, or a path such as /events/.',
  'rich.link.save': 'Set the link',
  'rich.link.remove': 'Remove the link',
  'rich.link.cancel': 'Cancel',
  'rich.only-source':
    'This text has HTML that the visual editor does not know, such as a table. It is shown as HTML, so that nothing is lost.',
} as const satisfies Readonly<Record<string, Text>>
