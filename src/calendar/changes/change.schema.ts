import Type from 'typebox'
import { id, oneOf, text, url, withDescription } from '../../access/http/schema.ts'
import { CHANGE_KINDS } from '../changelog/change.log.ts'

const states = ['updated', 'deleted'] as const

const page = {
  next: url('Changes.next'),
  license: Type.Optional(url('Changes.license')),
}

/** A page of the feed of changes. */
export const ChangesSchema = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        state: oneOf(states, 'Changes.state'),
        kind: oneOf(CHANGE_KINDS, 'Changes.kind'),
        id: id('Changes.id'),
        modified: Type.Integer(withDescription('Changes.modified')),
        at: Type.String({ ...withDescription('Changes.at'), format: 'date-time' }),
        affects: Type.Optional(Type.Integer({ minimum: 0, ...withDescription('Changes.affects') })),
        data: Type.Optional(Type.Unsafe<object>({ type: 'object', ...withDescription('Changes.data') })),
      }),
      withDescription('Changes.items'),
    ),
    next: page.next,
    has_more: Type.Boolean(withDescription('Changes.has_more')),
    license: page.license,
  },
  { $id: 'Changes', ...withDescription('Changes') },
)

/** A page in the form of OpenActive (RPDE 1.0). */
export const RpdePageSchema = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        state: oneOf(states, 'Changes.state'),
        kind: text('Changes.kind'),
        id: id('Changes.id'),
        modified: Type.Integer(withDescription('Changes.modified')),
        data: Type.Optional(Type.Unsafe<object>({ type: 'object', ...withDescription('RpdePage.data') })),
      }),
      withDescription('Changes.items'),
    ),
    ...page,
  },
  { $id: 'RpdePage', ...withDescription('RpdePage') },
)
