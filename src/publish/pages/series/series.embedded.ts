import { findEvent, withLinks } from '../../../calendar/events/event.repository.ts'
import type { LinkedEvent } from '../../../calendar/events/model/event.ts'
import { findEventOfPage } from '../../../calendar/events/read/read.service.ts'
import { recordUrl } from '../../../calendar/records/record.present.ts'
import { absolute } from '../frame/meta.ts'
import type { PageCall, PageRedirect } from '../frame/page.ts'
import { readContextOf } from '../frame/page.ts'
import { findRenamed } from '../record.lookup.ts'
import { findSeries, type SeriesCall, seriesPath } from './series.lookup.ts'
import { findNextDate } from './series.repository.ts'

/**
 * Returns the event that other sites show for an address of ours, with the address of its page. A series is shown by its
 * next date.
 *
 * @param end The slug, or the path of a date of a series.
 */
export async function findEmbedded(
  call: SeriesCall & Pick<PageCall, 'now'>,
  end: string,
): Promise<{ readonly event: LinkedEvent; readonly url: string } | undefined> {
  const { deps, viewer, addresses, now } = call
  const { storage } = deps
  const event = await findEventOfPage(storage, viewer, end)
  if (event) return { event, url: recordUrl(addresses, event) }
  const found = end.includes('/') ? undefined : await findSeries(call, end)
  if (found?.kind !== 'series' || !found.series.shown) return undefined
  const next = await findEvent(storage.db, (await findNextDate(storage.db, found.series, now)) ?? 0)
  const [date] = next ? await withLinks(readContextOf(call), [next]) : []
  return date && { event: date, url: absolute(addresses, seriesPath(found.series)) }
}

/** Returns where the card of an event or a series is that had this slug before; undefined if visitors see none. */
export async function findMovedCard(
  call: SeriesCall & Pick<PageCall, 'search'>,
  end: string,
): Promise<PageRedirect | undefined> {
  const series = end.includes('/') ? undefined : await findSeries(call, end, 'embed/')
  if (series?.kind === 'elsewhere') return series
  return findRenamed(call, { kind: 'event', slug: end, part: 'embed/' }, (id) => findEvent(call.deps.storage.db, id))
}
