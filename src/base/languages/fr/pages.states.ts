import type { pageStateTexts as english } from '../en/pages.states.ts'

export const pageStateTexts: Readonly<Record<keyof typeof english, string>> = {
  'state.canceled': 'Cet événement est annulé.',
  'state.postponed': 'Cet événement est reporté. La nouvelle date n’est pas encore connue.',
  'state.rescheduled': 'Cet événement a une nouvelle date.',
  'state.moved_online': 'Cet événement a été déplacé en ligne.',
  'state.since': 'Annoncé le {date}',
  'state.formerly': 'Auparavant :',
  'state.join': 'Participer en ligne',
  'state.registered': 'Seules les personnes inscrites reçoivent le lien.',
  'not-held': 'Annulés ou reportés',
}
