import { decodeHTML } from 'entities'
import { mayPublish } from '../../access/auth/policy.ts'
import { html } from '../../base/text/html.ts'
import { localDateTimeAt } from '../../base/time/zone.ts'
import { isNoDate } from '../../calendar/events/model/event.ts'
import type { EventArgument } from '../../calendar/events/model/fields.derived.ts'
import { AVAILABILITIES } from '../../calendar/events/model/offers.ts'
import { ATTENDANCES, EVENT_STATUSES } from '../../calendar/events/model/state.ts'
import { richArea } from '../rich/rich.field.ts'
import { actorOf } from '../shell/desk.call.ts'
import { instantText } from '../shell/desk.dates.ts'
import {
  type AbsentField,
  absentField,
  addressField,
  areaField,
  boxField,
  choiceField,
  type DeskField,
  lineField,
  linksIn,
  momentField,
  sentIn,
  textField,
} from './desk.field.ts'
import { sentMoment, shownMoment, timeParameters, writeEnd } from './editor.dates.ts'
import type { Sending, ShownIn } from './editor.model.ts'
import { linkOf, organizerLinks, tagsIn } from './editor.named.ts'
import { offerRows, offersIn, offersOf, offersText } from './editor.offers.ts'
import { type EventJson, type LinkedJson, listOf, nameOf, statusOf } from './event.json.ts'
import { repeatSelect } from './repeat.panel.ts'
import { noRepeat, type RepeatField } from './repeat.rule.ts'
import { daysIn } from './repeat.values.ts'
import { categoryBoxes, choicesOf, linkField, withChoice } from './table.choices.ts'

// Every field of an event at the desk. The editor, the history, the copy, the conflict and the save come from this table.
// An argument of events that has no entry does not compile.

/** Fields of the form that belong to other arguments. */
type OwnName = 'hold' | 'venue_city' | 'alt' | 'decorative' | 'visibility' | 'no_password' | RepeatField

