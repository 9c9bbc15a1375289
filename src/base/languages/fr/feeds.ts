import type { FeedTexts } from '../en/feeds.ts'

export const feedTexts: FeedTexts = {
  title: '{site} : événements',
  about: 'Événements du calendrier « {site} ».',
  canceled: 'Cet événement est annulé.',
  postponed: 'Cet événement est reporté. La nouvelle date n’est pas encore connue.',
  rescheduled: 'Cet événement a une nouvelle date.',
  moved_online: 'Cet événement aura plutôt lieu en ligne.',
  previous: 'Date précédente : {time}',
  online: 'En ligne : {url}',
}
