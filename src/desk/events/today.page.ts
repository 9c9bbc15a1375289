import { mayCreate } from '../../access/auth/policy.ts'
import { contentLanguageOf, DEFAULT_TEXT_LANGUAGE } from '../../base/languages/language.ts'
import { localDateTimeAt } from '../../base/time/zone.ts'
import { html } from '../../publish/pages/html.ts'
import { actorOf, type DeskPage, linkTo, type OwnCall, withParameters } from '../shell/desk.call.ts'
import type { EventListJson } from './event.json.ts'
import { eventList, rowsOf } from './event.table.ts'

const daySeconds = 86_400
const most = 5

/** The first and the last day that lists can name. */
export const everyDay = { start_date: '0001-01-01 00:00:00', end_date: '9999-12-31 23:59:59' }

/** Returns the day of the site that is this number of days from now: `2030-01-15`. */
export function dayFromNow({ now, config }: Pick<OwnCall, 'now' | 'config'>, days = 0): string {
  return localDateTimeAt(now + days * daySeconds, config.siteZone).slice(0, 10)
}

async function part(call: OwnCall, name: 'review' | 'drafts' | 'week', query: Readonly<Record<string, string>>) {
  const { say, api, config, textLanguage } = call
  // Without a language, the list has the events of all languages.
  const { body } = await api.events<EventListJson>({
    ...{ path: '/events', textLanguage: DEFAULT_TEXT_LANGUAGE, query: { ...query, per_page: most } },
  })
  const rows = await rowsOf(call, body, contentLanguageOf(config, textLanguage))
  const { status, start_date: start, end_date: end } = query
  const from = name === 'week' ? (start ?? '').slice(0, 10) : ''
  const to = name === 'week' ? (end ?? '').slice(0, 10) : undefined
  const all = withParameters('/admin/events/', { status, from, to })
  return html`<section class="panel" aria-labelledby="${name}">
<h2 id="${name}">${say(`today.${name}`)}</h2>
${
  rows.length === 0
    ? html`<p class="hint">${say('today.none')}</p>`
    : eventList(
        call,
        rows.map(({ event }) => event),
      )
}
${rows.length > 0 && html`<p><a href="${linkTo(call, all)}">${say('today.all', { count: body.total })}</a></p>`}
</section>`
}

/** The start page: events in review, drafts, and the next seven days. */
export async function todayPage(call: OwnCall): Promise<DeskPage> {
  const { say, me } = call
  const page = { kind: 'page', section: 'today', title: say('today.title') } as const
  if (!mayCreate(actorOf(me))) {
    const title = say('subscriber.title', { name: me.user.name })
    return { ...page, main: html`<h1>${title}</h1><p>${say('subscriber.text')}</p>` }
  }
  const week = { start_date: `${dayFromNow(call)} 00:00:00`, end_date: `${dayFromNow(call, 7)} 23:59:59` }
  const parts = await Promise.all([
    part(call, 'review', { ...everyDay, status: 'pending' }),
    part(call, 'drafts', { ...everyDay, status: 'draft' }),
    part(call, 'week', { ...week, status: 'publish' }),
  ])
  return { ...page, main: html`<h1>${say('today.title')}</h1><div class="panels">${parts}</div>` }
}
