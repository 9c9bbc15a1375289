import { mayCreate, mayManageUsers } from '../../access/auth/policy.ts'
import { contentLanguageOf } from '../../base/languages/language.ts'
import { type Html, html } from '../../base/text/html.ts'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import { localDateTimeAt } from '../../base/time/zone.ts'
import { EVENT_CHECKS } from '../../calendar/events/list/rows.arguments.ts'
import { failureText } from '../../exchange/calendars/subscription.ts'
import { dateLine, dateText } from '../../publish/pages/date.texts.ts'
import { actorOf, type DeskPage, linkTo, type OwnCall } from '../shell/desk.call.ts'
import { actionButton } from '../shell/fields.ts'
import { isPublic, nameOf, statusOf, titleLink } from './event.json.ts'
import { type RowJson, readRows, rowIn } from './event.rows.ts'
import { approveButton, eventList } from './event.table.ts'
import { distinctLanguages, languageName } from './language.names.ts'
import { dayFromNow } from './table.days.ts'
import { listQuery, pageQuery, type TableFilters, tableAddress } from './table.filters.ts'
import { type CheckedLinks, checkEventLinks } from './today.links.ts'

/** A short list, with a link to the table that shows the same events. */
interface Part {
  readonly id: string
  readonly title: string
  readonly filters: TableFilters
}

/** The most events whose links are checked at once. */
const maxChecked = 100

/** Reads the first events of a part, each in the language of the page if it exists in it. */
async function readPart(call: OwnCall, { filters }: Part, most: number) {
  const { config, textLanguage } = call
  const found = await readRows(call, { ...listQuery(config, filters), ...pageQuery(filters), per_page: most })
  const language = filters.lang ?? contentLanguageOf(config, textLanguage)
  return { total: found.total, rows: found.events.map((row) => rowIn(row, language)) }
}

interface Listed {
  readonly most: number
  /** Default: each event with its days. */
  readonly list?: (call: OwnCall, rows: readonly RowJson[]) => Html
}

/** Returns events, those that wait for review with the button that publishes them. */
function approvableList(call: OwnCall, rows: readonly RowJson[]): Html {
  return eventList(call, rows, (row) =>
    approveButton(call, row, { back: 'status=pending', series: row.series?.id, at: 'today' }),
  )
}

/** Returns a part; nothing if it is empty. */
async function partOf(call: OwnCall, part: Part, { most, list = approvableList }: Listed): Promise<Html | false> {
  const { id, title, filters } = part
  const { total, rows } = await readPart(call, part, most)
  if (total === 0) return false
  return html`<section class="panel" aria-labelledby="${id}">
<h2 id="${id}">${title} <span class="number">${total}</span></h2>
${list(call, rows)}
${total > rows.length && html`<p><a href="${linkTo(call, tableAddress(filters))}">${call.say('today.all', { count: total })}<span class="unseen"> – ${title}</span></a></p>`}
</section>`
}

/** Returns what the next events lack: a line for each gap, which leads to the events that have it. */
async function gapsPart(call: OwnCall, from: string): Promise<Html> {
  const { say } = call
  const distinct = distinctLanguages(call)
  const languages = (distinct.length > 1 ? distinct : []).map((one): Part => {
    const title = say('today.without-language', { language: languageName(call, one) })
    return { id: `without-${one}`, title, filters: { status: 'any', from, without: one } }
  })
  const checks = EVENT_CHECKS.map(
    (check): Part => ({ id: check, title: say(`today.${check}`), filters: { status: 'any', from, check } }),
  )
  const parts = [...checks, ...languages]
  const counts = await Promise.all(parts.map(async (part) => (await readPart(call, part, 1)).total))
  const found = parts.flatMap((part, place) => (counts[place] === 0 ? [] : [{ ...part, count: counts[place] }]))
  return html`<section class="panel" aria-labelledby="missing">
<h2 id="missing">${say('today.missing')}</h2>
<p class="hint">${say(found.length === 0 ? 'today.fine' : 'today.missing.hint')}</p>
${found.length > 0 && html`<ul class="gaps">${found.map(({ title, filters, count }) => html`<li><a href="${linkTo(call, tableAddress(filters))}">${title} <span class="number">${count}</span></a></li>`)}</ul>`}
${actionButton(call, '/admin/', { label: say('today.links') })}
</section>`
}

/** Returns the events whose links do not work; nothing if nobody has asked or all of them work. */
function linksPart(call: OwnCall, checked: CheckedLinks | undefined): Html | false {
  if (!checked || checked.failing.size === 0) return false
  const { failing } = checked
  return html`<section class="panel" aria-labelledby="links">
<h2 id="links">${call.say('today.links.dead')} <span class="number">${failing.size}</span></h2>
${eventList(call, [...failing.keys()], (row) => failing.get(row)?.map((text) => html`<span class="hint">${text}</span>`))}
</section>`
}

