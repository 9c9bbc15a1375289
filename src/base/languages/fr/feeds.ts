import type { FeedTexts } from '../en/feeds.ts'

export const feedTexts: FeedTexts = {
  title: '{site} : événements',
  about: 'Événements du calendrier « {site} ».',
}
