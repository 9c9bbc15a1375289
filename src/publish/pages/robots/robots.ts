import { TEXT_LANGUAGE_PATHS } from '../../../base/languages/language.ts'
import { partsOfLocalDateTime } from '../../../base/time/local.date.time.ts'
import { today, untilMidnight } from '../list/event.lists.ts'
import { absolute } from '../meta.ts'
import type { PageCall, PlainText } from '../page.ts'

/** Years before and after this one whose months and days robots may read. */
const yearsBefore = 1
const yearsAfter = 2

/**
 * `/robots.txt` (RFC 9309): interface, feeds and pages are open to robots (addresses.md). Closed is what has no end: searches,
 * months and days far away, pieces of the map, and other methods than those of reading.
 *
 * The longest rule that fits counts; for robots that take the first one, what is open stands first.
 */
export async function robots(call: PageCall): Promise<PlainText> {
  const { addresses } = call
  const below = new URL(addresses.site).pathname.replace(/\/$/, '')
  const { year } = partsOfLocalDateTime(today(call))
  const years = Array.from({ length: yearsBefore + 1 + yearsAfter }, (_, place) =>
    String(year - yearsBefore + place).padStart(4, '0'),
  )
  const views = Object.values(TEXT_LANGUAGE_PATHS).flatMap((language) =>
    ['/events/', '/events/month/'].map((path) => `${language}${path}`),
  )
  const open = views.flatMap((view) => years.map((near) => `${view}${near}-`))
  const closed = [
    ...[
      '/*?*search=',
      '/*?*_method=',
      ...Object.values(TEXT_LANGUAGE_PATHS).map((language) => `${language}/events/map/*?`),
    ],
    ...views.flatMap((view) => Array.from({ length: 10 }, (_, digit) => `${view}${digit}`)),
  ]
  const lines = [
    'User-agent: *',
    ...open.map((path) => `Allow: ${below}${path}`),
    ...closed.map((path) => `Disallow: ${below}${path}`),
    '',
    `Sitemap: ${absolute(addresses, '/sitemap.xml')}`,
    '',
  ]
  return { kind: 'text', type: 'text/plain; charset=utf-8', text: lines.join('\n'), freshUntil: untilMidnight(call) }
}
