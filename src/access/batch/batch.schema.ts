import Type from 'typebox'
import { count, id, recordOf, ref, text, withDescription } from '../http/schema.ts'

export const BatchResultSchema = Type.Object(
  {
    ref: Type.Optional(text('batch.ref')),
    status: Type.Integer(withDescription('BatchResult.status')),
    id: Type.Optional(id('BatchResult.id')),
    headers: recordOf(Type.String(), 'BatchResult.headers'),
    body: Type.Optional(
      Type.Unsafe<object>({
        anyOf: [{ type: 'object' }, { type: 'array', items: {} }],
        ...withDescription('BatchResult.body'),
      }),
    ),
  },
  { $id: 'BatchResult', ...withDescription('BatchResult') },
)

export const BatchSchema = Type.Object(
  {
    succeeded: count('Batch.succeeded'),
    failed: count('Batch.failed'),
    results: Type.Array(ref(BatchResultSchema), withDescription('Batch.results')),
  },
  { $id: 'Batch', ...withDescription('Batch') },
)
