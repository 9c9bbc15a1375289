import { filterNames } from '../../src/publish/pages/list/filters.ts'
import { idsPerFile } from '../../src/publish/pages/robots/sitemap.ts'
import { COUNTS, YEARS } from './dataset.ts'
import { CALLERS, type Calendar, type Kind, type Pair } from './dear.kind.ts'
import { allYears, searches } from './dear.values.ts'

// Kinds that no table of arguments describes: pages, documents, files, and bodies.

const api = '/cal/events/v1'
const year = Math.round((YEARS.first + YEARS.last) / 2)
const marks = (pairs: number) => `a${'\u0301\u0323'.repeat(pairs)}`

export function otherKinds(calendar: Calendar): readonly Kind[] {
  return [...pages(calendar), ...files(calendar), ...codedAnswers(), ...unknownFeeds(calendar), ...bodies(calendar)]
}

function page(path: string, query: readonly Pair[] = []): Kind {
  return { caller: 'visitor', method: 'GET', path, query }
}

const views = ['/events/', `/events/month/${year}-06/`, `/events/${year}-06-15/`, '/events/map/']

/** Filters of pages at their bounds: names of one letter select everything that contains it. */
const filterValues: Readonly<Record<(typeof filterNames)[number], readonly Pair[1][]>> = {
  search: Object.values(searches),
  category: ['1', 'category', (turn) => 'aeo'[turn % 3] ?? '', (turn) => 'ther'.repeat(49) + turn],
  tag: ['1', 'tag', (turn) => 'aeo'[turn % 3] ?? '', (turn) => 'ther'.repeat(49) + turn],
  venue: ['1', 'hall', (turn) => 'aeo'[turn % 3] ?? '', (turn) => 'ther'.repeat(49) + turn],
  from: [`${YEARS.first}-01-01`],
  to: [`${YEARS.last}-12-31`],
  featured: ['1'],
  occurrences: ['next'],
}

function pages({ size }: Calendar): readonly Kind[] {
  const alone = filterNames.flatMap((name) => filterValues[name].map((value): readonly Pair[] => [[name, value]]))
  const span: readonly Pair[] = [
    ['from', `${YEARS.first}-01-01`],
    ['to', `${YEARS.last}-12-31`],
  ]
  const letters = (['search', 'category', 'tag', 'venue'] as const).map(
    (name): Pair => [name, (turn) => 'aeo'[turn % 3] ?? ''],
  )
  const singleLetters = letters.map((pair): readonly Pair[] => [pair])
  const pairs = singleLetters.flatMap((one, place) => singleLetters.slice(place + 1).map((other) => [...one, ...other]))
  const all = [
    [],
    ...alone,
    ...pairs,
    letters,
    [...letters, ...span],
    ...singleLetters.map((one) => [...one, ...span]),
    span,
    [...span, ['page', (turn: number) => String(Math.floor(size / 30) - turn)] as const],
    [['page', (turn: number) => String(2 + turn)] as const],
    [['past', '1'] as const],
    [['past', '1'] as const, ['page', (turn: number) => String(1000 + turn)] as const],
  ]
  return [
    ...views.flatMap((view) => all.map((query) => page(view, query))),
    ...views.map((view) => page(`/fr${view}`)),
    page('/fr/events/', letters),
    ...[`${YEARS.first}-01`, `${YEARS.last}-12`, '1900-01', '9999-12'].map((month) => page(`/events/month/${month}/`)),
    ...['/events/category/term-1/', '/events/category/term-1/month/', '/events/category/term-1/map/'].map((path) =>
      page(path),
    ),
    ...['/tag/term-61/', '/events/tag/term-61/month/', '/venue/place-1/', '/organizer/place-2001/'].map((path) =>
      page(path),
    ),
    ...['/event/event-1/', '/event/event-9/', '/fr/event/event-9/', '/event/event-1/embed/'].map((path) => page(path)),
    ...['/event/event-1/ical/', '/event/nothing/', '/events/list/', '/events/photo/', '/events/week/'].map((path) =>
      page(path),
    ),
    ...['/', '/fr/', '/nothing/', '/events/category/nothing/'].map((path) => page(path)),
    page('/', [['p', (turn) => String(COUNTS.venues + COUNTS.organizers + 1 + turn)]]),
  ]
}