/** Titles are stored as HTML. An ampersand that begins no entity is shown as it was typed. */
const plainTitle = (value: unknown) => String(value ?? '').replace(/&amp;(?!#?\w+;)/g, '&')
const idsOf = (linked: LinkedJson) => listOf(linked).map(({ id }) => id)
const linkNames = (linked: LinkedJson) => listOf(linked).map(nameOf).join(' + ')
const mayMakePublic = ({ call }: Pick<ShownIn, 'call'>) => mayPublish(actorOf(call.me))

const times = ['start', 'end', 'all_day', 'timezone']
const timesOf = ({ values: { start = '', end = '', all_day: allDay } }: Sending['state']) =>
  timeParameters({ start, end, isAllDay: allDay === '1' })
/** Returns the start or the end of an event as forms have it; '' if it has no date yet. */
const momentOf = (event: EventJson, name: 'start_date' | 'end_date') =>
  isNoDate(event[name]) ? '' : event.all_day ? event[name].slice(0, 10) : shownMoment(event[name])
/** Times are sent together. A copy has times of its own. */
const time = { part: 'pair', group: 'times', sentWith: times, copied: 'no' } as const
const required = { autocomplete: 'off', isRequired: true, maxLength: 100 }

/** A field that says something about others. */
const ofOthers = { send: 'no', copied: 'no', isRestored: false, read: () => '' } as const

function idsInOrder(ids: readonly string[]): string {
  return ids.toSorted((one, other) => Number(one) - Number(other)).join(',')
}

export const deskFields = {
  title: textField('editor.title', {
    ...{ panel: 'titles', isProse: true, headings: 'rows.headings.title' },
    read: ({ source }) => plainTitle(source.title),
  }),
  excerpt: areaField('editor.excerpt', 2, {
    ...{ isProse: true, hint: 'editor.excerpt.hint', links: linksIn, headings: 'rows.headings.excerpt' },
    read: ({ source }) => source.excerpt.replaceAll('\r\n', '\n'),
  }),
  description: areaField('editor.description', 9, {
    ...{ isProse: true, hint: 'editor.description.hint', links: linksIn, headings: 'rows.headings.description' },
    control: (options) => richArea({ ...options, rows: 9 }),
    read: ({ source }) => source.description.replaceAll('\r\n', '\n'),
  }),
  // An address cannot be emptied: a new one follows from the title only once.
  slug: textField('editor.slug', {
    ...{ part: 'more', hint: 'editor.slug.hint', attributes: { autocomplete: 'off' }, copied: 'no', headings: 'no' },
    jsonOf: (value) => value || undefined,
  }),
  event_status_reason: textField('editor.reason', {
    ...{ part: 'more', hint: 'editor.reason.hint', attributes: { maxLength: 1000 }, copied: 'no', textOf: plainTitle },
    headings: 'rows.headings.event_status_reason',
    send: (value, { state }) => (state.values.event_status === 'scheduled' ? undefined : value),
    sentWith: ['event_status_reason', 'event_status'],
  }),
  hold: boxField('texts', 'editor.hold', {
    ...{ ...ofOthers, isText: true, part: 'more', isShown: ({ from }) => from !== undefined },
    read: ({ source, mainStatus }) => (source.status === 'draft' && mainStatus !== 'draft' ? '1' : ''),
  }),
  start_date: momentField('when', 'editor.start', {
    ...{ ...time, name: 'start', hint: 'editor.start.hint', attributes: required },
    read: ({ event }) => momentOf(event, 'start_date'),
    send: (_, { state }) => timesOf(state).start_date,
  }),
  end_date: momentField('when', 'editor.end', {
    ...{ ...time, name: 'end', hint: 'editor.end.hint' },
    read: ({ event }) => momentOf(event, 'end_date'),
    written: (end, { textLanguage }, { start = '' }) => writeEnd(textLanguage, end, start),
    send: (_, { state }) => timesOf(state).end_date,
  }),
  all_day: boxField('when', 'editor.all-day', { ...time, part: 'line', copied: ({ event }) => event.all_day === true }),
  timezone: lineField('when', 'editor.timezone', {
    ...{ ...time, part: 'line', attributes: { isRequired: true }, copied: ({ event }) => event.timezone },
  }),
  venue: lineField('where', 'editor.venue', {
    ...{ part: 'pair', group: 'venue', attributes: { autocomplete: 'off' }, isOpaque: true, isRestored: false },
    control: (options, { call }) => linkField(call, 'venues', options),
    read: ({ event }) => linkNames(event.venue),
    send: (_, { venue, status }) => (venue ? linkOf(venue, 'venue', status) : []),
    sentWith: ['venue', 'venue_city'],
    copied: ({ event }) => idsOf(event.venue),
  }),
  venue_city: lineField('where', 'editor.venue-city', {
    ...{
      part: 'pair',
      group: 'venue',
      hint: 'editor.venue-city.hint',
      attributes: { autocomplete: 'off' },
      ...ofOthers,
    },
  }),
  organizer: lineField('where', 'editor.organizer', {
    ...{ part: 'pair', attributes: { autocomplete: 'off' }, isOpaque: true, isRestored: false },
    control: (options, { call }) => linkField(call, 'organizers', options),
    read: ({ event }) => linkNames(event.organizer),
    send: organizerLinks,
    copied: ({ event }) => idsOf(event.organizer),
  }),
  image: lineField('picture', 'editor.image', {
    ...{ group: 'image', isOpaque: true, headings: 'rows.headings.image' },
    read: ({ event: { image } }) => (image === false ? '' : String(image.id)),
  }),
  alt: textField('editor.alt', { panel: 'picture', group: 'image', ...ofOthers }),
  decorative: boxField('picture', 'editor.decorative', { group: 'image', ...ofOthers }),
  cost: lineField('price', 'editor.cost', {
    ...{ hint: 'editor.cost.hint', headings: 'rows.headings.cost' },
    textOf: (value) => (Array.isArray(value) ? value.map(String).join(' – ') : ''),
    read: ({ source }) => source.cost.join(' – '),
  }),
  website: addressField('price', 'editor.website', {
    headings: 'rows.headings.website',
    // An event without a website shows its own page.
    read: ({ event: { website, url } }) => (website === url ? '' : decodeHTML(website)),
  }),
  availability: choiceField('tickets', 'editor.availability', {
    words: ['', ...AVAILABILITIES],
    part: 'pair',
    key: (word) => (word === '' ? 'editor.availability.none' : `editor.${word}`),
  }),
  capacity: lineField('tickets', 'editor.capacity', {
    ...{ part: 'pair', attributes: { maxLength: 9 }, jsonOf: (value) => (value === '' ? null : value) },
  }),
  offers: lineField('tickets', 'editor.offers', {
    control: ({ value = '', fault, note }, { call }) =>
      html`<div id="f-offers">${offerRows(call, value)}${fault && html`<p class="fault">${fault}</p>`}${note}</div>`,
    typed: (form, name, was) => offersIn(form) ?? sentIn(form, name) ?? was,
    ...{ textOf: offersText, jsonOf: offersOf, links: (value) => offersOf(value).map(({ url = '' }) => url) },
    shown: (value, { call: { say } }) =>
      offersOf(value)
        .map((offer) => Object.values(offer).join(' '))
        .join('\n') || say('editor.conflict.empty'),
  }),
  categories: lineField('terms', 'editor.categories', {
    isRestored: false,
    control: async ({ value = '', note }, { call, state: { read = [] } }) => {
      const chosen = value.split(',').filter(Boolean)
      const own = read.flatMap(({ event }) => event.categories)
      const nameOfId = (id: string) => own.filter((one) => String(one.id) === id).map(nameOf)[0]
      const terms = chosen.reduce((all, id) => withChoice(all, id, nameOfId(id)), await choicesOf(call, 'categories'))
      return html`${categoryBoxes(call, terms, chosen)}${terms.length > 0 && note}`
    },
    typed: (form, name) => idsInOrder(form.all(name).filter((id) => /^\d{1,15}$/.test(id))),
    read: ({ event }) => idsInOrder(event.categories.map(({ id }) => String(id))),
    jsonOf: (value) => value.split(',').filter(Boolean).map(Number),
    shown: (value, { call: { say }, names }) =>
      value === ''
        ? say('editor.conflict.empty')
        : value
            .split(',')
            .map((id) => names?.terms.get(id) ?? `#${id}`)
            .join(', '),
  }),
  tags: lineField('terms', 'editor.tags', {
    ...{ hint: 'editor.tags.hint', isRestored: false },
    read: ({ event }) => event.tags.map(nameOf).join(', '),
    send: tagsIn,
    copied: ({ event }) => idsOf(event.tags),
  }),
  event_status: choiceField('state', 'editor.event-status', {
    words: EVENT_STATUSES,
    key: (word) => `editor.status.${word}`,
    ...{ hint: 'editor.event-status.hint', copied: 'no', headings: 'rows.headings.event_status' },
  }),
  attendance: choiceField('state', 'editor.attendance', {
    words: ATTENDANCES,
    key: (word) => `editor.attendance.${word}`,
    headings: 'rows.headings.attendance',
  }),
  virtual_url: addressField('state', 'editor.virtual-url'),
  visibility: choiceField('publication', 'editor.visibility', {
    ...ofOthers,
    words: ['public', 'private'],
    key: (word) => `editor.visibility.${word}`,
    isShown: mayMakePublic,
    read: ({ source }) => (source.status === 'private' ? 'private' : 'public'),
  }),
  date: momentField('publication', 'editor.date', {
    ...{ hint: 'editor.date.hint', copied: 'no', isRestored: false },
    isShown: ({ call, state }) => mayMakePublic({ call }) && state.status !== 'publish',
    read: ({ source, event }) => (source.status === 'future' ? shownMoment(event.date) : ''),
    send: (value, { call: { now, config } }) => (value ? sentMoment(value) : localDateTimeAt(now, config.siteZone)),
  }),
  hide_from_listings: boxField('publication', 'editor.unlisted'),
  featured: boxField('publication', 'editor.featured'),
  sticky: boxField('publication', 'editor.sticky'),
  event_password: lineField('publication', 'editor.password', {
    ...{ hint: 'editor.password.hint', attributes: { autocomplete: 'off', maxLength: 255 } },
    ...{ pastLabel: 'editor.history.password', isOpaque: true, isRestored: false, read: () => '' },
    send: (value, { state: { values } }) => value || (values.no_password === '1' ? '' : undefined),
    sentWith: ['event_password', 'no_password'],
    // Nobody can read the password of the original, if it has one.
    copied: ({ source }) => ({ of: source.id }),
    shown: (value, { call: { say } }) => say(value === '' ? 'editor.conflict.empty' : 'editor.history.opaque'),
  }),
  no_password: boxField('publication', 'editor.no-password', {
    ...{ ...ofOthers, isShown: ({ state }) => state.id !== undefined },
  }),
  repeat: lineField('when', 'repeat.label', {
    ...{ ...ofOthers, part: 'pair' },
    control: (options, { call, state }) => repeatSelect(call, state, options),
  }),
  repeat_interval: lineField('repeat', 'repeat.interval', { ...ofOthers, blank: noRepeat.repeat_interval }),
  repeat_unit: lineField('repeat', 'repeat.unit', { ...ofOthers, blank: noRepeat.repeat_unit }),
  repeat_days: lineField('repeat', 'repeat.days', { ...ofOthers, typed: daysIn }),
  repeat_nth: lineField('repeat', 'repeat.nth', ofOthers),
  repeat_month_day: lineField('repeat', 'repeat.month-day', ofOthers),
  repeat_rule: lineField('repeat', 'repeat.rule.label', ofOthers),
  repeat_ends: lineField('repeat', 'repeat.ends', { ...ofOthers, blank: noRepeat.repeat_ends }),
  repeat_until: momentField('repeat', 'repeat.until', ofOthers),
  repeat_count: lineField('repeat', 'repeat.count', ofOthers),
  repeat_except: momentField('repeat', 'repeat.except', ofOthers),
  repeat_dates: momentField('repeat', 'repeat.more', ofOthers),
  author: absentField({ pastLabel: 'editor.history.author', isOpaque: true }),
  status: absentField({
    pastLabel: 'editor.history.status',
    shown: (status, { call: { say } }) => say(`status.${statusOf({ status })}`),
  }),
  date_utc: absentField({
    pastLabel: 'editor.date',
    shown: (value, { call: { textLanguage, config } }) => instantText(textLanguage, value, config.siteZone.id),
  }),
  show_map: absentField({ isCopied: true }),
  show_map_link: absentField({ isCopied: true }),
  virtual_video_source: absentField({ isCopied: true }),
  virtual_access: absentField({ isCopied: true }),
  // Other names of the attendance.
  is_virtual: absentField(),
  virtual_event_type: absentField(),
} satisfies Readonly<Record<EventArgument | OwnName, DeskField | AbsentField>>
