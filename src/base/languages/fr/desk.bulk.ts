import type { deskBulkTexts as english } from '../en/desk.bulk.ts'
import type { Text } from '../plural.ts'

/** Les textes des conflits, des lignes d’un tableur, des importations, des images et des vues enregistrées. */
export const deskBulkTexts = {
  'conflict.text':
    'Rien de votre travail n’est perdu, et rien n’en est encore enregistré. Choisissez pour chaque champ la version à garder. Tout le reste est identique.',
  'conflict.same': 'Les deux versions contiennent les mêmes changements. Enregistrez pour continuer.',
  'conflict.mine': 'Votre version',
  'conflict.theirs': 'Enregistré par l’autre personne',
  'conflict.was': 'Avant',
  'conflict.mine-only': 'Vous êtes la seule personne à avoir modifié ce champ.',
  'conflict.theirs-only': 'Seule l’autre personne a modifié ce champ.',
  'conflict.both': 'Ce champ a changé dans les deux versions.',
  'conflict.choose': 'Choisissez l’une des versions.',
  'conflict.label': '{label}\u00a0:',
  'conflict.save': 'Enregistrer les versions choisies',
  'conflict.edit': 'Continuer dans l’éditeur',
  'conflict.discard': 'Abandonner mes modifications',
  'conflict.editing': 'Le formulaire contient les versions choisies. Rien n’est encore enregistré.',
} as const satisfies Readonly<Record<keyof typeof english, Text>>