function files({ size }: Calendar): readonly Kind[] {
  const sitemaps = Math.ceil((size + COUNTS.venues + COUNTS.organizers) / idsPerFile)
  return [
    ...['/events/ical/', '/events/feed/', '/events/feed/atom/', '/tag/term-61/ical/'].map((path) => page(path)),
    ...['/robots.txt', '/sitemap.xml', '/sitemap-1.xml', '/sitemap-2.xml', `/sitemap-${sitemaps}.xml`].map((path) =>
      page(path),
    ),
    ...['/embed.js', '/docs', '/docs/openapi.json', '/docs/service.json', '/fr/docs', '/cal'].map((path) => page(path)),
    ...['/health/live', '/health/ready', '/metrics', '/assets/nothing.css', '/uploads/nothing.jpg'].map((path) =>
      page(path),
    ),
    // What the script on other sites asks for.
    page(`${api}/events`, [
      ['start_date', `${year}-06-01`],
      ['end_date', `${year}-06-30 23:59:59`],
      ['per_page', '50'],
      ['page', '5'],
    ]),
  ]
}

/** Feeds of other events in each turn, so that the entries of few of them were written before. */
function unknownFeeds({ size }: Calendar): readonly Kind[] {
  const perPage = 1000
  const pages = Math.max(1, Math.floor(size / perPage))
  return ['ics', 'csv', 'rss'].map((format) =>
    page(`${api}/events.${format}`, [
      ...allYears,
      ['per_page', String(format === 'rss' ? perPage / 2 : perPage)],
      ['page', (turn) => String(1 + ((turn * 7) % pages))],
    ]),
  )
}

/** Large answers, compressed. */
function codedAnswers(): readonly Kind[] {
  const large: readonly Kind[] = [
    page(`${api}/events`, [['per_page', '50']]),
    page(`${api}/events.ics`),
    page(`${api}/events.csv`),
    page(`${api}/events.rss`, [['per_page', '500']]),
    page('/events/'),
    page('/sitemap-2.xml'),
    page(`${api}/doc`),
  ]
  return large.flatMap((kind) =>
    ['gzip', 'br', 'zstd'].map((coding): Kind => ({ ...kind, headers: { 'accept-encoding': coding } })),
  )
}

/** Texts of a body at the limits of texts and of bodies. */
const heavyTexts: readonly string[] = [
  ...[marks(10_000), marks(240_000), 'ﷺ'.repeat(21_000), 'ab '.repeat(21_000), 'ab '.repeat(330_000)],
  ...['<b>'.repeat(21_000), '&'.repeat(65_000), '1,'.repeat(32_000), 'a'.repeat(2000)],
]

function bodies({ firstEvent }: Calendar): readonly Kind[] {
  const ids = Array.from({ length: 1000 }, (_, place) => firstEvent + place)
  const lists = ['/events', '/tags']
  const read: readonly object[] = [
    ...heavyTexts.map((search) => ({ search })),
    ...heavyTexts.slice(0, 3).map((text) => ({ categories: text, slug: text })),
    { include: ids },
    { venue: Array(100_000).fill(1) },
    { include: Array(100_000).fill(firstEvent) },
    { _fields: 'a.b,'.repeat(16_000) },
    Object.fromEntries(Array.from({ length: 20_000 }, (_, place) => [`k${place}`, place])),
    JSON.parse(`${'[{"a":'.repeat(400)}1${'}]'.repeat(400)}`) as object,
  ]
  const written: readonly object[] = [
    ...heavyTexts.map((text) => ({ title: text, description: text })),
    { title: 'x', venue: Array(1000).fill({ venue: 'x' }), start_date: '2030-01-01', end_date: '2030-01-02' },
  ]
  const overridden = { 'x-http-method-override': 'GET' }
  return CALLERS.flatMap((caller): readonly Kind[] => [
    ...lists.flatMap((list) => read.map((body): Kind => ({ ...page(`${api}${list}`), caller, body }))),
    ...read.map((body): Kind => ({ ...page(`${api}/events`), caller, method: 'POST', headers: overridden, body })),
    // Visitors are refused; whether before or after the body is read is what is measured.
    ...(caller === 'visitor'
      ? ['/events', '/venues', `/events/${firstEvent}`].flatMap((path) =>
          written.map((body): Kind => ({ ...page(`${api}${path}`), method: 'POST', body })),
        )
      : []),
  ])
}
