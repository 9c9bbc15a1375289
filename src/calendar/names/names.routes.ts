import type { Actor } from '../../access/auth/actor.ts'
import { mayCreate, mayRead } from '../../access/auth/policy.ts'
import { accepted, booleanFromWord, itemsOf, refused } from '../../access/http/arguments/argument.rules.ts'
import { booleanSchema } from '../../access/http/arguments/argument.schema.ts'
import type { Argument, ArgumentRule, Arguments } from '../../access/http/arguments/argument.ts'
import { endpoint, type Route } from '../../access/http/route.ts'
import type { Storage } from '../../storage/database/storage.ts'
import { listNamedAlike } from '../directory/directory.alike.repository.ts'
import { listEntriesById } from '../directory/directory.repository.ts'
import type { Directory, Fields } from '../directory/directory.ts'
import { countEventsByGroup, listIdsNamed } from '../directory/directory.usage.repository.ts'
import { organizers } from '../organizers/organizer.directory.ts'
import { listMatchingTerms } from '../terms/term.lookup.repository.ts'
import type { Taxonomy } from '../terms/term.ts'
import { isTermVisibleTo } from '../terms/term.visibility.ts'
import { venues } from '../venues/venue.directory.ts'

/** The most names of each kind in one request: a table of 100 rows may have several in each. */
const maxNames = 500
const longestName = 1000

/** A name, or the id of a record whose name is wanted. */
type NameOrId = string | number

const namesRule: ArgumentRule<readonly NameOrId[]> = (raw) => {
  if (!Array.isArray(raw)) return refused('fault.list')
  const items = itemsOf(raw, maxNames)
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
    ...{ maxItems: maxNames, examples: [['Town hall', 12]] },
  },
  ...{ type: 'string', description: 'names' },
} as const satisfies Argument<readonly NameOrId[]>

const nameArguments = {
  venues: namesArgument,
  organizers: namesArgument,
  categories: namesArgument,
  tags: namesArgument,
  alike: { read: booleanFromWord, schema: booleanSchema, description: 'names.alike' },
} as const satisfies Arguments

type Asked = readonly NameOrId[] | undefined
type Reading = Pick<Storage, 'db' | 'dialect'> & { readonly actor: Actor }

const split = (asked: Asked = []) => ({
  ids: asked.filter((one) => typeof one === 'number'),
  names: asked.filter((one) => typeof one === 'string'),
})

/** Returns the venues or organizers with these names or ids that the caller may read, oldest first. */
async function namedEntries<F extends Fields>(reading: Reading, directory: Directory<F>, asked: Asked) {
  const { db, actor } = reading
  const { ids, names } = split(asked)
  const found = [...new Set([...ids, ...(await listIdsNamed(reading, directory.kind, names))])]
  const known = await listEntriesById(db, directory, found)
  const entries = [...known.values()]
    .filter((entry) => entry.status !== 'trash' && mayRead(actor, entry))
    .toSorted((one, other) => one.id - other.id)
  const groups = entries.map(({ groupId }) => groupId)
  // Only whether there are any: nobody learns how many drafts others have.
  const events = await countEventsByGroup({ ...reading, isAll: true }, groups)
  return entries.map(({ id, titleHtml: name, fields, changeCount: version, groupId }) => {
    const { city = '', address = '' } = fields as { readonly city?: string; readonly address?: string }
    return { id, name, city, address, version, is_used: (events.get(groupId) ?? 0) > 0 }
  })
}

/** Returns the venues whose names look like these. */
async function venuesLike(reading: Reading, names: readonly string[]) {
  const found = await listNamedAlike(reading, venues, names)
  const entries = await namedEntries(
    reading,
    venues,
    found.map(({ id }) => id),
  )
  return found.flatMap(({ asked, id }) => entries.filter((one) => one.id === id).map((one) => ({ asked, ...one })))
}

async function namedTerms({ db, actor }: Reading, taxonomy: Taxonomy, asked: Asked) {
  const terms = await listMatchingTerms(db, taxonomy, split(asked))
  return terms.filter((term) => isTermVisibleTo(actor, term)).map(({ id, name }) => ({ id, name }))
}

/** How many further requests it counts as: all names of venues are read. */
const alikeCost = 49

const namesEndpoint = endpoint({
  methods: ['POST'],
  operation: 'findNames',
  summary: 'names.find',
  about: 'names.find.about',
  answer: { schema: async () => (await import('./names.schema.ts')).NamesSchema },
  problems: ['rest_forbidden'],
  args: nameArguments,
  isOpenTo: mayCreate,
  handle: async ({ deps, actor, client, values }) => {
    const { db, dialect } = deps.storage
    const reading = { db, dialect, actor }
    const isCharged = values.alike && actor.kind === 'user'
    const headers = isCharged ? deps.limits.chargeUser(client, actor.id, alikeCost) : {}
    const body = {
      venues: await namedEntries(reading, venues, values.venues),
      organizers: await namedEntries(reading, organizers, values.organizers),
      categories: await namedTerms(reading, 'category', values.categories),
      tags: await namedTerms(reading, 'tag', values.tags),
      ...(values.alike && { alike: await venuesLike(reading, split(values.venues).names) }),
    }
    return { status: 200, body, headers }
  },
})

/** Which venues, organizers, categories and tags exist under names: one look-up for all that a form or a table names. */
export const nameRoutes: readonly Route[] = [{ path: '/names', tag: 'Venues', endpoints: [namesEndpoint] }]
