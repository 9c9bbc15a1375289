// The intended differences between our answers and the recorded ones: by pair, with the row that decides it.
import { namespace, type RecordedResponse, readPairs } from './recorded-answer.ts'

export interface Mending {
  /** The row of the contract. */
  readonly by: string
  /** Returns our answer, derived from the recorded one; or the pair does not apply to us. */
  readonly answer: 'not replayed' | ((recorded: RecordedResponse) => RecordedResponse)
}

type Changes = Readonly<Record<string, unknown>>

const notReplayed = (by: string): Mending => ({ by, answer: 'not replayed' })

/**
 * Changes members of the body. Members that the recorded one lacks are inserted before `at`, or at the end; undefined
 * removes one.
 */
function changed(by: string, changes: Changes, at?: string): Mending {
  return { by, answer: (recorded) => withBody(recorded, changes, at) }
}

/** A client error with our own body, instead of a server failure. */
const clientMistake = (by: string, changes: Changes = {}): Mending => ({
  by,
  answer: (recorded) => withBody({ ...recorded, status: 400 }, { data: { status: 400 }, ...changes }),
})

/** A list of other length. */
function counted(by: string, total: number, pages: number, changes: Changes = {}): Mending {
  return {
    by,
    answer: (recorded) => {
      const headers = { ...recorded.headers, 'X-TEC-Total': String(total), 'X-TEC-TotalPages': String(pages) }
      const totals = (recorded.body ?? recorded.body_part) as Changes
      return withBody(
        { ...recorded, headers },
        { total, ...('total_pages' in totals ? { total_pages: pages } : {}), ...changes },
      )
    },
  }
}

/** A list whose own address repeats the sent parameters. */
const linked = (by: string, path: string, more: Changes = {}): Mending =>
  changed(by, { rest_url: `{base}${namespace}${path}`, ...more })

function withBody(recorded: RecordedResponse, changes: Changes, at?: string): RecordedResponse {
  const body = (recorded.body ?? recorded.body_part) as Changes
  const fresh = Object.keys(changes).filter((key) => !(key in body))
  const added = fresh.map((key): [string, unknown] => [key, changes[key]])
  const kept = Object.entries(body).flatMap(([key, value]): [string, unknown][] => {
    const own: [string, unknown][] = key in changes ? [[key, changes[key]]] : [[key, value]]
    return key === at ? [...added, ...own] : own
  })
  const all = at === undefined ? [...kept, ...added] : kept
  const ours = Object.fromEntries(all.filter(([, value]) => value !== undefined))
  return { ...recorded, ...(recorded.body === undefined ? { body_part: ours } : { body: ours }) }
}

const unpublished = { date_utc: '0000-00-00 00:00:00' }
const stays = 'venues-organizers.md §11 rows 3 and 4: an update leaves what it leaves out'
const keptState = { stateprovince: 'ST' }
const venueDraft = { status: 'draft', url: '{site}/?post_type=cal_venue&p=14' }
const termLinks = 'rulings.md 3: links repeat what was sent'
const listLinks = 'rulings.md 4: links carry every filter'

const wholeTerms = 'conventions.md §6 "_fields": _fields of a list leaves its terms whole'

