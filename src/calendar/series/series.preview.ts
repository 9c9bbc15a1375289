import { mayCreate } from '../../access/auth/policy.ts'
import { endpoint } from '../../access/http/route.ts'
import { changedTimes, parseLocalDateTime } from '../events/model/event.changes.ts'
import { timesOf } from '../events/model/event.ts'
import { previewArguments } from './series.arguments.ts'
import { firstSegment } from './series.create.service.ts'
import { presentPreview } from './series.present.ts'
import { expandWithin, recurrenceFrom } from './series.recurrence.ts'

/** Shows the dates that a rule gives, without a series. */
export const previewEndpoint = endpoint({
  methods: ['POST'],
  operation: 'previewSeries',
  summary: 'series.preview',
  about: 'series.preview.about',
  answer: { schema: async () => (await import('./series.schema.ts')).SeriesPreviewSchema },
  problems: ['rest_forbidden', 'series-invalid-rule', 'series-too-many-dates', 'series-no-dates'],
  path: {},
  args: previewArguments,
  isOpenTo: mayCreate,
  handle: async ({ deps, values, addresses }) => {
    const { config } = deps
    const {
      start_date: start,
      end_date: end = start,
      timezone = 'site',
      all_day: isAllDay = false,
      recurrence,
    } = values
    const at = deps.now()
    const zone = timezone === 'site' ? config.siteZone : timezone
    const local = parseLocalDateTime(start, { zone, now: at })
    const first = timesOf({ start: local, end: local, zone, isAllDay })
    const times = changedTimes(first, { end }, { siteZone: config.siteZone, at })
    const segment = firstSegment(times, recurrenceFrom(recurrence, times))
    return { status: 200, body: presentPreview(expandWithin([segment], { config, at }), segment, addresses) }
  },
})
