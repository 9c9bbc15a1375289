import { EVENT_CHECKS } from '../../src/calendar/events/list/rows.arguments.ts'
import { COUNTS } from './dataset.ts'
import { searchedWords } from './texts.ts'

/** What the calendar has besides its events: records that the desk shows on screens of their own. */
export interface DeskRecords {
  readonly series: number
  readonly dateOfSeries: number
  readonly picture: number
  /** An event that was changed several times. */
  readonly changed: number
  /** The address of the second page of the activity. */
  readonly olderActivity: string
}

/** A screen of the desk, with the address of its nth request. */
export interface Screen {
  readonly name: string
  readonly address: (turn: number) => string
}

const firstEvent = COUNTS.venues + COUNTS.organizers + 1
const words = searchedWords()
const wordAt = (turn: number) => encodeURIComponent(words[(turn * 7) % words.length] ?? '')
/** An event of the nth request, in both languages. */
const eventAt = (turn: number) => firstEvent + turn * 90 + 8
/** An event in English only. */
const englishEventAt = (turn: number) => firstEvent + turn * 30
const table = '/admin/events/'

/** All screens of the desk, lists with typical and with the dearest filters, orders and pages. */
export function screensOf({ series, dateOfSeries, picture, changed, olderActivity }: DeskRecords): readonly Screen[] {
  const screen = (name: string, address: string | ((turn: number) => string)): Screen => ({
    name,
    address: typeof address === 'string' ? () => address : address,
  })
  const month = (turn: number) => `2026-${String((turn % 12) + 1).padStart(2, '0')}`
  return [
    screen('today', '/admin/'),
    screen('today, in French', '/fr/admin/'),
    screen('events', table),
    screen('events, page 2', `${table}?page=2`),
    screen('events of all years', `${table}?from=`),
    screen('events of all years, last page', `${table}?from=&page=4000`),
    screen('events of all years, each date', `${table}?from=&each=1`),
    screen('events by title', `${table}?from=&sort=title`),
    screen('events by title, backwards, page 2000', `${table}?from=&sort=title&order=desc&page=2000`),
    screen('events by state', `${table}?from=&sort=status`),
    screen('events by change', `${table}?from=&sort=modified&order=desc`),
    ...['publish', 'draft', 'pending', 'trash'].map((one) => screen(`events: ${one}`, `${table}?from=&status=${one}`)),
    screen('events of a category', (turn) => `${table}?from=&category=${turn + 1}`),
    screen('events at a venue', (turn) => `${table}?from=&venue=${turn + 1}`),
    screen('events of a week', (turn) => `${table}?from=2026-${10 + (turn % 3)}-01&to=2026-${10 + (turn % 3)}-07`),
    screen('events without French', `${table}?without=fr-CA`),
    screen('events without English, all years', `${table}?from=&without=en`),
    screen('events in French', `${table}?from=&lang=fr-CA`),
    ...EVENT_CHECKS.flatMap((one) => [
      screen(`events, check ${one}`, `${table}?check=${one}`),
      screen(`events of all years, check ${one}`, `${table}?from=&check=${one}`),
    ]),
    screen('events with a word', (turn) => `${table}?from=&q=${wordAt(turn)}`),
    screen('events with a letter', (turn) => `${table}?from=&q=${'aesdl'[turn % 5]}`),
    screen('events with everything', (turn) => `${table}?from=&q=${wordAt(turn)}&category=1&venue=1&sort=title`),
    screen('views', '/admin/events/views/'),
    screen('search, a word', (turn) => `/admin/search/?q=${wordAt(turn)}`),
    screen('search, a letter', (turn) => `/admin/search/?q=${'aesdl'[turn % 5]}`),
    screen('search in French', (turn) => `/fr/admin/search/?q=${wordAt(turn)}`),
    screen('calendar, a month', (turn) => `/admin/calendar/?month=${month(turn)}`),
    screen('calendar, a week', (turn) => `/admin/calendar/?week=${month(turn)}-08`),
    screen('calendar, moving', (turn) => `/admin/calendar/${eventAt(turn)}/move/`),
    screen('new event', '/admin/events/new/'),
    screen('editor', (turn) => `/admin/events/${eventAt(turn)}/`),
    screen('editor in French', (turn) => `/fr/admin/events/${eventAt(turn)}/`),
    screen('editor of a date of a series', `/admin/events/${dateOfSeries}/`),
    screen('quick edit', (turn) => `/admin/events/${eventAt(turn)}/quick/`),
    screen('copy', (turn) => `/admin/events/${eventAt(turn)}/copy/`),
    screen('preview', (turn) => `/admin/events/${englishEventAt(turn)}/preview/`),
    screen('history', `/admin/events/${changed}/history/`),
    screen('series', `/admin/series/${series}/`),
    screen('rows', '/admin/events/rows/'),
    ...(['venues', 'organizers'] as const).flatMap((kind) => [
      screen(kind, `/admin/${kind}/`),
      screen(`${kind}, last page`, `/admin/${kind}/?page=${COUNTS[kind] / 25}`),
      screen(`${kind} in use`, `/admin/${kind}/?use=used`),
      screen(`${kind} not in use`, `/admin/${kind}/?use=unused`),
      screen(`${kind} with a word`, (turn) => `/admin/${kind}/?q=${wordAt(turn)}`),
      screen(`${kind}, new`, `/admin/${kind}/new/`),
      screen(`${kind}, one`, (turn) => `/admin/${kind}/${(kind === 'venues' ? 0 : COUNTS.venues) + turn + 1}/`),
    ]),
    screen('merge of a venue, choice', (turn) => `/admin/venues/${turn + 1}/merge/`),
    screen('merge of a venue, words', (turn) => `/admin/venues/${turn + 1}/merge/?q=${wordAt(turn)}`),
    screen('merge of a venue, preview', (turn) => `/admin/venues/${turn + 1}/merge/?into=${turn + 2}`),
    ...['categories', 'tags'].flatMap((kind) => {
      const id = (turn: number) => turn + 1 + (kind === 'tags' ? COUNTS.categories : 0)
      return [
        screen(kind, `/admin/${kind}/`),
        screen(`${kind}, new`, `/admin/${kind}/new/`),
        screen(`${kind}, one`, (turn) => `/admin/${kind}/${id(turn)}/`),
        screen(`${kind}, removal`, (turn) => `/admin/${kind}/${id(turn)}/remove/`),
      ]
    }),
    screen('pictures', '/admin/pictures/'),
    screen('pictures without French', '/admin/pictures/?without=fr-CA'),
    screen('picture, deletion', `/admin/pictures/${picture}/delete/`),
    screen('import', '/admin/import/'),
    ...['events', 'venues', 'organizers'].map((kind) => screen(`trash: ${kind}`, `/admin/trash/?kind=${kind}`)),
    screen('activity', '/admin/activity/'),
    screen('activity of events', '/admin/activity/?kind=event'),
    screen('activity, older', olderActivity),
    screen('users', '/admin/users/'),
    screen('keys', '/admin/account/keys/'),
    screen('account', '/admin/account/'),
    screen('settings', '/admin/settings/'),
  ]
}
