import Type from 'typebox'
import { id, oneOf, text, withDescription } from '../../../access/http/schema.ts'
import { STATUSES } from '../../records/record.ts'

export const EventSourceSchema = Type.Object(
  {
    id: id('id.event'),
    status: oneOf(STATUSES, 'status'),
    language: text('EventSource.language'),
    title: text('title'),
    description: text('description.record'),
    excerpt: text('excerpt'),
    cost: Type.Array(Type.String(), withDescription('EventSource.cost')),
    translations: Type.Array(
      Type.Object({ language: text('EventSource.language'), id: id('id.event') }),
      withDescription('EventSource.translations'),
    ),
  },
  { $id: 'EventSource', ...withDescription('EventSource') },
)
