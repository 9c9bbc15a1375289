import Type, { type TSchema } from 'typebox'
import { count, ref, url, withDescription } from '../schema.ts'

/** One page of a list: its members under `key`, links to the neighbouring pages, and the totals. */
export function listSchema<S extends TSchema>(name: string, key: string, member: S) {
  return Type.Object(
    {
      [key]: Type.Array(ref(member)),
      rest_url: url('List.rest_url'),
      next_rest_url: Type.Optional(url('List.next_rest_url')),
      previous_rest_url: Type.Optional(url('List.previous_rest_url')),
      total: count('List.total'),
      total_pages: count('List.total_pages'),
    },
    { $id: name, ...withDescription('List') },
  )
}
