import Type from 'typebox'
import { count, id, oneOf, ref, text, withDescription } from '../../access/http/schema.ts'
import { MediaSchema } from './media.schema.ts'

export const MediaUsageSchema = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        media: ref(MediaSchema),
        version: count('MediaUsage.version'),
        uses: count('MediaUsage.uses'),
        used_by: Type.Array(
          Type.Object({
            id: id('MediaUsage.id'),
            kind: oneOf(['event', 'venue', 'organizer'], 'MediaUsage.kind'),
            title: text('Record.title'),
            status: text('status'),
          }),
          withDescription('MediaUsage.used_by'),
        ),
      }),
      withDescription('MediaUsage.items'),
    ),
    total: count('MediaUsage.total'),
    total_pages: count('MediaUsage.total_pages'),
  },
  { $id: 'MediaUsage', ...withDescription('MediaUsage') },
)
