import type { seriesTexts as english } from '../en/openapi.series.ts'

/** The texts of series, in Canadian French. */
export const seriesTexts: Readonly<Record<keyof typeof english, string>> = {
  'id.series': 'Identifiant de la série.',
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
  'SeriesOfEvent.text': 'La règle en mots.',
  'SeriesOfEvent.dates_until':
    'Le jour jusqu’auquel existent les dates d’une série sans fin. Null si la série a une fin.',
}
