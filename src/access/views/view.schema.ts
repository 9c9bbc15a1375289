import Type from 'typebox'
import { count, id, ref, text, withDescription } from '../http/schema.ts'

export const SavedViewSchema = Type.Object(
  {
    id: id('SavedView.id'),
    name: text('view.name'),
    query: text('view.query'),
    version: count('SavedView.version'),
    modified: Type.String({ format: 'date-time', ...withDescription('SavedView.modified') }),
  },
  { $id: 'SavedView', ...withDescription('SavedView') },
)

export const SavedViewListSchema = Type.Array(ref(SavedViewSchema), {
  $id: 'SavedViewList',
  ...withDescription('SavedViewList'),
})

export const RemovedViewSchema = Type.Object(
  { deleted: Type.Literal(true), previous: ref(SavedViewSchema, 'Removed.previous') },
  { $id: 'RemovedView', ...withDescription('Removed') },
)
