/** What pages say about the state of an event. Short words for it are in `states.ts`. */
export const pageStateTexts = {
  'state.canceled': 'This event is canceled.',
  'state.postponed': 'This event is postponed. The new date is not yet known.',
  'state.rescheduled': 'This event has a new date.',
  'state.moved_online': 'This event has moved online.',
  'state.since': 'Announced on {date}',
  'state.formerly': 'Formerly:',
  'state.join': 'Join online',
  'state.registered': 'Only registered people get the link.',
  'not-held': 'Canceled or postponed',
} as const
