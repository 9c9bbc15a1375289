import type { LocalDateTime } from '../src/base/time/local.date.time.ts'
import { dayOf } from '../src/base/time/local.date.time.ts'
import { shiftByDays } from '../src/exchange/imports/date.shift.ts'
import type { DemoClient } from './client.ts'
import { demoZone } from './laval.ts'

// What happens again and again in the demo. All of it is invented.

interface Texts {
  readonly title: string
  readonly text: string
}

interface DemoSeries {
  readonly category: string
  /** Its place, as in `venues.ts`. */
  readonly place: string
  readonly organizer: 'city' | 'libraries' | 'arts'
  readonly cost: string
  /** The first day, counted from the Monday of this week, and the hours. */
  readonly day: number
  readonly from: string
  readonly to: string
  /** The rule, or else further days, counted in the same way. */
  readonly rule?: string
  readonly days?: readonly number[]
  /** Days without a date. */
  readonly except?: readonly number[]
  readonly french: Texts
  readonly english: Texts
  /** Why the date after the next one is canceled. */
  readonly canceled?: { readonly french: string; readonly english: string }
}

const SERIES: readonly DemoSeries[] = [
  {
    ...{ category: 'stories', place: 'Bibliothèque Sylvain-Garneau', organizer: 'libraries', cost: '0' },
    ...{ day: -37, from: '10:00', to: '10:45', rule: 'FREQ=WEEKLY;BYDAY=SA', except: [19] },
    french: {
      title: 'L’heure du conte du samedi',
      text: 'Des histoires, des comptines et un bricolage pour les enfants de 3 à 6 ans et leurs parents.',
    },
    english: {
      title: 'Saturday story time',
      text: 'Stories, rhymes and a craft for children aged 3 to 6 and their parents.',
    },
    canceled: { french: 'La conteuse est malade.', english: 'The storyteller is sick.' },
  },
  {
    ...{ category: 'outdoors', place: 'Centre de la nature', organizer: 'city', cost: '12' },
    ...{ day: -13, from: '18:30', to: '19:30', rule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;COUNT=14' },
    french: { title: 'Yoga doux', text: 'Une heure pour respirer et s’étirer. Apportez un tapis.' },
    english: { title: 'Gentle yoga', text: 'An hour to breathe and stretch. Bring a mat.' },
  },
  {
    ...{ category: 'libraries', place: 'Bibliothèque Multiculturelle', organizer: 'libraries', cost: '0' },
    ...{ day: -4, from: '19:00', to: '20:30', rule: 'FREQ=MONTHLY;BYDAY=-1TH' },
    french: { title: 'Club de lecture', text: 'Un livre par mois, le dernier jeudi. Bienvenue à tous.' },
    english: { title: 'Book club', text: 'One book each month, on the last Thursday. Everybody is welcome.' },
  },
  {
    ...{ category: 'community', place: 'Parc Bernard-Landry', organizer: 'city', cost: '0' },
    ...{ day: 13, from: '09:00', to: '14:00', days: [20, 34, 62, 90] },
    french: { title: 'Marché public', text: 'Des légumes, du miel et du pain de la région.' },
    english: { title: 'Public market', text: 'Vegetables, honey and bread from the region.' },
  },
]

/** The ids of the records that series of the demo refer to. */
interface Known {
  readonly places: ReadonlyMap<string, number>
  readonly organizers: ReadonlyMap<string, number>
  readonly categories: ReadonlyMap<string, number>
  readonly covers: ReadonlyMap<string, number>
}

/** Creates the series of the demo in both languages, and cancels a date. `monday` is that of the current week. */
export async function createSeries(
  client: DemoClient,
  known: Known,
  { monday, now }: { readonly monday: LocalDateTime; readonly now: LocalDateTime },
): Promise<void> {
  const dayAt = (days: number) => dayOf(shiftByDays(monday, days))
  for (const { french, english, canceled, ...series } of SERIES) {
    const { category, place, organizer, cost, day, from, to, rule, days = [], except = [] } = series
    const id = await client.createSeries(
      {
        ...{ title: french.title, description: `<p>${french.text}</p>`, cost, timezone: demoZone },
        ...{ start_date: `${dayAt(day)} ${from}:00`, end_date: `${dayAt(day)} ${to}:00` },
        categories: [known.categories.get(category)],
        venue: [known.places.get(place.replaceAll('’', "'"))],
        organizer: [known.organizers.get(organizer)],
        image: known.covers.get(`${category}-0`),
        ...{ show_map: true, show_map_link: true },
        recurrence: { rrule: rule, dates: days.map(dayAt), except: except.map(dayAt) },
      },
      { title: english.title, description: `<p>${english.text}</p>` },
    )
    if (!canceled) continue
    const [inFrench, inEnglish] = await Promise.all(
      (['fr-CA', 'en'] as const).map((language) => client.listDates(id, { from: now, language })),
    )
    const status = { event_status: 'canceled', event_status_reason: canceled.french }
    await client.change(inFrench?.[1] ?? 0, status)
    await client.change(inEnglish?.[1] ?? 0, { event_status_reason: canceled.english })
  }
}
