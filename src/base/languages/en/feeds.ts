/** The texts of feeds: around their events, then what happens to an event. `{name}` is replaced by a value. */
export const feedTexts = {
  title: '{site}: events',
  about: 'Events of the calendar “{site}”.',
  canceled: 'This event is canceled.',
  postponed: 'This event is postponed. The new date is not known yet.',
  rescheduled: 'This event has a new date.',
  moved_online: 'This event takes place online instead.',
  previous: 'Earlier date: {time}',
  online: 'Online: {url}',
} as const

export type FeedKey = keyof typeof feedTexts
export type FeedTexts = Readonly<Record<FeedKey, string>>
