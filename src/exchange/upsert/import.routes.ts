import { sharerOf } from '../../access/auth/actor.ts'
import { mayCreate } from '../../access/auth/policy.ts'
import type { Arguments } from '../../access/http/arguments/argument.ts'
import { prefersStrictHandling } from '../../access/http/arguments/parameter.report.ts'
import { endpoint, type Route } from '../../access/http/route.ts'
import { fail, Problem } from '../../base/problems.ts'
import { importLines, lineLimits } from './line.import.ts'
import { assertSource, dryRunArgument, forceArgument, sourcePath } from './source.path.ts'

const type = 'application/x-ndjson'
const noPlace = { headers: { 'Retry-After': '10' } }

const importArguments = {
  force: forceArgument,
  dry_run: dryRunArgument,
} as const satisfies Arguments

const importEndpoint = endpoint({
  methods: ['POST'],
  operation: 'importFromSource',
  summary: 'sources.import',
  about: 'sources.import.about',
  answer: { type, schema: async () => (await import('./upsert.schema.ts')).ImportAnswersSchema },
  problems: ['rest_forbidden', 'source-of-another-user', 'rest_request_too_large'],
  path: { source: sourcePath },
  args: importArguments,
  hasLanguage: true,
  bodyType: type,
  isOpenTo: mayCreate,
  target: (request) => assertSource(request, request.path.source),
  handle: async (call) => {
    const { deps, actor, client, textLanguage, headers, upload, values, path } = call
    const first = firstLineOf(headers['x-import-line'])
    if (Number(headers['content-length'] ?? 0) > lineLimits.maxBodyBytes) fail('rest_request_too_large')
    const { force: isForced = false, dry_run: isDry = false } = values
    const release = deps.limits.imports.tryAcquire(sharerOf(actor)) ?? fail('service_unavailable', noPlace)
    const pieces = importLines(
      {
        ...{ deps, actor, client, textLanguage, first, isForced, isDry, source: path.source, announced: new Set() },
        isStrict: prefersStrictHandling(String(headers.prefer ?? '')),
        language: call.language ?? deps.config.defaultLanguage,
      },
      upload?.body ?? noBody(),
    )
    return { status: 200, body: {}, document: { type, etag: '', pieces: released(pieces, release) } }
  },
})

/** Many records at once, from a source. */
export const importRoute: Route = {
  path: '/sources/{source}/import',
  tag: 'Sources',
  endpoints: [importEndpoint],
}

async function* noBody(): AsyncGenerator<Buffer> {}

/** @throws rest_invalid_param */
function firstLineOf(sent: string | readonly string[] | undefined): number {
  if (sent === undefined) return 1
  if (typeof sent === 'string' && /^[1-9]\d{0,8}$/.test(sent)) return Number(sent)
  throw new Problem('rest_invalid_param', { faults: { 'X-Import-Line': { text: 'fault.whole-number' } } })
}

/** Calls `release` when nothing more is read, even if nothing ever was. */
function released<T>(pieces: AsyncGenerator<T>, release: () => void): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        let isOver = true
        try {
          const read = await pieces.next()
          isOver = read.done === true
          return read
        } finally {
          if (isOver) release()
        }
      },
      return: () => pieces.return(undefined).finally(release),
    }),
  }
}
