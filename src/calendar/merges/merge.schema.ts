import Type from 'typebox'
import { count, dateTime, id, oneOf, ref, text, url, withDescription } from '../../access/http/schema.ts'
import { STATUSES } from '../records/record.ts'

/** An event that a merge moves. */
export const MovedEventSchema = Type.Object(
  {
    id: id('id.event'),
    rest_url: url('Event.rest_url'),
    language: text('ChangedEvent.language'),
    title: text('Record.title'),
    start_date: dateTime('start_date.event'),
    timezone: text('timezone'),
    status: oneOf(STATUSES, 'status'),
  },
  { $id: 'MovedEvent', ...withDescription('MovedEvent') },
)

const moved = {
  dry_run: Type.Boolean(withDescription('CanceledEvents.dry_run')),
  count: count('MergedRecord.count'),
  events: Type.Array(ref(MovedEventSchema), withDescription('CanceledEvents.events')),
  next_page: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 2,
    ...withDescription('CanceledEvents.next_page'),
  }),
}

const undo = Type.Unsafe<object | null>({
  type: ['object', 'null'],
  required: ['id', 'url', 'until'],
  properties: {
    id: id('id.merge'),
    url: url('CanceledEvents.undo.url'),
    until: Type.String({ ...withDescription('CanceledEvents.undo.until'), format: 'date-time' }),
  },
  ...withDescription('MergedRecord.undo'),
})

export const MergedRecordSchema = Type.Object(
  {
    ...moved,
    lost_languages: Type.Array(Type.String(), withDescription('MergedRecord.lost_languages')),
    undo,
  },
  { $id: 'MergedRecord', ...withDescription('MergedRecord') },
)

export const UnmergedRecordSchema = Type.Object(
  { ...moved, skipped: Type.Array(id('id.event'), withDescription('UnmergedRecord.skipped')) },
  { $id: 'UnmergedRecord', ...withDescription('UnmergedRecord') },
)

export const MergedTermSchema = Type.Object(
  { ...moved, children: count('MergedTerm.children'), undo },
  { $id: 'MergedTerm', ...withDescription('MergedTerm') },
)

export const TermUsageSchema = Type.Object(
  { events: count('Usage.events'), children: count('TermUsage.children') },
  { $id: 'TermUsage', ...withDescription('TermUsage') },
)
