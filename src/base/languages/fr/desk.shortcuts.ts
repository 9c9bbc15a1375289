import type { deskShortcutTexts as english } from '../en/desk.shortcuts.ts'
import type { Text } from '../plural.ts'

/** Les textes des raccourcis clavier du bureau. */
export const deskShortcutTexts = {
  'shortcuts.title': 'Raccourcis clavier',
  'shortcuts.everywhere': 'Partout',
  'shortcuts.lists': 'Dans une liste',
  'shortcuts.editor': 'Dans l’éditeur',
  'shortcuts.text': 'Dans la description',
  'shortcuts.next': 'Ligne suivante',
  'shortcuts.previous': 'Ligne précédente',
  'shortcuts.select': 'Sélectionner la ligne',
  'shortcuts.then': 'puis',
  'shortcuts.Shift': 'Maj',
  'shortcuts.Enter': 'Entrée',
  'shortcuts.on': 'Utiliser les touches sans Ctrl ni Alt',
  'shortcuts.on.hint': 'Désactivez-les si vous utilisez la dictée vocale. Ce navigateur retient votre choix.',
  'shortcuts.close': 'Fermer',
} as const satisfies Readonly<Record<keyof typeof english, Text>>
