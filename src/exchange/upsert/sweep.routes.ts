import { mayCreate } from '../../access/auth/policy.ts'
import { accepted, refused } from '../../access/http/arguments/argument.rules.ts'
import { wordSchema } from '../../access/http/arguments/argument.schema.ts'
import type { ArgumentRule, Arguments } from '../../access/http/arguments/argument.ts'
import { endpoint, type Route } from '../../access/http/route.ts'
import { failParameter } from '../../base/problems.ts'
import { externalIdOf } from '../../calendar/sources/source.ts'
import { presentUndo } from '../../calendar/undo/undo.routes.ts'
import { kindArgument, sentKinds, word } from './source.kinds.ts'
import { assertSource, dryRunArgument, sourcePath } from './source.path.ts'
import { SWEEP_ACTIONS, sweepSource } from './sweep.service.ts'

/** A time that has passed: a request for many records must not depend on guesses, so it needs a date and a time. */
const seenSinceRule: ArgumentRule<number> = (raw, { now }) => {
  if (typeof raw !== 'string' || !/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(raw)) {
    return refused('fault.instant')
  }
  const seconds = Math.floor(Date.parse(raw.replace(' ', 'T')) / 1000)
  if (Number.isNaN(seconds)) return refused('fault.instant')
  return seconds <= now ? accepted(seconds) : refused('fault.past')
}

const sweepArguments = {
  seen_since: {
    read: seenSinceRule,
    schema: { type: 'string', format: 'date-time', examples: ['2030-01-15T12:00:00Z'] },
    description: 'sweep.seen_since',
    isRequired: true,
  },
  action: {
    read: word(SWEEP_ACTIONS),
    schema: wordSchema(SWEEP_ACTIONS),
    description: 'sweep.action',
    type: 'string',
    enum: SWEEP_ACTIONS,
    isRequired: true,
  },
  kind: kindArgument,
  dry_run: dryRunArgument,
} as const satisfies Arguments

const sweep = endpoint({
  methods: ['POST'],
  remembersAnswer: {},
  operation: 'sweepSource',
  summary: 'sources.sweep',
  about: 'sources.sweep.about',
  answer: { schema: async () => (await import('./upsert.schema.ts')).SweptRecordsSchema },
  problems: ['rest_forbidden', 'source-of-another-user'],
  path: { source: sourcePath },
  args: sweepArguments,
  isOpenTo: mayCreate,
  target: (request) => assertSource(request, request.path.source),
  handle: async (call) => {
    const { deps, actor, values, path } = call
    const { seen_since: before, action, kind = 'event', dry_run: isDry = false } = values
    if (action === 'cancel' && kind !== 'event') failParameter('kind', 'fault.only-events')
    const order = { name: path.source, kind: sentKinds[kind], before, action }
    const { records, leftOut, hasMore, cancellationId: id } = await sweepSource({ deps, actor }, order, isDry)
    const body = {
      ...{ dry_run: isDry, action, kind, count: records.length, left_out: leftOut, has_more: hasMore },
      records: records.map((record) => ({ id: record.id, external_id: externalIdOf(record.key), title: record.title })),
      undo: presentUndo(call, '/events/cancel', id),
    }
    return { status: 200, body }
  },
})

/** What a source has no longer. */
export const sweepRoute: Route = { path: '/sources/{source}/sweep', tag: 'Sources', endpoints: [sweep] }
