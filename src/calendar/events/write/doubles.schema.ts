import Type from 'typebox'
import { id, oneOf, text, withDescription } from '../../../access/http/schema.ts'
import { STATUSES } from '../../records/record.ts'

export const EventDoublesSchema = Type.Object(
  {
    results: Type.Array(
      Type.Object({
        events: Type.Array(
          Type.Object({ id: id('id.event'), title: text('title'), status: oneOf(STATUSES, 'status') }),
          withDescription('EventDoubles.events'),
        ),
      }),
      withDescription('EventDoubles.results'),
    ),
  },
  { $id: 'EventDoubles', ...withDescription('EventDoubles') },
)
