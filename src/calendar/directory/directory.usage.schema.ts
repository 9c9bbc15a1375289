import Type, { type TSchema } from 'typebox'
import { count, id, oneOf, ref, text, withDescription } from '../../access/http/schema.ts'
import { STATUSES } from '../records/record.ts'
import { LIKENESSES } from './directory.alike.repository.ts'
import type { DirectoryKind } from './directory.ts'

const versions = (kind: DirectoryKind) =>
  Type.Array(Type.Object({ language: text('EventSource.language'), id: id(`id.${kind}`) }), {
    ...withDescription('Usage.versions'),
  })

/** The list of venues or organizers with the number of their events. */
export function usageListSchema(name: string, kind: DirectoryKind, record: TSchema) {
  return Type.Object(
    {
      items: Type.Array(
        Type.Object({
          [kind]: ref(record),
          language: text('EventSource.language'),
          versions: versions(kind),
          events: count('Usage.events'),
          alike: Type.Optional(
            Type.Array(
              Type.Object({ id: id(`id.${kind}`), reason: oneOf(LIKENESSES, 'Usage.reason') }),
              withDescription('Usage.alike'),
            ),
          ),
        }),
      ),
      total: count('List.total'),
      total_pages: count('List.total_pages'),
    },
    { $id: name, ...withDescription('Usage') },
  )
}

/** A venue or an organizer as it was written. */
export function entrySourceSchema(name: string, kind: DirectoryKind) {
  return Type.Object(
    {
      id: id(`id.${kind}`),
      status: oneOf(STATUSES, 'status'),
      language: text('EventSource.language'),
      name: text(`${kind}.name`),
      description: text('description.record'),
      fields: Type.Unsafe<Readonly<Record<string, string | boolean | number | null>>>({
        ...{ type: 'object', additionalProperties: {} },
        ...withDescription('EntrySource.fields'),
      }),
      translations: versions(kind),
      events: count('Usage.events'),
    },
    { $id: name, ...withDescription('EntrySource') },
  )
}
