import type { TSchema } from 'typebox'
import { languageParameterNames } from '../../access/http/addresses.ts'
import type { Namespace } from '../../access/http/namespace.ts'
import type { LazySchema } from '../../access/http/route.ts'
import { referred, schemaName, withDescription } from '../../access/http/schema.ts'
import { knownLanguages } from '../../base/languages/language.ts'
import {
  CostDetailsSchema,
  DateDetailsSchema,
  EventJsonLdSchema,
  EventSchema,
} from '../../calendar/events/present/event.schema.ts'
import { ImageSchema, ImageSizeSchema } from '../../calendar/media/media.schema.ts'
import { OrganizerSchema, PersonJsonLdSchema } from '../../calendar/organizers/organizer.schema.ts'
import { CategorySchema, TagSchema, TermSchema, TermUrlsSchema } from '../../calendar/terms/term.schema.ts'
import { PlaceJsonLdSchema, VenueSchema } from '../../calendar/venues/venue.schema.ts'
import type { DocContext } from './index.present.ts'
import type { Schema } from './openapi.schema.ts'

/**
 * The schemas that the contract names come first, in its order; then all others in the order in which they are found.
 */
const CONTRACT_ORDER: readonly string[] = [
  ...[ImageSizeSchema, CostDetailsSchema, TermSchema, ImageSchema],
  ...[DateDetailsSchema, EventSchema, VenueSchema, OrganizerSchema],
  ...[CategorySchema, TagSchema, TermUrlsSchema],
].map(schemaName)

/** The rest of the contract's document keeps the order that its readers know. */
const LISTS_BEFORE_PARTS: readonly string[] = [
  ...['EventList', 'VenueList', 'OrganizerList', 'CategoryList', 'TagList'],
  ...[EventJsonLdSchema, PlaceJsonLdSchema, PersonJsonLdSchema].map(schemaName),
  ...['Index', 'IndexRoute', 'IndexArgument', 'Document', 'Problem', 'Feed'],
]

const IN_LANGUAGES = new Set(
  [EventSchema, VenueSchema, OrganizerSchema, CategorySchema, TagSchema, TermSchema].map(schemaName),
)

/** The schemas of a namespace after loading. */
export interface LoadedSchemas {
  readonly of: (lazy: LazySchema) => TSchema
  /** All of these schemas and all schemas to which they refer, by name. */
  readonly byName: ReadonlyMap<string, TSchema>
}

/** Loads the schemas of the answers of a namespace. */
export async function loadSchemas({ routes, policy }: Namespace): Promise<LoadedSchemas> {
  const answers = routes.flatMap(({ endpoints }) => endpoints.map(({ answer }) => answer.schema))
  const lazies = [...new Set([...answers, policy.problems.schema])].filter((lazy) => lazy !== undefined)
  const loaded = new Map<LazySchema, TSchema>()
  for (const lazy of lazies) loaded.set(lazy, await lazy())
  const found = new Map<string, TSchema>()
  for (const schema of loaded.values()) collect(schema, found)
  const order = [...CONTRACT_ORDER, ...LISTS_BEFORE_PARTS].filter((name) => found.has(name))
  return {
    of: (lazy) => loaded.get(lazy) as TSchema,
    byName: new Map([...new Set([...order, ...found.keys()])].map((name) => [name, found.get(name) as TSchema])),
  }
}

/** Adds all named schemas in this value, and those to which it refers. */
function collect(value: unknown, found: Map<string, TSchema>): void {
  if (typeof value !== 'object' || value === null) return
  const { $id, [referred]: target } = value as { readonly $id?: unknown; readonly [referred]?: unknown }
  if (typeof $id === 'string') {
    if (found.has($id)) return
    found.set($id, value as TSchema)
  }
  collect(target, found)
  for (const inner of Object.values(value)) collect(inner, found)
}

/**
 * Adds the language and the versions of a translated record, which it shows if a language was requested (languages.md
 * §4).
 */
export function withLanguage(schema: TSchema, { deps, addresses }: DocContext): Schema {
  const plain = schema as Schema
  if (!IN_LANGUAGES.has(schemaName(schema))) return plain
  const words = languageParameterNames(addresses)
  const properties = {
    ...(plain.properties as object),
    [words.language]: { type: 'string', enum: knownLanguages(deps.config), ...withDescription('Language.own') },
    [words.translations]: {
      type: 'object',
      additionalProperties: { type: 'integer' },
      ...withDescription('Language.translations'),
    },
  }
  return { ...plain, properties }
}
