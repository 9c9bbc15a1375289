import type { pageSeriesTexts as english } from '../en/pages.series.ts'
import type { Text } from '../plural.ts'

/** Les textes des pages publiques sur les séries. */
export const pageSeriesTexts: Readonly<Record<keyof typeof english, Text>> = {
  'series.dates': 'Toutes les dates',
  'series.all': 'Voir toutes les dates',
  'series.more': { one: '{count} autre date', other: '{count} autres dates' },
  'series.count-coming': { one: '{count} date à venir', other: '{count} dates à venir' },
  'series.count-past': { zero: 'Dates passées', one: '{count} date passée', other: '{count} dates passées' },
  'series.next': 'Prochaine date',
  'series.last': 'Dernière date',
  'series.previous': 'Date précédente',
  'series.coming': 'Autres dates',
  'series.earlier': 'Dates précédentes',
  'series.show-past': 'Dates passées',
  'series.show-coming': 'Dates à venir',
  'series.nothing-past': 'Aucune date n’est passée.',
  'series.neighbours': 'Dates précédente et suivante',
  'series.calendar': 'Toutes les dates (.ics)',
  'series.instead': 'Au lieu du {date}',
  'series.gone': 'Cette date ne fait plus partie de la série.',
  'series.no-date': 'La série n’a pas cette date.',
  'series.fold': 'Regrouper les dates de chaque série',
  'series.unfold': 'Afficher chaque date',
}
