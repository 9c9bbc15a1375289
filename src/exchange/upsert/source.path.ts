import { flagArgument } from '../../access/http/arguments/argument.kinds.ts'
import { accepted } from '../../access/http/arguments/argument.rules.ts'
import { lengthSchema } from '../../access/http/arguments/argument.schema.ts'
import type { Argument } from '../../access/http/arguments/argument.ts'
import type { EndpointRequest } from '../../access/http/call.ts'
import { failParameter, Problem } from '../../base/problems.ts'
import { assertMayUseSource } from '../../calendar/sources/source.service.ts'
import { isExternalId, isSourceName, maxExternalId } from '../../calendar/sources/source.ts'

/** The parts of the path are checked after the rights of the caller. */
const inPath = { read: (raw) => accepted(String(raw)), type: 'string', isRequired: true } as const satisfies Pick<
  Argument<string>,
  'read' | 'type' | 'isRequired'
>
export const sourcePath = {
  ...inPath,
  ...{ schema: { type: 'string', pattern: '^[a-z0-9-]{1,64}$' }, description: 'source' },
} as const satisfies Argument<string>
export const externalIdPath = {
  ...inPath,
  ...{ schema: lengthSchema(1, maxExternalId), description: 'external_id' },
} as const satisfies Argument<string>

export const forceArgument = { ...flagArgument('force', 'source.force'), default: false } as const
export const dryRunArgument = { ...flagArgument('dry_run', 'source.dry_run'), default: false } as const

/** @throws rest_invalid_param, source-of-another-user */
export async function assertSource(
  { deps, actor }: Pick<EndpointRequest, 'deps' | 'actor'>,
  name: string,
): Promise<void> {
  if (!isSourceName(name)) failParameter('source', 'fault.source')
  await assertMayUseSource(deps.storage.db, actor, name)
}

export async function assertPath(
  request: Pick<EndpointRequest, 'deps' | 'actor'>,
  { source: name, external_id: externalId }: { readonly source: string; readonly external_id: string },
): Promise<void> {
  await assertSource(request, name)
  if (isExternalId(externalId)) return
  const values = { most: String(maxExternalId) }
  throw new Problem('rest_invalid_param', { faults: { external_id: { text: 'fault.external-id', values } } })
}
