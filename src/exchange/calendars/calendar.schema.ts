import Type from 'typebox'
import { count, text, withDescription } from '../../access/http/schema.ts'
import { undoSchema } from '../../calendar/undo/undo.schema.ts'

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
      Type.Object({
        place: Type.Integer({ minimum: 1, ...withDescription('ImportedCalendar.place') }),
        external_id: text('external_id'),
        title: text('ImportedCalendar.title'),
        text: text('Import.text'),
      }),
      withDescription('ImportedCalendar.problems'),
    ),
    notes: Type.Array(Type.String(), withDescription('ImportedCalendar.notes')),
    undo: Type.Optional(undoSchema('ImportedCalendar.undo', 'id.import')),
  },
  { $id: 'ImportedCalendar', ...withDescription('ImportedCalendar') },
)
