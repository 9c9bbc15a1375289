import Type from 'typebox'
import { dateTime, oneOf, text, url, withDescription } from '../../access/http/schema.ts'
import { STATUSES } from './record.ts'

/** The author, status and dates of a record, as all kinds show them. */
export const recordMetadataProperties = {
  author: Type.String({ ...withDescription('Record.author'), pattern: '^\\d+$' }),
  status: oneOf(STATUSES, 'status'),
  date: dateTime('date'),
  date_utc: dateTime('Record.date_utc'),
  modified: dateTime('Record.modified'),
  modified_utc: dateTime('Record.modified_utc'),
  url: url('Record.url'),
}

export const globalIdProperties = {
  global_id: text('Record.global_id'),
  global_id_lineage: Type.Array(Type.String(), withDescription('Record.global_id_lineage')),
}
