import Type from 'typebox'
import { count, id, text, withDescription } from '../../access/http/schema.ts'

export const PurgedRecordSchema = Type.Object(
  {
    deleted: Type.Array(
      Type.Object({ id: id('Purged.id'), language: text('Purged.language'), title: text('Record.title') }),
      withDescription('Purged.deleted'),
    ),
    events: count('Purged.events'),
    dates: Type.Optional(count('Purged.dates')),
  },
  { $id: 'PurgedRecord', ...withDescription('PurgedRecord') },
)
