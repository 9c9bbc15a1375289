import { sharerOf } from '../../access/auth/actor.ts'
import { mayCreate, mayEditOthers } from '../../access/auth/policy.ts'
import { accepted, refused } from '../../access/http/arguments/argument.rules.ts'
import type { Argument, Arguments } from '../../access/http/arguments/argument.ts'
import type { Call } from '../../access/http/call.ts'
import { endpoint, type Route } from '../../access/http/route.ts'
import { OutboundError } from '../../base/outbound/outbound.ts'
import { fail } from '../../base/problems.ts'
import { presentUndo } from '../../calendar/undo/undo.routes.ts'
import { countLines } from '../upsert/line.import.ts'
import { assertSource, dryRunArgument, forceArgument, sourcePath } from '../upsert/source.path.ts'
import { fetchFirst, fetchPages, readAddress } from './calendar.address.ts'
import { importCalendar, presentReport } from './calendar.import.ts'
import { readCalendar } from './calendar.reading.ts'
import type { ForeignCalendar } from './foreign.records.ts'
import type { CalendarReading } from './ics.events.ts'
import { maxCalendarBytes } from './ics.parts.ts'
import { failureText, isCalendarUrl, type SubscriptionFailure } from './subscription.ts'

const calendarArguments = { force: forceArgument, dry_run: dryRunArgument } as const satisfies Arguments

export const urlArgument = {
  read: (raw) => {
    const url = typeof raw === 'string' ? raw.trim() : ''
    return isCalendarUrl(url) ? accepted(url) : refused('fault.url', { schemes: 'https, webcal' })
  },
  schema: { type: 'string', maxLength: 2048, examples: ['https://club.example.org/basic.ics'] },
  ...{ type: 'string', description: 'subscription.url' },
} as const satisfies Argument<string>

/** What an import of a file and one of an address share. */
const shared = {
  methods: ['POST'],
  answer: { schema: async () => (await import('./calendar.schema.ts')).ImportedCalendarSchema },
  problems: ['rest_forbidden', 'source-of-another-user', 'not-a-calendar', 'rest_request_too_large'],
  path: { source: sourcePath },
  hasLanguage: true,
} as const

const importEndpoint = endpoint({
  ...shared,
  operation: 'importCalendar',
  summary: 'sources.calendar',
  about: 'sources.calendar.about',
  args: calendarArguments,
  bodyType: 'text/calendar',
  isBodyWhole: true,
  isOpenTo: mayCreate,
  target: (request) => assertSource(request, request.path.source),
  handle: (call) =>
    importRead(call, async (reading) => {
      const bytes = await call.upload?.whole({ maxBytes: maxCalendarBytes, look: () => {} })
      return readCalendar(bytes ?? Buffer.alloc(0), reading)
    }),
})

const fetchEndpoint = endpoint({
  ...shared,
  operation: 'importAddress',
  summary: 'sources.fetch',
  about: 'sources.fetch.about',
  args: { url: { ...urlArgument, isRequired: true }, ...calendarArguments },
  triesItself: true,
  isOpenTo: mayEditOthers,
  target: (request) => assertSource(request, request.path.source),
  handle: (call) =>
    importRead(call, async (reading) => {
      const { deps, values, textLanguage } = call
      const { url } = values
      const failUrl = (failure: SubscriptionFailure) => {
        const reason = failureText(textLanguage, { source: '', failure })
        return fail('rest_invalid_param', { faults: { url: { text: 'fault.fetch', values: { reason } } } })
      }
      const { status, body } = await fetchFirst(deps.fetchDocument, url).catch((error: unknown) => {
        if (!(error instanceof OutboundError)) throw error
        return failUrl(error.reason)
      })
      if (status !== 200) failUrl(`status ${status}`)
      return readAddress({ url, first: body, fetch: fetchPages(deps.fetchDocument) }, reading)
    }),
})

/** Imports a calendar that `read` reads, or tries it. */
async function importRead(
  call: Omit<Call<typeof shared.path, typeof calendarArguments>, 'upload'>,
  read: (reading: CalendarReading) => Promise<ForeignCalendar>,
) {
  const { deps, actor, client, values, language, textLanguage, path, addresses, namespace } = call
  const { force: isForced = false, dry_run: isDry = false } = values
  const release =
    deps.limits.imports.tryAcquire(sharerOf(actor)) ?? fail('service_unavailable', { headers: { 'Retry-After': '10' } })
  try {
    const { siteZone, defaultLanguage } = deps.config
    const calendar = await read({ siteZone, now: deps.now() })
    countLines({ deps, actor, client }, calendar.found)
    const work = {
      ...{ deps, actor, source: path.source, language: language ?? defaultLanguage },
      ...{ isForced, isDry, undo: { id: undefined, made: new Set<number>() } },
    }
    const report = await importCalendar(work, calendar)
    const undo = presentUndo({ deps, addresses, namespace }, '/imports', work.undo.id)
    return { status: 200, body: { ...presentReport(report, textLanguage, isDry), undo } }
  } finally {
    release()
  }
}

/** Calendars of others: a file, and what is at an address. */
export const calendarImportRoutes: readonly Route[] = [
  { path: '/sources/{source}/calendar', tag: 'Sources', endpoints: [importEndpoint] },
  { path: '/sources/{source}/fetch', tag: 'Sources', endpoints: [fetchEndpoint] },
]
