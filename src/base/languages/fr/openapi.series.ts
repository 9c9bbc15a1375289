import type { seriesTexts as english } from '../en/openapi.series.ts'

/** The texts of series, in Canadian French. */
export const seriesTexts: Readonly<Record<keyof typeof english, string>> = {
  'tag.Series': 'Séries',
  'Event.recurring': 'Indique que l’événement est une date d’une série. Absent sinon.',
  SeriesOfEvent:
    'La série dont un événement est une date. Si un mot de passe protège l’événement, seuls les deux premiers membres sont montrés.',
  'SeriesOfEvent.recurrence_id':
    'Le début, à l’heure locale, que la règle a donné à la date. Avec la série, il identifie la date, même si elle est déplacée.',
  'SeriesOfEvent.rest_url': 'La série dans l’interface.',
  'SeriesOfEvent.url': 'La page de la série.',
  'SeriesOfEvent.all_url': 'La page de toutes les dates de la série.',
  'SeriesOfEvent.is_modified': 'Indique si la date diffère de la série.',
  'SeriesOfEvent.own_fields': 'Les champs dans lesquels la date ne suit pas la série.',
  'SeriesOfEvent.rrule': 'La règle (RFC 5545). Vide si la série n’a que des dates.',
  'SeriesOfEvent.text':
    'La règle en mots. Elle ne fait état d’autres dates et d’exceptions qu’à ceux qui peuvent modifier la série.',
  'SeriesOfEvent.dates_until':
    'Le jour jusqu’auquel existent les dates d’une série sans fin. Null si la série a une fin.',
  'series.create': 'Créer une série avec toutes ses dates',
  'series.create.about':
    'Chaque date est un événement avec son propre identifiant et sa propre adresse. Une règle sans fin est remplie pour les prochains mois, et d’autres dates s’ajoutent chaque jour.',
  'series.get': 'Lire une série',
  'series.change': 'Modifier une série et ses dates',
  'series.change.about':
    'Toutes les dates changent, sauf dans les champs modifiés sur elles. Les nouvelles heures et règles comptent à partir de la première date qui n’a pas commencé. Avec `from`, cette date et les suivantes changent. Envoyez d’abord `dry_run=true` pour voir ce qui change.',
  'series.remove': 'Mettre une série et ses dates à la corbeille',
  'series.remove.about': 'Avec `from`, seulement cette date et les suivantes. La série finit alors avant elle.',
  'series.restore': 'Restaurer une série et les dates mises à la corbeille avec elle',
  'series.dates': 'Lister les dates d’une série',
  'series.dates.add': 'Ajouter une date à une série',
  'series.join': 'Faire d’événements existants des dates d’une série',
  'series.join.about':
    'Ils gardent leurs identifiants, y compris ceux d’adresse, et ce qui diffère de la série leur reste propre.',
  'series.translate': 'Traduire une série et toutes ses dates',
  'series.translate.about':
    'Crée une traduction de chaque date avec ces textes. Ce que les traductions partagent vient des dates.',
  'series.follow': 'Faire de nouveau suivre sa série à une date',
  'series.follow.about': 'La date reprend ces champs de la série.',
  'series.preview': 'Montrer les dates que donne une règle',
  'series.preview.about': 'Rien n’est enregistré. Les changements d’heure qui déplacent une date sont signalés.',
  Series: 'Une série : ce qui se répète. Ses dates sont des événements.',
  'Series.translations': 'Les identifiants de la série par langue.',
  'Series.language': 'La langue.',
  'Series.start_date':
    'La première date de la dernière règle. Null pour ceux qui ne peuvent pas modifier une série qui n’a que des dates.',
  'Series.end_date': 'La fin de la première date de la dernière règle. Null comme le début.',
  'Series.dates':
    'D’autres dates, sous forme de débuts à l’heure locale. Vide pour ceux qui ne peuvent pas modifier la série.',
  'Series.except':
    'Les dates exclues, sous forme de débuts à l’heure locale. Vide pour ceux qui ne peuvent pas modifier la série.',
  'Series.segments':
    'Les parties de la série qui ont leurs propres règles, dans l’ordre. La suivante met fin à chacune. Ceux qui ne peuvent pas modifier la série ne lisent que celles qui ont une règle.',
  'Series.from': 'Les dates de la partie commencent à cette heure locale ou après.',
  'Series.sequence': 'Le nombre de changements des règles et des heures.',
  'Series.event_id': 'L’identifiant de la date que nomme la requête, ou de la prochaine.',
  SeriesChanges: 'Ce que la requête a fait aux dates. Les traductions d’une date comptent une fois.',
  'SeriesChanges.added': 'Le nombre de nouvelles dates.',
  'SeriesChanges.dropped': 'Le nombre de dates mises à la corbeille.',
  'SeriesChanges.changed': 'Le nombre d’autres dates modifiées.',
  'SeriesChanges.added_dates': 'Les débuts des nouvelles dates à l’heure locale, au plus 200.',
  'SeriesChanges.dropped_dates':
    'Les dates mises à la corbeille parce que les règles ne les donnent plus, au plus 200.',
  SeriesDates: 'Les dates d’une série dans la langue de l’identifiant, dans l’ordre.',
  'SeriesDates.dates': 'Les dates.',
  'SeriesDates.is_dropped': 'Indique que la série n’a plus cette date.',
  'SeriesDates.next_cursor': 'Le `cursor` de la page suivante. Null à la dernière.',
  SeriesPreview: 'Les dates que donne une règle.',
  'SeriesPreview.count': 'Le nombre de dates.',
  'SeriesPreview.is_endless':
    'Indique que la règle n’a pas de fin. Le nombre est alors celui des dates créées d’abord.',
  'SeriesPreview.dates': 'Les premières dates, au plus 200.',
  'SeriesPreview.warnings': 'Les dates qui demandent de l’attention.',
  'SeriesPreview.warning':
    '`moved-by-clock-change` : on avance l’heure à ce moment-là, donc la date commence plus tard.',
}
