import { FEED_FORMATS } from '../../../src/publish/feeds/feed.ts'
import type { Facts, RecordFacts } from './facts.ts'
import {
  type ExpectedAnswer,
  entriesOf,
  eventsOf,
  everything,
  languages,
  queryOf,
  type ReadPath,
  statuses,
} from './question.ts'
import * as see from './visibility.ts'
import { passwordOfAll } from './world.ts'

/** Past events included. */
const ever = `${everything}&start_date=2029-01-01`

/** The same events as in the list, in each format. */
function feedOf(facts: Facts, asking: see.Asking, status: see.StatusAsked): ExpectedAnswer {
  if (!see.mayAsk(asking.caller, status)) return { status: 400, code: 'rest_invalid_param' }
  return { status: 200, events: numbersOf(see.listedEvents(facts, asking, status)) }
}

const numbersOf = (events: readonly RecordFacts[]) => events.map(({ number }) => number).toSorted((a, b) => a - b)

const addresses = [
  { root: '//event', language: undefined },
  { root: '//fr/event', language: 'fr-CA' },
] as const

/** Pages show what a visitor may read, also to users. */
const visitor = 'visitor'

/** A date of a series has a page at its own address, which its versions share. One that was public and is in the trash is gone. */
function datePageOf(facts: Facts, { datePath, language }: RecordFacts): ExpectedAnswer {
  const versions = eventsOf(facts).filter((one) => one.datePath === datePath)
  const asked = language === 'fr-CA' ? 'fr-CA' : undefined
  const event = see.preferred(versions, { caller: visitor, language: asked })
  if (event?.isGone) return { status: 410 }
  if (!event || event.status === 'trash' || !see.isReadable(visitor, event)) return { status: 404 }
  return { status: isFrench(event) === (asked === 'fr-CA') ? 200 : 302 }
}

const isSingle = ({ slug, datePath }: RecordFacts) => slug !== '' && datePath === undefined
const isFrench = ({ language }: RecordFacts) => language === 'fr-CA'

function pageOf(facts: Facts, slug: string, language: 'fr-CA' | undefined): ExpectedAnswer {
  const event = see.bySlug(facts, 'event', slug, { caller: visitor, language })
  if (!event || event.status === 'trash' || !see.isReadable(visitor, event)) return { status: 404 }
  return { status: (event.language === 'fr-CA') === (language === 'fr-CA') ? 200 : 302 }
}

/** Events as calendars, news, tables and pages. Each date is asked for, because news has only the next one of a series. */
export const feedPaths: readonly ReadPath[] = [
  ...FEED_FORMATS.map(
    (format): ReadPath => ({
      title: `events as ${format}`,
      questions: (facts) =>
        statuses.flatMap((status, place) => [
          {
            path: `/events.${format}?${ever}&${queryOf({ status, ml_language: languages[place % languages.length], occurrences: 'each' })}`,
            asking: { language: languages[place % languages.length] },
            expect: (caller) => feedOf(facts, { caller, language: languages[place % languages.length] }, status),
          },
          {
            path: `/events.${format}?${ever}&${queryOf({ status, password: passwordOfAll, occurrences: 'each' })}`,
            asking: { hasPassword: true },
            expect: (caller) => feedOf(facts, { caller, hasPassword: true }, status),
          },
        ]),
    }),
  ),
  {
    title: 'one event as a calendar',
    questions: (facts) =>
      addresses.flatMap(({ root, language }) =>
        eventsOf(facts)
          .filter(isSingle)
          .map(({ slug }) => ({
            path: `${root}/${slug}/ical/`,
            expect: (caller) => {
              const event = see.bySlug(facts, 'event', slug, { caller, language })
              const isShown = event && event.status !== 'trash' && see.isReadable(caller, event)
              // A request that does not ask for JSON gets a page that says so.
              return isShown ? { status: 200, events: [event.number] } : { status: 404 }
            },
          })),
      ),
  },
  {
    title: 'pages of events',
    questions: (facts) =>
      addresses.flatMap(({ root, language }) =>
        eventsOf(facts)
          .filter(isSingle)
          .map(({ slug }) => ({
            path: `${root}/${slug}/`,
            seenBy: visitor,
            expect: () => pageOf(facts, slug, language),
          })),
      ),
  },
  {
    title: 'pages of dates of series',
    questions: (facts) =>
      eventsOf(facts)
        .filter(({ datePath }) => datePath !== undefined)
        .map((event) => ({
          path: `//${isFrench(event) ? 'fr/' : ''}event/${event.datePath}/`,
          seenBy: visitor,
          expect: () => datePageOf(facts, event),
        })),
  },
  {
    title: 'pages that list events',
    questions: (facts) =>
      [
        ...['', '?past=1', 'month/2030-01/', '2030-01-15/', 'map/'].map((view) => `//events/${view}`),
        ...['//fr/events/', '//sitemap.xml'],
        ...(['venue', 'organizer'] as const).flatMap((kind) =>
          entriesOf(facts, kind)
            .filter(({ slug, status }) => slug !== '' && status === 'publish')
            .map(({ slug, language }) => `/${language === 'fr-CA' ? '/fr' : ''}/${kind}/${slug}/`),
        ),
      ].map((path) => ({ path, seenBy: visitor, expect: () => ({ status: 200 }) })),
  },
]
