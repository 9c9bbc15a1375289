import { setting } from './setting.ts'

/** Where titles tell what happens to an event. */
const TITLE_PLACES = ['v1', 'feeds', 'pages'] as const
export type TitlePlace = (typeof TITLE_PLACES)[number]

/** How responses show what happens to events. */
export interface StateConfig {
  readonly statusInTitles: readonly TitlePlace[]
  /** Whether every event has the members of online events. */
  readonly hasVirtualKeys: boolean
}

export const stateSettings = {
  statusInTitles: setting('STATUS_IN_TITLES', 'v1,feeds,pages', (text): readonly TitlePlace[] => {
    const names = text.split(',').map((name) => name.trim())
    const places = names.filter((name) => name !== '')
    if (!places.every((name) => (TITLE_PLACES as readonly string[]).includes(name)))
      throw new Error(`empty, or some of ${TITLE_PLACES.join(',')}`)
    return places as readonly TitlePlace[]
  }),
  hasVirtualKeys: setting('VIRTUAL_KEYS', 'used', (text) => {
    if (text !== 'used' && text !== 'always') throw new Error('used or always')
    return text === 'always'
  }),
}
