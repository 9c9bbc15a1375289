import Type from 'typebox'
import { text, withDescription } from '../../access/http/schema.ts'

/** Where a record comes from. Only those who may edit the record see it. */
export const RecordSourceSchema = Type.Object(
  {
    name: text('source'),
    external_id: text('external_id'),
    url: text('source_url'),
  },
  { $id: 'RecordSource', ...withDescription('RecordSource') },
)
