import Type from 'typebox'
import { said, text, url, wallTime, word } from '../../access/http/schema.ts'
import { STATUSES } from './record.ts'

/** Owner, state and dates of a record, as all kinds show them. */
export const stampProperties = {
  author: Type.String({ ...said('Record.author'), pattern: '^\\d+$' }),
  status: word(STATUSES, 'status'),
  date: wallTime('date'),
  date_utc: wallTime('Record.date_utc'),
  modified: wallTime('Record.modified'),
  modified_utc: wallTime('Record.modified_utc'),
  url: url('Record.url'),
}

export const globalIdProperties = {
  global_id: text('Record.global_id'),
  global_id_lineage: Type.Array(Type.String(), said('Record.global_id_lineage')),
}
