import type { Text } from '../plural.ts'

/** What happens to an event. `title` shows the title of an event with its state. */
export const stateTexts = {
  canceled: 'Canceled',
  postponed: 'Postponed',
  rescheduled: 'New date',
  moved_online: 'Moved online',
  online: 'Online',
  mixed: 'On site and online',
  title: '{state}: {title}',
} as const satisfies Readonly<Record<string, Text>>

export type StateKey = keyof typeof stateTexts