const directory: Readonly<Record<string, Mending>> = {
  'venues-create 6': changed('rulings.md 15: pending ones have a slug', { slug: 'eta-hall' }, 'show_map'),
  'venues-list 2': notReplayed('venues-organizers.md §11 row 21: ties are broken by id'),
  'venues-list 6': linked('events.md §8 row 32: the cap is 100', '/venues/?page=1&per_page=100&status=publish'),
  'venues-list 12': linked(listLinks, '/venues/?page=1&per_page=10&only_with_upcoming=true&status=publish'),
  'venues-list 13': linked(listLinks, '/venues/?page=1&per_page=10&search=montr%C3%A9al&status=publish'),
  'venues-list 14': counted('venues-organizers.md §11 row 13: a search without a match has totals of 0', 0, 0, {
    rest_url: `{base}${namespace}/venues/?page=1&per_page=10&search=zzz&status=publish`,
  }),
  'venues-single 2': {
    by: 'conventions.md §6: a.b keeps b alone',
    answer: (recorded) => {
      const { address } = bodyOf('venues-single', 0).json_ld as Changes
      return withBody(recorded, { json_ld: { address } })
    },
  },
  'venues-update 0': changed(stays, { ...venueDraft, ...unpublished, ...keptState }, 'show_map'),
  'venues-update 1': changed(stays, keptState, 'show_map'),
  'venues-update 2': changed(
    'venues-organizers.md §11 row 5: an empty description empties it',
    { description: undefined, ...keptState },
    'show_map',
  ),
  'venues-update 3': notReplayed('venues-organizers.md §11 row 7: booleans are accepted for flags'),
  'venues-update 9': changed(stays, keptState, 'show_map'),
  'venues-delete 0': changed(stays, keptState, 'show_map'),
  'venues-delete 3': {
    by: stays,
    answer: (recorded) => {
      const address = { '@type': 'PostalAddress', addressRegion: 'ST' }
      const { json_ld } = recorded.body as { readonly json_ld: Changes }
      return withBody(recorded, { ...keptState, json_ld: { ...json_ld, address } }, 'json_ld')
    },
  },
  'venues-delete 4': changed(
    'rulings.md 6: an update without status restores nothing',
    { status: 'trash', url: '{site}/?post_type=cal_venue&p=14', slug: 'upd-hall__trashed', ...keptState },
    'show_map',
  ),
  'venues-delete 7': changed(stays, keptState, 'show_map'),
  'venues-errors 5': notReplayed('venues-organizers.md §11 row 7: booleans are accepted for flags'),
  'venues-errors 11': notReplayed('venues-organizers.md §11 row 7: numbers are accepted for pictures'),
  'venues-image 2': notReplayed('venues-organizers.md §11 row 7: numbers are accepted for pictures'),
  'venues-image 4': {
    by: stays,
    answer: (recorded) => withBody(recorded, { image: bodyOf('venues-image', 3).image, phone: '1' }, 'phone'),
  },
  'organizers-list 2': linked(listLinks, '/organizers/?page=1&per_page=10&search=example.org&status=publish'),
  'organizers-list 5': counted('venues-organizers.md §11 row 10: lists hold what may be read', 4, 1),
  'organizers-update 3': changed(stays, { status: 'draft', url: '{site}/?post_type=cal_organizer&p=23' }),
}

const terms: Readonly<Record<string, Mending>> = {
  'categories-create 8': clientMistake('rulings.md 13: a client’s mistake is 400'),
  'categories-create 9': clientMistake('rulings.md 13: a client’s mistake is 400'),
  'categories-create 11': notReplayed('rulings.md 12: parent 0 is the top level'),
  'categories-create 12': notReplayed('rulings.md 12: an empty description is accepted'),
  'categories-list 0': counted('terms.md §9 row 2: totals count what is listed', 2, 1),
  'categories-list 1': linked(termLinks, '/categories/?per_page=2&hide_empty=false', {
    next_rest_url: `{base}${namespace}/categories/?per_page=2&hide_empty=false&page=2`,
  }),
  'categories-list 2': linked(termLinks, '/categories/?page=9&hide_empty=0', {
    previous_rest_url: `{base}${namespace}/categories/?hide_empty=0&page=8`,
  }),
  'categories-list 3': linked(termLinks, '/categories/?event=29'),
  'categories-list 4': notReplayed(wholeTerms),
  'categories-list 6': linked(termLinks, '/categories/?include=3%2C2&orderby=include&hide_empty=0'),
  'categories-list 8': counted('terms.md §9 row 2: totals count what is listed', 2, 2, {
    rest_url: `{base}${namespace}/categories/?per_page=1`,
    next_rest_url: `{base}${namespace}/categories/?per_page=1&page=2`,
  }),
  'categories-list 9': notReplayed('terms.md §9 row 8: context=edit without the right is 401'),
  'categories-update 1': clientMistake('rulings.md 13: a client’s mistake is 400'),
  'categories-update 2': notReplayed('rulings.md 12: a parent loop is 400'),
  'categories-update 3': notReplayed('rulings.md 12: parent 0 is the top level'),
  'tags-all 1': notReplayed(wholeTerms),
  'tags-all 10': clientMistake('rulings.md 13: a client’s mistake is 400'),
}