/** Returns the subscribed calendars that fail, for those who can fix them; nothing if there is none. */
async function failuresPart(call: OwnCall): Promise<Html | false> {
  const { say, config, textLanguage } = call
  const failing = mayManageUsers(actorOf(call.me)) ? await call.failingSubscriptions() : []
  return (
    failing.length > 0 &&
    html`<section class="panel" aria-labelledby="subscriptions">
<h2 id="subscriptions"><a href="${linkTo(call, '/admin/subscriptions/')}">${say('today.subscriptions')}</a> <span class="number">${failing.length}</span></h2>
<ul class="rows">${failing.map((one) => {
      const date = dateText(textLanguage, 'day', localDateTimeAt(one.since, config.siteZone))
      return html`<li><strong>${one.source}</strong> <span class="hint">${say('today.subscription', { date, reason: failureText(textLanguage, one) })}</span></li>`
    })}</ul>
</section>`
  )
}

/** Returns events by day. One that began before is among those of today. */
function agenda(call: OwnCall, rows: readonly RowJson[]): Html {
  const today = dayFromNow(call)
  const days = Map.groupBy(rows, (row) => (row.start_date.slice(0, 10) < today ? today : row.start_date.slice(0, 10)))
  return html`${[...days].map(
    ([day, own]) =>
      html`<h3>${dateLine(call.textLanguage, 'dayOfYear', `${day} 00:00:00` as LocalDateTime)}</h3>
<ul class="day-rows">${own.map((row) => agendaRow(call, row, day))}</ul>`,
  )}`
}

function agendaRow(call: OwnCall, row: RowJson, day: string): Html {
  const isTimed = row.all_day !== true && row.start_date.startsWith(day)
  const time = isTimed ? dateText(call.textLanguage, 'time', row.start_date as LocalDateTime) : ''
  return html`<li><span class="hint">${time}</span><span>${titleLink(call, row)}${!isPublic(row) && html` <span class="status ${statusOf(row)}">${call.say(`status.${statusOf(row)}`)}</span>`} <span class="hint">${row.venue.map((venue, place) => html`${place > 0 && ', '}${venueLink(call, venue, day)}`)}</span></span></li>`
}

/** Returns a link to all events at a place on a day: what a storm or a burst pipe means. */
function venueLink(call: OwnCall, venue: RowJson['venue'][number], day: string): Html {
  const name = nameOf(venue)
  const address = tableAddress({ status: 'any', from: day, to: day, venue: String(venue.id) })
  return html`<a href="${linkTo(call, address)}" aria-label="${call.say('search.their-events', { name })}, ${dateText(call.textLanguage, 'day', `${day} 00:00:00` as LocalDateTime)}">${name}</a>`
}

/**
 * The start page: what needs a hand, beside the next days.
 *
 * @param isChecking Whether the links of these days are checked before it is shown.
 */
export async function todayPage(call: OwnCall, isChecking = false): Promise<DeskPage> {
  const { say, me } = call
  const page = { kind: 'page', section: 'today', title: say('today.title') } as const
  if (!mayCreate(actorOf(me))) {
    const title = say('subscriber.title', { name: me.user.name })
    return { ...page, main: html`<h1>${title}</h1><p>${say('subscriber.text')}</p>` }
  }
  const from = dayFromNow(call)
  const week: Part = {
    ...{ id: 'week', title: say('today.week') },
    filters: { status: 'publish', from, to: dayFromNow(call, 7) },
  }
  const short = { most: 5 }
  const [failures, checked, review, gaps, drafts, changed, next] = await Promise.all([
    failuresPart(call),
    isChecking ? readPart(call, week, maxChecked).then((part) => checkEventLinks(call, part)) : undefined,
    partOf(call, { id: 'review', title: say('today.review'), filters: { status: 'pending' } }, short),
    gapsPart(call, from),
    partOf(call, { id: 'drafts', title: say('today.drafts'), filters: { status: 'draft' } }, short),
    partOf(call, { id: 'changed', title: say('today.changed'), filters: { status: 'any', sort: 'modified' } }, short),
    partOf(call, week, { most: 14, list: agenda }),
  ])
  return {
    ...{ ...page, ...(checked && { told: { text: checked.notice } }) },
    main: html`<h1>${say('today.title')}</h1>
<div class="start">
<div>${linksPart(call, checked)}${failures}${review}${gaps}${drafts}</div>
${next && html`<div class="next-days">${next}</div>`}
<div>${changed}</div>
</div>`,
  }
}
