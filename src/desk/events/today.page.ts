import { mayCreate } from '../../access/auth/policy.ts'
import { contentLanguageOf } from '../../base/languages/language.ts'
import { type Html, html } from '../../base/text/html.ts'
import { EVENT_CHECKS } from '../../calendar/events/list/rows.arguments.ts'
import { actorOf, type DeskPage, linkTo, type OwnCall } from '../shell/desk.call.ts'
import { readRows, rowIn } from './event.rows.ts'
import { eventList } from './event.table.ts'
import { distinctLanguages, languageName } from './language.names.ts'
import { dayFromNow } from './table.days.ts'
import { listQuery, pageQuery, type TableFilters, tableAddress } from './table.filters.ts'

const most = 5
const maxMissing = 3

/** A short list, with a link to the table that shows the same events. */
interface Part {
  readonly id: string
  readonly title: string
  readonly filters: TableFilters
  readonly most: number
}

/** Returns a part; undefined if it is empty. */
async function partOf(call: OwnCall, { id, title, filters, most: perPage }: Part): Promise<Html | undefined> {
  const { say, config, textLanguage } = call
  const query = { ...listQuery(config, filters), ...pageQuery(filters), per_page: perPage }
  const found = await readRows(call, query)
  if (found.events.length === 0) return undefined
  const language = filters.lang ?? contentLanguageOf(config, textLanguage)
  const link = linkTo(call, tableAddress(filters))
  return html`<section class="panel" aria-labelledby="${id}">
<h2 id="${id}">${title} <span class="number">${found.total}</span></h2>
${eventList(
  call,
  found.events.map((row) => rowIn(row, language)),
)}
<p><a href="${link}">${say('today.all', { count: found.total })}<span class="unseen"> – ${title}</span></a></p>
</section>`
}

/** The start page: events in review, the next events, and the gaps in them. */
export async function todayPage(call: OwnCall): Promise<DeskPage> {
  const { say, me } = call
  const page = { kind: 'page', section: 'today', title: say('today.title') } as const
  if (!mayCreate(actorOf(me))) {
    const title = say('subscriber.title', { name: me.user.name })
    return { ...page, main: html`<h1>${title}</h1><p>${say('subscriber.text')}</p>` }
  }
  const from = dayFromNow(call)
  const work: readonly Part[] = [
    { id: 'review', title: say('today.review'), filters: { status: 'pending' }, most },
    { id: 'week', title: say('today.week'), filters: { status: 'publish', from, to: dayFromNow(call, 7) }, most },
    { id: 'drafts', title: say('today.drafts'), filters: { status: 'draft' }, most },
    { id: 'changed', title: say('today.changed'), filters: { status: 'any', sort: 'modified' }, most },
  ]
  const distinct = distinctLanguages(call)
  const languages = distinct.length > 1 ? distinct : []
  const missing: readonly Part[] = [
    ...languages.map(
      (one): Part => ({
        id: `without-${one}`,
        title: say('today.without-language', { language: languageName(call, one) }),
        filters: { status: 'any', from, without: one },
        most: maxMissing,
      }),
    ),
    ...EVENT_CHECKS.map(
      (check): Part => ({
        ...{ id: check, title: say(`today.${check}`), filters: { status: 'any', from, check }, most: maxMissing },
      }),
    ),
  ]
  const [working, lacking] = await Promise.all([
    Promise.all(work.map((part) => partOf(call, part))),
    Promise.all(missing.map((part) => partOf(call, part))),
  ])
  const found = lacking.filter((part) => part !== undefined)
  return {
    ...page,
    main: html`<h1>${say('today.title')}</h1>
<div class="panels pairs">${working.map((part, place) => part ?? emptyPart(call, work[place]))}</div>
<section aria-labelledby="missing">
<h2 id="missing">${say('today.missing')}</h2>
${found.length === 0 ? html`<p class="hint">${say('today.fine')}</p>` : html`<p class="hint">${say('today.missing.hint')}</p><div class="panels tight">${found}</div>`}
</section>`,
  }
}

function emptyPart({ say }: OwnCall, part: Part | undefined): Html | undefined {
  if (!part) return undefined
  return html`<section class="panel" aria-labelledby="${part.id}"><h2 id="${part.id}">${part.title}</h2><p class="hint">${say('today.none')}</p></section>`
}
