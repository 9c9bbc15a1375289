import { accepted, refused } from '../../access/http/arguments/argument.rules.ts'
import type { JsonSchema } from '../../access/http/arguments/argument.schema.ts'
import type { Argument, ArgumentContext, ArgumentRule } from '../../access/http/arguments/argument.ts'
import { Problem } from '../../base/problems.ts'
import type { Directory, DirectoryKind, Fields } from '../../calendar/directory/directory.ts'
import { linkSchema } from '../../calendar/events/model/links.arguments.ts'
import { listNamed } from '../../calendar/sources/source.repository.ts'
import { assertMayUseSource } from '../../calendar/sources/source.service.ts'
import { isExternalId, isSourceName, sourceKey } from '../../calendar/sources/source.ts'

const bySourceSchema = {
  type: 'object',
  required: ['external_id'],
  properties: { source: { type: 'string' }, external_id: { type: 'string' } },
  additionalProperties: false,
} as const satisfies JsonSchema

/** More links than the rule of events accepts. */
const maxLooked = 101

/** Returns the argument of a link that may also name a venue or an organizer by the id of a source. */
export function sourceLink<F extends Fields, A extends Argument<unknown>>(
  argument: A,
  { kind }: Pick<Directory<F>, 'kind'>,
): A {
  const read: ArgumentRule<unknown> = async (raw, reading) => {
    const items = Array.isArray(raw) ? raw.slice(0, maxLooked) : [raw]
    if (!items.some(isBySource)) return argument.read(raw, reading)
    const ids: unknown[] = []
    for (const item of items) {
      const id = isBySource(item) ? await idOf(item, kind, reading) : item
      if (id === undefined) return refused('fault.unknown-external-id')
      if (id !== announced) ids.push(id)
    }
    return ids.length === 0 ? accepted([]) : argument.read(ids, reading)
  }
  const { anyOf = [] } = linkSchema(kind === 'venue' ? 'PutSourceVenueInput' : 'PutSourceOrganizerInput')
  return { ...argument, read, schema: { anyOf: [bySourceSchema, ...(anyOf as readonly JsonSchema[])] } }
}

/** Stands for a record that only a dry run would have created. */
export const announced = Symbol('announced')

interface BySource {
  readonly source?: unknown
  readonly external_id: unknown
}

function isBySource(item: unknown): item is BySource {
  return typeof item === 'object' && item !== null && !('id' in item) && Object.hasOwn(item, 'external_id')
}

/** Returns the id of the record with this external id: of the same source, or of another one that the caller may use. */
export async function idOf(
  { source, external_id }: BySource,
  kind: DirectoryKind | 'event',
  { db, actor, path }: ArgumentContext,
): Promise<number | typeof announced | undefined> {
  const name = source ?? path?.source
  if (typeof name !== 'string' || !isSourceName(name)) return undefined
  if (typeof external_id !== 'string' || !isExternalId(external_id)) return undefined
  const key = `${kind} ${name} ${external_id}`
  const links = path?.links instanceof Map ? (path.links as Map<string, number | undefined>) : new Map()
  if (links.has(key)) return links.get(key)
  const known = path?.announced
  if (known instanceof Set && source === undefined && known.has(`${kind} ${external_id}`)) return announced
  try {
    await assertMayUseSource(db, actor, name)
  } catch (error) {
    // Others do not learn what the source of a user has sent.
    if (error instanceof Problem) return undefined
    throw error
  }
  const named = sourceKey({ name, externalId: external_id })
  const id = (await listNamed(db, kind, [named])).get(named)?.id
  links.set(key, id)
  return id
}
