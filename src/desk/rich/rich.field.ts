import type { Html } from '../../base/text/html.ts'
import type { DeskCall } from '../shell/desk.call.ts'
import { textArea } from '../shell/fields.ts'

// The visual editor of HTML. Its script replaces fields with the mark `data-rich`. Without it, they stay as they are.

const names = [
  ...(['toolbar', 'strong', 'strong.sign', 'em', 'h2', 'h3', 'ul', 'ol', 'quote', 'link', 'undo'] as const),
  ...(['redo', 'source', 'address', 'address.hint', 'address.fault', 'link.save'] as const),
  ...(['link.remove', 'link.cancel', 'only-source'] as const),
] as const

/** The names of the texts that the script shows. */
export type RichText = (typeof names)[number]

/** Returns the texts that the script shows, as JSON for the attribute `data-rich-texts` of a form. */
export function richTexts({ say }: Pick<DeskCall, 'say'>): string {
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, say(`rich.${name}`)])))
}

/** Returns a field for HTML that the script replaces by the visual editor. */
export function richArea(options: Parameters<typeof textArea>[0]): Html {
  return textArea({ ...options, isRich: true })
}
