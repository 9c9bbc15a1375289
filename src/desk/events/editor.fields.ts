import type { DeskKey } from '../../base/languages/catalogue.ts'
import type { OwnCall } from '../shell/desk.call.ts'
import { languageName } from './language.names.ts'
import { repeatFields } from './repeat.rule.ts'

// The fields of the editor. Each has a text as its value. Texts exist once per language, with the language after a dot:
// `title.fr-CA`. All other fields are shared.

/** The texts of each language. */
const textFields = ['title', 'excerpt', 'description', 'slug', 'event_status_reason', 'hold'] as const
export type TextField = (typeof textFields)[number]

const sharedFields = [
  ...(['start', 'end', 'all_day', 'timezone', 'venue', 'venue_city', 'organizer'] as const),
  ...(['cost', 'website', 'offers', 'availability', 'capacity', 'categories', 'tags'] as const),
  ...(['event_status', 'attendance', 'virtual_url', 'visibility', 'hide_from_listings', 'featured', 'sticky'] as const),
  ...(['event_password', 'no_password', 'date', 'image', 'decorative'] as const),
  ...repeatFields,
] as const
export type SharedField = (typeof sharedFields)[number]

/** Fields whose control is a box. A box that is off is not sent. */
export const boxes: ReadonlySet<string> = new Set([
  ...['all_day', 'hide_from_listings', 'featured', 'sticky', 'no_password', 'decorative', 'hold'],
])

export const fieldLabels = {
  title: 'editor.title',
  excerpt: 'editor.excerpt',
  description: 'editor.description',
  slug: 'editor.slug',
  event_status_reason: 'editor.reason',
  hold: 'editor.hold',
  alt: 'editor.alt',
  start: 'editor.start',
  end: 'editor.end',
  all_day: 'editor.all-day',
  timezone: 'editor.timezone',
  venue: 'editor.venue',
  venue_city: 'editor.venue-city',
  organizer: 'editor.organizer',
  cost: 'editor.cost',
  website: 'editor.website',
  offers: 'editor.offers',
  availability: 'editor.availability',
  capacity: 'editor.capacity',
  categories: 'editor.categories',
  tags: 'editor.tags',
  event_status: 'editor.event-status',
  attendance: 'editor.attendance',
  virtual_url: 'editor.virtual-url',
  visibility: 'editor.visibility',
  hide_from_listings: 'editor.unlisted',
  featured: 'editor.featured',
  sticky: 'editor.sticky',
  event_password: 'editor.password',
  no_password: 'editor.no-password',
  date: 'editor.date',
  image: 'editor.image',
  picture: 'editor.image',
  decorative: 'editor.decorative',
  repeat: 'repeat.label',
  repeat_interval: 'repeat.interval',
  repeat_unit: 'repeat.unit',
  repeat_days: 'repeat.days',
  repeat_nth: 'repeat.nth',
  repeat_month_day: 'repeat.month-day',
  repeat_rule: 'repeat.rule.label',
  repeat_ends: 'repeat.ends',
  repeat_until: 'repeat.until',
  repeat_count: 'repeat.count',
  repeat_except: 'repeat.except',
  repeat_dates: 'repeat.more',
} as const satisfies Readonly<Record<SharedField | TextField | 'alt' | 'picture', DeskKey>>
export type FieldName = keyof typeof fieldLabels

/** Returns the name of the field of a text in a language. */
export function inLanguage(name: TextField | 'alt', language: string): string {
  return `${name}.${language}`
}

/** Returns the names of all fields with a value to compare, for these languages. */
export function namesOfFields(languages: readonly string[]): readonly string[] {
  return [
    ...languages.flatMap((language) => [...textFields, 'alt' as const].map((name) => inLanguage(name, language))),
    ...sharedFields,
  ]
}

/** Returns the label of a field, with its language. */
export function labelOf(call: OwnCall, name: string): string {
  const [field = '', language] = name.split('.')
  const label = call.say(fieldLabels[field as FieldName])
  return language === undefined
    ? label
    : call.say('editor.of-language', { label, language: languageName(call, language) })
}
