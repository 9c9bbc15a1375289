import type { DeskRecordKey } from '../en/desk.records.ts'
import type { Text } from '../plural.ts'

/** Les textes du bureau sur les lieux, les organisateurs, les catégories et les étiquettes. */
export const deskRecordTexts = {
  'nav.venues': 'Lieux',
  'nav.organizers': 'Organisateurs',
  cancel: 'Annuler',

  'venues.title': 'Lieux',
  'venues.new': 'Nouveau lieu',
  'venues.edit': 'Modifier le lieu',
  'venues.count': { zero: 'Aucun lieu', one: '{count} lieu', other: '{count} lieux' },
  'venues.details': 'Adresse et coordonnées',
  'venues.exists': 'Un lieu porte déjà ce nom. Cherchez-le dans la liste et modifiez-le.',
  'venues.saved': 'Le lieu est enregistré.',
  'venues.trashed': 'Le lieu est dans la corbeille.',
  'venues.restored': 'Le lieu est de retour.',
  'venues.used.text': {
    one: 'Un événement y a lieu. Déplacez-le d’abord vers un autre lieu. Sinon, il n’affichera plus de lieu.',
    other:
      '{count} événements y ont lieu. Déplacez-les d’abord vers un autre lieu. Sinon, ils n’afficheront plus de lieu.',
  },

  'organizers.title': 'Organisateurs',
  'organizers.new': 'Nouvel organisateur',
  'organizers.edit': 'Modifier l’organisateur',
  'organizers.count': { zero: 'Aucun organisateur', one: '{count} organisateur', other: '{count} organisateurs' },
  'organizers.details': 'Coordonnées',
  'organizers.exists': 'Un organisateur porte déjà ce nom. Cherchez-le dans la liste et modifiez-le.',
  'organizers.saved': 'L’organisateur est enregistré.',
  'organizers.trashed': 'L’organisateur est dans la corbeille.',
  'organizers.restored': 'L’organisateur est de retour.',
  'organizers.used.text': {
    one: 'Un événement a cet organisateur. Donnez-lui d’abord un autre organisateur. Sinon, il ne l’affichera plus.',
    other:
      '{count} événements ont cet organisateur. Donnez-leur d’abord un autre organisateur. Sinon, ils ne l’afficheront plus.',
  },

  'records.name': 'Nom',
  'records.address': 'Adresse',
  'records.city': 'Ville',
  'records.province': 'Province ou État',
  'records.zip': 'Code postal',
  'records.country': 'Pays',
  'records.phone': 'Téléphone',
  'records.website': 'Site Web',
  'records.website.hint': 'L’adresse complète, par exemple https://example.org.',
  'records.latitude': 'Latitude',
  'records.latitude.hint':
    'En degrés, par exemple 45,5088. Laissez les deux coordonnées vides si vous ne les connaissez pas.',
  'records.longitude': 'Longitude',
  'records.longitude.hint': 'En degrés, par exemple -73,5617.',
  'records.degrees': 'Entrez des degrés sous forme de nombre, par exemple 45,5088.',
  'records.show-map': 'Montrer une carte dans les pages des événements',
  'records.show-map-link': 'Montrer un lien vers une carte',
  'records.use': 'Événements',
  'records.used': 'Avec des événements',
  'records.unused': 'Sans événement',
  'records.none': 'Aucun résultat. Retirez un filtre ou créez une fiche.',
  'records.required': 'Seul le nom est obligatoire.',
  'records.shared': 'Le téléphone, le code postal et les coordonnées géographiques sont ceux de la fiche originale.',
  'records.translation': 'Nouvelle traduction\u00a0: {language}',
  'records.conflict': 'Quelqu’un d’autre a enregistré cette fiche entre-temps',
  'records.gone': 'Cette fiche n’existe pas, ou vous ne pouvez pas la modifier.',
  'records.used.title': '«\u00a0{name}\u00a0» a des événements',
  'records.used.anyway': 'Mettre quand même à la corbeille',
  'records.used.move': 'Choisir où vont les événements',
  'merge.start': 'Fusionner',
  'venues.merge': 'Fusionner avec un autre lieu',
  'venues.merge.title': 'Fusionner le lieu «\u00a0{name}\u00a0»',
  'venues.merge.choose':
    'Choisissez le lieu qui reste. Tous les événements y passent. Vous les voyez avant que quoi que ce soit change.',
  'venues.merge.trash': 'Le lieu «\u00a0{from}\u00a0» va à la corbeille.',
  'organizers.merge': 'Fusionner avec un autre organisateur',
  'organizers.merge.title': 'Fusionner l’organisateur «\u00a0{name}\u00a0»',
  'organizers.merge.choose':
    'Choisissez l’organisateur qui reste. Tous les événements lui reviennent. Vous les voyez avant que quoi que ce soit change.',
  'organizers.merge.trash': 'L’organisateur «\u00a0{from}\u00a0» va à la corbeille.',
  'merge.into': 'Ce qui reste',
  'merge.preview': 'Montrer ce qui change',
  'merge.preview.title': 'Fusionner «\u00a0{from}\u00a0» avec «\u00a0{into}\u00a0»',
  'merge.moves': {
    zero: 'Aucun événement n’est déplacé.',
    one: '{count} événement passera à «\u00a0{into}\u00a0».',
    other: '{count} événements passeront à «\u00a0{into}\u00a0».',
  },
  'merge.lost':
    '«\u00a0{into}\u00a0» n’a pas de texte en {languages}. Celui de «\u00a0{from}\u00a0» va à la corbeille avec la fiche.',
  'merge.events': 'Événements déplacés',
  'merge.more': { one: 'Et un autre.', other: 'Et {count} autres.' },
  'merge.submit': 'Fusionner',
  'merge.other': 'En choisir un autre',
  'merge.done': {
    zero: 'La fusion est faite. Aucun événement n’a été déplacé.',
    one: 'La fusion est faite. {count} événement a été déplacé.',
    other: 'La fusion est faite. {count} événements ont été déplacés.',
  },
  'merge.undone': {
    zero: 'La fusion est annulée.',
    one: 'La fusion est annulée. {count} événement reste où il est, car il a été modifié depuis.',
    other: 'La fusion est annulée. {count} événements restent où ils sont, car ils ont été modifiés depuis.',
  },
} as const satisfies Readonly<Record<DeskRecordKey, Text>>
