import { htmlToText } from '../../../base/text/escape.ts'
import { dayOf } from '../../../base/time/local.date.time.ts'
import type { LinkedEvent } from '../../../calendar/events/model/event.ts'
import { document, filled, thing } from '../../../calendar/records/structured.data.ts'
import { excerptText } from '../event/event.card.ts'
import { eventThing, locationData, schemaContext } from '../event/event.data.ts'
import { withShortText } from '../event/event.list.data.ts'
import { absolute } from '../frame/meta.ts'
import type { PageCall } from '../frame/page.ts'
import { type PageSeries, seriesPath } from './series.lookup.ts'

/** The maximum number of dates in structured data. */
export const maxDescribedDates = 20
/** The maximum length of the dates. Twenty dates with many long names would otherwise take megabytes. */
const maxCharacters = 200_000

/** Returns the series of a date as a part of structured data. */
export function superEventData({ addresses }: PageCall, event: LinkedEvent, series: PageSeries): object {
  const name = htmlToText(series.titleHtml ?? event.titleHtml)
  return thing('EventSeries', { name, url: absolute(addresses, seriesPath(series)) })
}

interface DescribedSeries {
  readonly series: PageSeries
  /** The date whose texts describe the series. */
  readonly event: LinkedEvent
  readonly dates: readonly LinkedEvent[]
  /** Whether there will be more dates. */
  readonly isEndless: boolean
}

/** Returns a series as structured data for search engines, with its next dates. */
export function seriesData(call: PageCall, { series, event, dates, isEndless }: DescribedSeries): object {
  const { shown } = series
  const subEvent: object[] = []
  let characters = 0
  for (const date of dates.slice(0, maxDescribedDates)) {
    const data = eventThing(call, withShortText(date))
    characters += JSON.stringify(data).length
    if (characters > maxCharacters) break
    subEvent.push(data)
  }
  return document(
    schemaContext,
    thing('EventSeries', {
      name: htmlToText(series.titleHtml ?? event.titleHtml),
      ...filled({ description: excerptText(withShortText(event)) }),
      url: absolute(call.addresses, seriesPath(series)),
      inLanguage: series.language,
      startDate: shown && dayOf(shown.first),
      endDate: shown && !isEndless ? dayOf(shown.last) : undefined,
      location: locationData(call, event),
      subEvent,
    }),
  )
}