const row = (number: number, what: string) => `events.md §8 row ${number}: ${what}`
const details = (symbol: string, position: string, values: readonly string[]) => ({
  currency_symbol: symbol,
  currency_code: '',
  currency_position: position,
  values,
})
const keepsSign = row(18, 'a range keeps its sign')
const range = details('$', 'prefix', ['10', '20'])
const free = changed(row(18, 'a cost of 0 is free'), { cost: 'Free', cost_details: details('', '', ['0']) })
const filters = (names: string) => row(16, `addresses carry ${names}`)
const onJuly1 = `{base}${namespace}/events/?page=1&per_page=50&start_date=2027-07-01+00%3A00%3A00&end_date=2027-07-01+23%3A59%3A59&status=publish`
const strictly = `{base}${namespace}/events/?page=1&per_page=10&start_date=2027-10-10+10%3A00%3A00-04%3A00&end_date=2027-10-10+11%3A00%3A00-04%3A00&status=publish&strict_dates=1`

const events: Readonly<Record<string, Mending>> = {
  'events-create-rich 0': changed(keepsSign, { cost_details: range }),
  'events-create-rich 1': changed(keepsSign, { cost_details: range }),
  'events-text 5': changed('rulings.md 30: scripts go with their content', {
    title: '<b>Bold</b>  &amp; co',
    description: '<p>Hi</p>\n<p><img decoding="async" src="x"></p>',
  }),
  'events-text 11': changed(row(24, 'emoji are optional'), { description: '<p>:) smile</p>' }),
  'events-cost 4': changed(row(18, 'a decimal comma keeps the sign'), {
    cost: '10,50€',
    cost_details: details('€', 'postfix', ['10.50']),
  }),
  'events-cost 8': changed(keepsSign, { cost_details: range }),
  'events-cost 10': free,
  'events-cost 15': changed(keepsSign, { cost: '$5 – $10', cost_details: details('$', 'prefix', ['5', '10']) }),
  'events-cost 19': free,
  'events-create-errors 7': clientMistake('rulings.md 13: a blank title is an invalid parameter', {
    code: 'rest_invalid_param',
    data: { status: 400, params: { title: '…' }, details: [] },
  }),
  'events-create-errors 13': notReplayed(row(4, 'an image is accepted as a number')),
  'events-create-errors 16': notReplayed(row(4, 'a venue is accepted as a list')),
  'events-create-errors 17': notReplayed(row(4, 'an organizer is accepted as an object')),
  'events-create-errors 18': notReplayed(row(17, 'a category is accepted as an object')),
  'events-list-dates 6': counted(row(15, 'both starts count'), 1, 1, { events: [{ title: 'H d11' }] }),
  'events-list-dates 7': counted(row(15, 'both ends count'), 5, 1, {
    events: ['A starts d9 23:59:59', 'B', 'E all day d10', 'C', 'F ends 23:59:59'].map((title) => ({ title })),
  }),
  'events-list-dates 10': counted(row(12, 'an offset is no zone with summer time'), 1, 1, {
    events: [{ title: 'C' }],
    rest_url: `{base}${namespace}/events/?page=1&per_page=50&start_date=2027-06-10+12%3A00%3A00&end_date=2027-06-10+13%3A00%3A00&status=publish&strict_dates=1`,
  }),
  'events-list-paging 5': {
    by: row(32, 'the cap is 100'),
    answer: (recorded) => withBody(recorded, { rest_url: linkOf(recorded).replace('per_page=50', 'per_page=100') }),
  },
  'events-list-errors 7': notReplayed('rulings.md 36: ticketed is a filter of this service'),
  'events-list-filters 0': changed(filters('categories'), { rest_url: `${onJuly1}&categories=music` }),
  'events-list-filters 1': changed(filters('categories'), { rest_url: `${onJuly1}&categories=2%2Crock` }),
  'events-list-filters 2': changed(filters('tags'), { rest_url: `${onJuly1}&tags=kids` }),
  'events-list-filters 6': changed(filters('featured'), { rest_url: `${onJuly1}&featured=0` }),
  'events-list-filters 10': notReplayed('rulings.md 24: any is accepted from who may create'),
  'events-list-filters 17': counted(row(14, 'include shows past events'), 3, 1, {
    events: [...(bodyOf('events-list-filters', 17).events as readonly unknown[]), { title: 'past', date: '{now}' }],
    rest_url: `{base}${namespace}/events/?page=1&per_page=10&status=publish&include=65%2C66%2C64`,
  }),
  'events-create-forms 5': changed(row(9, 'the end is the start'), { utc_end_date: '2027-08-02 10:00:00' }),
  'events-create-forms 10': changed(row(10, 'offsets are fixed'), {
    utc_start_date: '2027-08-01 15:00:00',
    utc_end_date: '2027-08-01 17:00:00',
  }),
  'events-create-forms 13': changed(row(17, 'a known tag is attached'), {
    tags: bodyOf('events-create-forms', 0).tags,
  }),
  'events-create-forms 16': changed('rulings.md 2: modified is the time of the change', { modified: '{now}' }),
  'events-update 1': {
    by: row(1, 'what is left out stays'),
    answer: (recorded) => {
      const { venue, organizer, ...before } = bodyOf('events-update', 0)
      const [first] = organizer as readonly Changes[]
      const linked = { venue: withoutJsonLd(venue as Changes), organizer: [withoutJsonLd(first ?? {})] }
      return withBody(recorded, { ...before, ...linked, title: 'New' })
    },
  },
  'events-update 2': changed(row(1, 'a draft stays one'), { status: 'draft' }),
  'events-update 3': changed(row(2, 'a date alone moves that end'), { start_date: '2027-08-01 11:00:00' }),
  'events-update 5': changed(row(3, 'a venue can be cleared'), { venue: [] }),
  'events-timezones 7': changed(filters('strict_dates'), { rest_url: strictly }),
  'events-timezones 8': changed(filters('strict_dates'), { rest_url: strictly }),
  'events-timezones 10': changed(row(12, 'the start is shifted once'), {
    rest_url: `{base}${namespace}/events/?page=1&per_page=10&start_date=2026-11-20+18%3A59%3A00-05%3A00&end_date=2028-11-20+19%3A46%3A00-05%3A00&status=publish&strict_dates=1`,
  }),
  'events-timezones 11': linked(
    row(14, 'no dates with include'),
    '/events/?page=1&per_page=10&status=publish&include=1',
  ),
}

