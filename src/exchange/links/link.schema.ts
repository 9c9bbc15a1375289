import Type from 'typebox'
import { oneOf, text, withDescription } from '../../access/http/schema.ts'
import { LINK_STATES } from '../../base/outbound/link.checker.ts'

export const LinkChecksSchema = Type.Object(
  {
    links: Type.Array(
      Type.Object({ url: text('LinkChecks.url'), result: oneOf(LINK_STATES, 'LinkChecks.result') }),
      withDescription('LinkChecks.links'),
    ),
  },
  { $id: 'LinkChecks', ...withDescription('LinkChecks') },
)
