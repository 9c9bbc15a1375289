import type { ShownEvent } from '../events/event.ts'
import { recordUrl } from '../records/record.present.ts'
import { textOf } from '../text/escape.ts'
import { dayOf, type Wall } from '../time/wall.ts'
import { dateLine, dateText, lastDayOf } from './dates.ts'
import { countText } from './event.card.ts'
import { today } from './event.lists.ts'
import { type Html, html, raw } from './html.ts'
import type { Day } from './month.days.ts'
import { dayPath, pathOf } from './page.addresses.ts'
import type { PageCall } from './page.ts'

/** More of a title than fits into a cell anyway. */
const longestTitle = 90

/** A day of a month: its number, which leads to the day, and its first events. */
export function dayCell(call: PageCall, day: Day): Html {
  const { say, textLanguage } = call
  const { start, continuing, starting, total, more } = day
  const isToday = start === today(call)
  const path = pathOf(call, dayPath(call, start))
  const full = dateLine(textLanguage, 'dayOfYear', start)
  // On a phone, days on which nothing begins are passed over.
  const kinds = [total === 0 && 'bare', starting.length === 0 && 'quiet', isToday && 'today'].filter(Boolean).join(' ')
  return html`<li${kinds !== '' && html` class="${kinds}"`}>
<a class="day-link" href="${path}"${isToday && raw(' aria-current="date"')}><time datetime="${dayOf(start)}"><span class="number" aria-hidden="true">${Number(start.slice(8, 10))}</span><span class="full">${full}</span></time><span class="unseen">, ${countText(call, total)}</span></a>
${total > 0 && html`<ul>${continuing.map((event) => line(call, event, 'going'))}${starting.map((event) => line(call, event, kindOf(event, start)))}</ul>`}
${more > 0 && html`<a class="more" href="${path}" tabindex="-1">${say('day.more', { count: more })}<span class="unseen">${say('colon')} ${full}</span></a>`}
</li>`
}

function kindOf(event: ShownEvent, day: Wall): string {
  if (event.start < day) return 'going'
  return event.isAllDay || lastDayOf(event) > day ? 'whole' : ''
}

function line(call: PageCall, event: ShownEvent, kind: string): Html {
  const { say, addresses } = call
  const title = textOf(event.titleHtml)
  const shown = title.length > longestTitle ? `${title.slice(0, longestTitle).toWellFormed()}…` : title
  const isFeatured = event.isFeatured && event.passwordDigest === undefined
  const kinds = [kind, isFeatured && 'featured'].filter(Boolean).join(' ')
  return html`<li${kinds !== '' && html` class="${kinds}"`}><a href="${pathOf(call, recordUrl(addresses, event))}">${kind === 'going' ? html`<span class="unseen">${say('continues')} </span>` : timeOf(call, event)}${shown}</a></li>\n`
}

function timeOf({ textLanguage }: PageCall, event: ShownEvent): Html | false {
  if (event.isAllDay) return false
  return html`<span class="time">${dateText(textLanguage, 'time', event.start)}</span> `
}
