import Type from 'typebox'
import { count, id, oneOf, orNull, ref, text, withDescription } from '../../access/http/schema.ts'
import { undoSchema } from '../../calendar/undo/undo.schema.ts'
import { SWEEP_ACTIONS } from './sweep.service.ts'

/** The answers of an import, line by line. */
export const ImportAnswersSchema = Type.String({ $id: 'ImportAnswers', ...withDescription('ImportAnswers') })

const UndoableImportSchema = Type.Object(
  {
    id: id('id.import'),
    source: text('source'),
    at: Type.String({ format: 'date-time', ...withDescription('UndoableImport.at') }),
    user: orNull(id('UndoableImport.user')),
    count: count('UndoableImport.count'),
    is_undone: Type.Boolean(withDescription('UndoableImport.is_undone')),
    until: Type.String({ format: 'date-time', ...withDescription('CanceledEvents.undo.until') }),
  },
  { $id: 'UndoableImport', ...withDescription('UndoableImport') },
)

export const ImportListSchema = Type.Array(ref(UndoableImportSchema), {
  $id: 'ImportList',
  ...withDescription('ImportList'),
})

export const UndoneImportSchema = Type.Object(
  {
    removed: count('UndoneImport.removed'),
    restored: count('UndoneImport.restored'),
    kept: count('UndoneImport.kept'),
  },
  { $id: 'UndoneImport', ...withDescription('UndoneImport') },
)

export const SweptRecordsSchema = Type.Object(
  {
    dry_run: Type.Boolean(withDescription('SweptRecords.dry_run')),
    action: oneOf(SWEEP_ACTIONS, 'sweep.action'),
    kind: oneOf(['event', 'venue', 'organizer'], 'sweep.kind'),
    count: count('SweptRecords.count'),
    left_out: count('SweptRecords.left_out'),
    has_more: Type.Boolean(withDescription('SweptRecords.has_more')),
    records: Type.Array(
      Type.Object({ id: id('SweptRecords.id'), external_id: text('external_id'), title: text('Record.title') }),
      withDescription('SweptRecords.records'),
    ),
    undo: undoSchema('SweptRecords.undo'),
  },
  { $id: 'SweptRecords', ...withDescription('SweptRecords') },
)
