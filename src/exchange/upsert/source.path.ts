import { accepted, boolean } from '../../access/http/arguments/argument.rules.ts'
import { booleanSchema, lengthSchema } from '../../access/http/arguments/argument.schema.ts'
import type { Argument } from '../../access/http/arguments/argument.ts'
import type { EndpointRequest } from '../../access/http/call.ts'
import { failParameter, Problem } from '../../base/problems.ts'
import { assertMayUseSource } from '../../calendar/sources/source.service.ts'
import { isExternalId, isSourceName, maxExternalId } from '../../calendar/sources/source.ts'

/** The parts of the path are checked after the rights of the caller. */
export const sourcePath = {
  read: (raw) => accepted(String(raw)),
  schema: { type: 'string', pattern: '^[a-z0-9-]{1,64}$' },
  description: 'source',
  type: 'string',
  isRequired: true,
} as const satisfies Argument<string>

export const externalIdPath = {
  read: (raw) => accepted(String(raw)),
  schema: lengthSchema(1, maxExternalId),
  description: 'external_id',
  type: 'string',
  isRequired: true,
} as const satisfies Argument<string>

export const forceArgument = {
  read: boolean('force'),
  schema: booleanSchema,
  description: 'source.force',
  type: 'boolean',
  default: false,
} as const satisfies Argument<boolean>

export const dryRunArgument = {
  read: boolean('dry_run'),
  schema: booleanSchema,
  description: 'source.dry_run',
  type: 'boolean',
  default: false,
} as const satisfies Argument<boolean>

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
