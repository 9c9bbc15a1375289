import { accepted, itemsOf, refused } from '../../access/http/arguments/argument.rules.ts'
import type { Argument, ArgumentRule, Arguments } from '../../access/http/arguments/argument.ts'

/** The most names of each kind in one request: a table of 100 rows may have several in each. */
const mostNames = 500
const longestName = 1000

/** A name, or the id of a record whose name is wanted. */
export type NameOrId = string | number

const namesRule: ArgumentRule<readonly NameOrId[]> = (raw) => {
  if (!Array.isArray(raw)) return refused('fault.list')
  const items = itemsOf(raw, mostNames)
  if ('fault' in items) return items
  const names = items.value.filter((one): one is NameOrId =>
    typeof one === 'string' ? one.length <= longestName : Number.isSafeInteger(one) && Number(one) > 0,
  )
  return names.length === items.value.length ? accepted(names) : refused('fault.names', { most: String(longestName) })
}

const namesArgument = {
  read: namesRule,
  schema: {
    type: 'array',
    items: {
      anyOf: [
        { type: 'string', maxLength: longestName },
        { type: 'integer', minimum: 1 },
      ],
    },
    ...{ maxItems: mostNames, examples: [['Town hall', 12]] },
  },
  ...{ type: 'string', description: 'names' },
} as const satisfies Argument<readonly NameOrId[]>

export const nameArguments = {
  venues: namesArgument,
  organizers: namesArgument,
  categories: namesArgument,
  tags: namesArgument,
} as const satisfies Arguments
