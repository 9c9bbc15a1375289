import type { StateKey } from '../en/states.ts'

export const stateTexts = {
  canceled: 'Annulé',
  postponed: 'Reporté',
  rescheduled: 'Nouvelle date',
  moved_online: 'Déplacé en ligne',
  online: 'En ligne',
  mixed: 'Sur place et en ligne',
  title: '{state} : {title}',
} as const satisfies Readonly<Record<StateKey, string>>
