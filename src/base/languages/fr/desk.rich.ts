import type { deskRichTexts as english } from '../en/desk.rich.ts'
import type { Text } from '../plural.ts'

/** The texts of the visual editor. `rich.strong.sign` is what the button for bold text shows. */
export const deskRichTexts = {
  'rich.toolbar': 'Mise en forme',
  'rich.strong': 'Gras',
  'rich.strong.sign': 'G',
  'rich.em': 'Italique',
  'rich.h2': 'Titre',
  'rich.h3': 'Sous-titre',
  'rich.ul': 'Liste à puces',
  'rich.ol': 'Liste numérotée',
  'rich.quote': 'Citation',
  'rich.link': 'Lien',
  'rich.undo': 'Annuler',
  'rich.redo': 'Rétablir',
  'rich.source': 'Modifier en HTML',
  'rich.address': 'Adresse du lien',
  'rich.address.hint': 'Par exemple https://example.org/billets, ou une adresse courriel.',
  'rich.address.fault':
    'Un lien ne peut pas mener à cette adresse. Écrivez une adresse comme https://example.org, une adresse courriel, ou un chemin comme /events/.',
  'rich.link.save': 'Insérer le lien',
  'rich.link.remove': 'Enlever le lien',
  'rich.link.cancel': 'Fermer sans changer',
  'rich.only-source':
    'Ce texte contient du HTML que l’éditeur visuel ne connaît pas, par exemple un tableau. Il est affiché en HTML pour que rien ne se perde.',
} as const satisfies Readonly<Record<keyof typeof english, Text>>
