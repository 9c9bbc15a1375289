import Type from 'typebox'
import { count, id, orNull, ref, text, withDescription } from '../../access/http/schema.ts'

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