const protocol: Readonly<Record<string, Mending>> = {
  'auth-errors 1': changed('conventions.md §9 row 9: nobody learns which users exist', { code: 'incorrect_password' }),
  'auth-protocol 2': withLanguage(),
  'auth-protocol 3': withLanguage(),
  'auth-protocol 12': {
    by: 'conventions.md §1: Allow stands on every answer of a known route, around an envelope too',
    answer: (recorded) => ({ ...recorded, headers: { Allow: 'GET' } }),
  },
  'index-doc 0': notReplayed('index-and-doc.md §4 row 1, rulings.md 21: the document is made from the schemas'),
}

export const MENDED: Readonly<Record<string, Mending>> = { ...directory, ...terms, ...events, ...protocol }

function bodyOf(file: string, index: number): Changes {
  const { body, body_part } = readPairs(file)[index]?.response ?? {}
  return (body ?? body_part) as Changes
}

function linkOf({ body, body_part }: RecordedResponse): string {
  return String(((body ?? body_part) as Changes).rest_url)
}

/** A linked venue or organizer in the answer to an update: only reading one event adds `json_ld`. */
function withoutJsonLd({ json_ld: _, ...shown }: Changes): Changes {
  return shown
}

/** The entry of a route in the published interface: with the language parameter at the end of every endpoint. */
function withLanguage(): Mending {
  const language = { type: 'string', description: '…', enum: ['en', 'en-CA', 'fr-CA'], required: false }
  return {
    by: 'languages.md F1: every endpoint takes the language',
    answer: (recorded) => {
      const { endpoints } = recorded.body as { readonly endpoints: readonly { readonly args: Changes }[] }
      const ours = endpoints.map((entry) => ({ ...entry, args: { ...entry.args, ml_language: language } }))
      return withBody(recorded, { endpoints: ours })
    },
  }
}
