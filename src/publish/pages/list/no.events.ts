import { contentLanguageOf, isLanguageOf, otherTextLanguages } from '../../../base/languages/language.ts'
import { type Html, html } from '../../../base/text/html.ts'
import { addSeconds, type LocalDateTime } from '../../../base/time/local.date.time.ts'
import type { IndexListPlan } from '../../../calendar/events/list/list.plan.ts'
import { listEvents, listEventsUncounted } from '../../../calendar/events/list/list.repository.ts'
import type { LinkedEvent } from '../../../calendar/events/model/event.ts'
import { recordUrl } from '../../../calendar/records/record.present.ts'
import { dateText } from '../date.texts.ts'
import { cardTitle } from '../event/event.card.ts'
import { maxReadForNext } from '../event/event.rows.ts'
import { isOff } from '../event/event.states.ts'
import { type PageCall, readContextOf } from '../frame/page.ts'
import { inLanguage, pathOf } from '../page.addresses.ts'
import { planFiltered, plannedFor, upcomingBounds } from './event.lists.ts'
import type { PageFilters } from './filters.ts'

interface EmptyList {
  /** The text if no filter is active. */
  readonly text: string
  /** The first and the last second of its days. */
  readonly days: { readonly first: LocalDateTime; readonly last: LocalDateTime }
  /** The plan of its filters; undefined if no event matches them. */
  readonly plan: IndexListPlan | undefined
}

/**
 * Returns a message that these days have no events, and names the next event: one that matches the filters after these
 * days, or else any from the first of these days on.
 */
export async function noEventsUntil(
  call: PageCall,
  filters: PageFilters,
  { text, days, plan }: EmptyList,
): Promise<Html> {
  const { say } = call
  const fitting = plan && (await nextEvent(call, plan, days.last))
  const other =
    fitting === undefined && filters.isActive
      ? await nextEvent(call, await planFiltered(call, {}), addSeconds(days.first, -1))
      : undefined
  const next = fitting ?? other
  return html`<div class="empty"><p>${filters.isActive ? say('nothing-found') : text}</p>
${next ? html`<p><a href="${pathOf(call, recordUrl(call.addresses, next))}">${nextText(call, next, other ? 'nothing.next-unfiltered' : 'nothing.next')}</a></p>` : await eventsElsewhere(call)}</div>`
}

/** If no events are coming in this language, returns how many are in the others of the site, with links to them. */
export async function eventsElsewhere(call: PageCall): Promise<Html> {
  const { deps, say, textLanguage } = call
  const context = readContextOf(call)
  const coming = async (language: PageCall['language']) =>
    plannedFor(await planFiltered({ ...call, language }, {}), { bounds: upcomingBounds(call), perPage: 1 })
  if ((await listEventsUncounted(context, await coming(call.language))).length > 0) return html``
  const names = new Intl.DisplayNames([textLanguage], { type: 'language' })
  const counted = await Promise.all(
    otherTextLanguages(textLanguage).map(async (other) => {
      const language = contentLanguageOf(deps.config, other)
      if (!isLanguageOf(deps.config, language)) return false
      const { total } = await listEvents(context, await coming(language))
      const text = say('nothing.elsewhere', { count: total, language: names.of(other) ?? other })
      return total > 0 && html`<p><a href="${pathOf(call, inLanguage(call, '/events/', other))}">${text}</a></p>`
    }),
  )
  return html`${counted}`
}

function nextText(
  { say, textLanguage }: PageCall,
  event: LinkedEvent,
  key: 'nothing.next' | 'nothing.next-unfiltered',
) {
  return say(key, { title: cardTitle(event), date: dateText(textLanguage, 'day', event.start) })
}

/** Returns the first event that begins after this local time, takes place and is not over. */
async function nextEvent(call: PageCall, plan: IndexListPlan, after: LocalDateTime): Promise<LinkedEvent | undefined> {
  const bounds = [...upcomingBounds(call), { edge: 'start', operator: '>', localDateTime: after } as const]
  const read = await listEventsUncounted(readContextOf(call), plannedFor(plan, { bounds, perPage: maxReadForNext }))
  return read.find((event) => !isOff(event))
}
