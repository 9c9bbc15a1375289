/** The texts of feeds around their events. `{name}` is replaced by a value. */
export const feedTexts = {
  title: '{site}: events',
  about: 'Events of the calendar “{site}”.',
} as const

export type FeedKey = keyof typeof feedTexts
export type FeedTexts = Readonly<Record<FeedKey, string>>
