import { Problem } from '../../base/problems.ts'
import { mayCreate } from '../auth/policy.ts'
import type { Call } from '../http/call.ts'
import { type EndpointResult, endpoint, type Route } from '../http/route.ts'
import { type Replay, writeOnce } from '../idempotency/idempotency.ts'
import { batchArguments } from './batch.arguments.ts'
import { BatchFailed, hasSucceeded, type OperationResult, runBatch } from './batch.service.ts'
import type { BatchedNamespaces } from './operation.call.ts'
import { maxBatchBytes } from './operation.ts'

/** A repeated batch shows what each operation did, but no bodies: those of 200 records are too much to remember. */
const replayBatch: Replay<readonly OperationResult[]> = {
  remember: (results) => (results.some(hasSucceeded) ? results.map(({ body: _, ...result }) => result) : undefined),
  recall: async (_tx, remembered) => remembered as readonly OperationResult[],
}

/**
 * Many writes in one request.
 *
 * @param namespaces The namespaces, which contain this route themselves.
 */
export function batchRoutes(namespaces: () => BatchedNamespaces): readonly Route[] {
  const run = endpoint({
    methods: ['POST'],
    isRepeatable: true,
    maxBodyBytes: maxBatchBytes,
    operation: 'runBatch',
    summary: 'batch.create',
    about: 'batch.create.about',
    answer: { schema: async () => (await import('./batch.schema.ts')).BatchSchema },
    problems: ['rest_forbidden', 'batch-failed'],
    args: batchArguments,
    isOpenTo: mayCreate,
    handle: async (call) => {
      const { deps, actor, client, values } = call
      const { operations, atomic: isAtomic = false } = values
      const headers = actor.kind === 'user' ? deps.limits.chargeUser(client, actor.id, operations.length - 1) : {}
      const options = { operations, isAtomic, namespaces: namespaces() }
      try {
        const results = await writeOnce(call, replayBatch, (tx) => runBatch(call, tx, options))
        return { ...answerWith(results), headers }
      } catch (error) {
        if (!(error instanceof BatchFailed)) throw error
        return failWith({ call, headers }, error, namespaces())
      }
    },
  })
  return [{ path: '/batch', tag: 'Batch', endpoints: [run] }]
}

/** RFC 4918, 11.1: 207 if the results differ from each other, or none succeeded. */
function answerWith(results: readonly OperationResult[]): EndpointResult {
  const counts = countsOf(results)
  return { status: counts.failed > 0 ? 207 : 200, body: { ...counts, results } }
}

function failWith(
  { call: { textLanguage }, headers }: { readonly call: Call; readonly headers: EndpointResult['headers'] },
  { results }: BatchFailed,
  { service: { policy } }: BatchedNamespaces,
): EndpointResult {
  const problem = new Problem('batch-failed')
  const body = { ...policy.problems.present(problem, textLanguage), ...countsOf(results), succeeded: 0, results }
  return { status: problem.status, body, headers: { ...headers, 'Content-Type': policy.problems.type } }
}

function countsOf(results: readonly OperationResult[]) {
  const failed = results.filter((result) => !hasSucceeded(result)).length
  return { succeeded: results.length - failed, failed }
}
