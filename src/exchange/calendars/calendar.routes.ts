import { sharerOf } from '../../access/auth/actor.ts'
import { mayCreate } from '../../access/auth/policy.ts'
import type { Arguments } from '../../access/http/arguments/argument.ts'
import { endpoint, type Route } from '../../access/http/route.ts'
import { fail } from '../../base/problems.ts'
import { presentUndo } from '../../calendar/undo/undo.routes.ts'
import { countLines } from '../upsert/line.import.ts'
import { assertSource, dryRunArgument, forceArgument, sourcePath } from '../upsert/source.path.ts'
import { importCalendar, presentReport } from './calendar.import.ts'
import { readCalendar } from './calendar.reading.ts'
import { maxCalendarBytes } from './ics.parts.ts'

const calendarArguments = { force: forceArgument, dry_run: dryRunArgument } as const satisfies Arguments

const importEndpoint = endpoint({
  methods: ['POST'],
  operation: 'importCalendar',
  summary: 'sources.calendar',
  about: 'sources.calendar.about',
  answer: { schema: async () => (await import('./calendar.schema.ts')).ImportedCalendarSchema },
  problems: ['rest_forbidden', 'source-of-another-user', 'not-a-calendar', 'rest_request_too_large'],
  path: { source: sourcePath },
  args: calendarArguments,
  hasLanguage: true,
  bodyType: 'text/calendar',
  isBodyWhole: true,
  isOpenTo: mayCreate,
  target: (request) => assertSource(request, request.path.source),
  handle: async ({ deps, actor, client, values, language, upload, textLanguage, path, addresses, namespace }) => {
    const { source } = path
    const { force: isForced = false, dry_run: isDry = false } = values
    const release =
      deps.limits.imports.tryAcquire(sharerOf(actor)) ??
      fail('service_unavailable', { headers: { 'Retry-After': '10' } })
    try {
      const bytes = (await upload?.whole({ maxBytes: maxCalendarBytes, look: () => {} })) ?? Buffer.alloc(0)
      const { siteZone, defaultLanguage } = deps.config
      const calendar = await readCalendar(bytes, { siteZone, now: deps.now() })
      countLines({ deps, actor, client }, calendar.found)
      const work = {
        deps,
        actor,
        source,
        language: language ?? defaultLanguage,
        isForced,
        isDry,
        undo: { id: undefined },
      }
      const report = await importCalendar(work, calendar)
      const undo = presentUndo({ deps, addresses, namespace }, '/imports', work.undo.id)
      return { status: 200, body: { ...presentReport(report, textLanguage, isDry), undo } }
    } finally {
      release()
    }
  },
})

/** Importing a calendar of others. */
export const calendarImportRoute: Route = {
  path: '/sources/{source}/calendar',
  tag: 'Sources',
  endpoints: [importEndpoint],
}
