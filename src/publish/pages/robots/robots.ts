import { TEXT_LANGUAGE_PATHS } from '../../../base/languages/language.ts'
import { partsOfLocalDateTime } from '../../../base/time/local.date.time.ts'
import { absolute } from '../frame/meta.ts'
import type { PageCall, PlainText } from '../frame/page.ts'
import { today, untilMidnight } from '../list/event.lists.ts'

/** Robots may read the months and days of this many years before and after the current one. */
const yearsBefore = 1
const yearsAfter = 2

/**
 * Answers `/robots.txt` (RFC 9309). Robots may read the interface, feeds and pages (addresses.md). Unbounded addresses
 * are disallowed: searches, distant months and days, views of the map, and methods other than reading ones.
 *
 * The longest matching rule wins. Some robots take the first match instead, so `Allow` rules come first.
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
      ...Object.values(TEXT_LANGUAGE_PATHS).map((language) => `${language}/admin/`),
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
