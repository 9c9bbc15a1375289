import { mayEditOthers } from '../../access/auth/policy.ts'
import type { Arguments } from '../../access/http/arguments/argument.ts'
import { createJsonCounter } from '../../access/http/arguments/json.bounds.ts'
import { endpoint, type Route } from '../../access/http/route.ts'
import { fail } from '../../base/problems.ts'
import { listImportsEndpoint, undoneImportRoute } from '../upsert/import.undo.routes.ts'
import { dryRunArgument } from '../upsert/source.path.ts'
import { importRecordings } from './import.service.ts'
import { importGroups, presentSummary } from './import.summary.ts'

/** A recording is read as a whole. */
const maxBytes = 16 * 1024 * 1024
/** As many as a recording of this size has. To parse more would keep others waiting. */
const bounds = { values: 400_000, depth: 32 }
/** The remarks that an answer has of each kind. Its counts are complete. */
const maxRemarks = 500

const importArguments = { dry_run: dryRunArgument } as const satisfies Arguments

const importEndpoint = endpoint({
  methods: ['POST'],
  operation: 'importRecording',
  summary: 'imports.create',
  about: 'imports.create.about',
  answer: { schema: async () => (await import('./recording.schema.ts')).ImportSchema },
  problems: ['rest_forbidden', 'rest_request_too_large'],
  path: {},
  args: importArguments,
  hasLanguage: true,
  bodyType: 'application/json',
  isBodyWhole: true,
  isOpenTo: mayEditOthers,
  handle: async ({ deps, actor, values, language, upload, textLanguage }) => {
    const { dry_run: isDry = false } = values
    if (actor.kind !== 'user') fail('rest_forbidden')
    const text = (await upload?.whole({ maxBytes, look: assertFewValues() }))?.toString('utf8') ?? ''
    // Loaded when it is needed, because it loads the library of schemas.
    const { readSentRecording } = await import('./tec.ts')
    const recording = await readSentRecording(text)
    const options = { authorId: actor.id, requestedBy: actor, isDryRun: isDry, ...(language && { language }) }
    const summary = await importRecordings(deps, [recording], options)
    const failures = summary.failures.slice(0, maxRemarks)
    const warnings = summary.warnings.slice(0, maxRemarks)
    const {
      failures: failed,
      warnings: warned,
      ...counts
    } = presentSummary({ ...summary, failures, warnings }, textLanguage)
    const { skipped_images, protected_events, found } = counts
    const groups = Object.fromEntries(importGroups.map((group) => [group, counts[group]]))
    const body = { dry_run: isDry, found, ...groups, skipped_images, protected_events }
    return { status: 200, body: { ...body, failures: withoutFile(failed), warnings: withoutFile(warned) } }
  },
})

/** Counts the values of a recording while it arrives. The function throws rest_request_too_large. */
function assertFewValues(): (piece: Buffer) => void {
  const hasTooMany = createJsonCounter(bounds)
  return (piece) => {
    if (hasTooMany(piece)) fail('rest_request_too_large', { text: 'rest_request_too_large.recording' })
  }
}

function withoutFile(remarks: readonly { readonly path: string; readonly text: string }[]) {
  return remarks.map(({ path, text }) => ({ path, text }))
}

/** Importing a recorded list of another calendar. */
export const recordingRoutes: readonly Route[] = [
  { path: '/imports', tag: 'Sources', endpoints: [listImportsEndpoint, importEndpoint] },
  undoneImportRoute,
]
