import Type from 'typebox'
import { id, text, withDescription } from '../../access/http/schema.ts'

const named = { id: id('Names.id'), name: text('Names.name') }
const entryFields = {
  ...named,
  ...{ city: text('city'), address: text('address') },
  version: Type.Integer(withDescription('Names.version')),
  is_used: Type.Boolean(withDescription('Names.is_used')),
}
const entry = Type.Object(entryFields)

export const NamesSchema = Type.Object(
  {
    venues: Type.Array(entry, withDescription('Names.venues')),
    organizers: Type.Array(entry, withDescription('Names.organizers')),
    categories: Type.Array(Type.Object(named), withDescription('Names.categories')),
    tags: Type.Array(Type.Object(named), withDescription('Names.tags')),
    alike: Type.Optional(
      Type.Array(Type.Object({ asked: text('Names.asked'), ...entryFields }), withDescription('Names.alike')),
    ),
  },
  { $id: 'Names', ...withDescription('Names') },
)
