import Type from 'typebox'
import { count, oneOf, text, withDescription } from '../../access/http/schema.ts'
import { undoSchema } from '../../calendar/undo/undo.schema.ts'
import { OUTCOMES } from './calendar.import.ts'

const record = {
  place: Type.Integer({ minimum: 1, ...withDescription('ImportedCalendar.place') }),
  external_id: text('external_id'),
  title: text('ImportedCalendar.title'),
}

export const ImportedCalendarSchema = Type.Object(
  {
    dry_run: Type.Boolean(withDescription('Import.dry_run')),
    name: text('ImportedCalendar.name'),
    found: count('ImportedCalendar.found'),
    created: count('Import.created'),
    changed: count('ImportedCalendar.changed'),
    unchanged: count('Import.unchanged'),
    failed: count('Import.failed'),
    problems: Type.Array(
      Type.Object({ ...record, text: text('Import.text') }),
      withDescription('ImportedCalendar.problems'),
    ),
    rows: Type.Optional(
      Type.Array(
        Type.Object({
          ...{ ...record, start_date: text('ImportedCalendar.start_date') },
          outcome: oneOf(OUTCOMES, 'ImportedCalendar.outcome'),
          text: Type.Optional(text('Import.text')),
        }),
        withDescription('ImportedCalendar.rows'),
      ),
    ),
    more_rows: Type.Optional(count('ImportedCalendar.more_rows')),
    notes: Type.Array(Type.String(), withDescription('ImportedCalendar.notes')),
    undo: Type.Optional(undoSchema('ImportedCalendar.undo', 'id.import')),
  },
  { $id: 'ImportedCalendar', ...withDescription('ImportedCalendar') },
)
