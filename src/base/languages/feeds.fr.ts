import type { FeedTexts } from './feeds.en.ts'

export const feedTexts: FeedTexts = {
  title: '{site} : événements',
  about: 'Événements du calendrier « {site} ».',
}
