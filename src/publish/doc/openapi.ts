import type { TSchema } from 'typebox'
import { languageWords, routeUrl } from '../../access/http/addresses.ts'
import { ProblemSchema } from '../../access/http/problem.schema.ts'
import type { Route } from '../../access/http/route.ts'
import { nameOf, said } from '../../access/http/schema.ts'
import type { OpenApiKey } from '../../base/languages/en/openapi.ts'
import { knownLanguages } from '../../base/languages/language.ts'
import {
  CostDetailsSchema,
  DateDetailsSchema,
  EventJsonLdSchema,
  EventListSchema,
  EventSchema,
} from '../../calendar/events/event.schema.ts'
import { ImageSchema, ImageSizeSchema } from '../../calendar/media/media.schema.ts'
import { OrganizerListSchema, OrganizerSchema, PersonJsonLdSchema } from '../../calendar/organizers/organizer.schema.ts'
import {
  CategoryListSchema,
  CategorySchema,
  TagListSchema,
  TagSchema,
  TermSchema,
  TermUrlsSchema,
} from '../../calendar/terms/term.schema.ts'
import { PlaceJsonLdSchema, VenueListSchema, VenueSchema } from '../../calendar/venues/venue.schema.ts'
import { FeedSchema } from '../feeds/feed.schema.ts'
import type { DocContext } from './index.present.ts'
import { DocumentSchema, IndexArgumentSchema, IndexRouteSchema, IndexSchema } from './index.schema.ts'
import { type OpenApiContext, openApiContext } from './openapi.context.ts'
import { writeInputs, writeOperations, writeResponses } from './openapi.operations.ts'
import { globalComponents } from './openapi.parameters.ts'
import { headerComponents } from './openapi.responses.ts'
import type { OpenApiVersion, Schema } from './openapi.schema.ts'

/** The version of the interface that the document describes. Contract: index-and-doc.md §3. */
const interfaceVersion = '1.0.0'

/** Everything that stands on the wire in an answer; first those that the contract names, in its order. */
const ANSWER_SCHEMAS: readonly TSchema[] = [
  ...[ImageSizeSchema, CostDetailsSchema, TermSchema, ImageSchema],
  ...[DateDetailsSchema, EventSchema, VenueSchema, OrganizerSchema],
  ...[CategorySchema, TagSchema, TermUrlsSchema],
  ...[EventListSchema, VenueListSchema, OrganizerListSchema, CategoryListSchema, TagListSchema],
  ...[EventJsonLdSchema, PlaceJsonLdSchema, PersonJsonLdSchema],
  ...[IndexSchema, IndexRouteSchema, IndexArgumentSchema, DocumentSchema, ProblemSchema],
  FeedSchema,
]

/**
 * The interface as an OpenAPI document (index-and-doc.md §3 and §4; rulings.md 21), made from the routes that serve
 * it, in the language of `describing`.
 *
 * @param version 3.0.0 for recorded clients, 3.1.0 for tools of today: the same content.
 */
export function openApiDocument(routes: readonly Route[], describing: DocContext, version: OpenApiVersion) {
  const openApi = openApiContext(describing, version)
  const { say } = openApi
  const tags = new Set(routes.map((route) => say(`tag.${route.tag}` as OpenApiKey)))
  return {
    openapi: version,
    info: { version: interfaceVersion, title: say('info.title'), description: say('info.description') },
    components: writeComponents(routes, openApi),
    servers: [{ url: routeUrl(describing.addresses, '') }],
    paths: Object.fromEntries(routes.map((route) => [route.path || '/', writeOperations(route, openApi)])),
    tags: [...tags].map((name) => ({ name })),
  }
}

const IN_LANGUAGES = new Set(
  [EventSchema, VenueSchema, OrganizerSchema, CategorySchema, TagSchema, TermSchema].map(nameOf),
)

/** What is translated also shows its language and versions, where a language was asked for (languages.md §4). */
function withLanguage(schema: TSchema, { describing }: OpenApiContext): Schema {
  const plain = schema as Schema
  if (!IN_LANGUAGES.has(nameOf(schema))) return plain
  const words = languageWords(describing.addresses)
  const properties = {
    ...(plain.properties as object),
    [words.language]: { type: 'string', enum: knownLanguages(describing.deps.config), ...said('Language.own') },
    [words.translations]: {
      type: 'object',
      additionalProperties: { type: 'integer' },
      ...said('Language.translations'),
    },
  }
  return { ...plain, properties }
}

function writeComponents(routes: readonly Route[], openApi: OpenApiContext) {
  return {
    schemas: {
      ...Object.fromEntries(
        ANSWER_SCHEMAS.map((schema) => [nameOf(schema), openApi.schema(withLanguage(schema, openApi))]),
      ),
      ...Object.assign({}, ...routes.map((route) => writeInputs(route, openApi))),
    },
    responses: Object.assign({}, ...routes.map((route) => writeResponses(route, openApi))),
    parameters: globalComponents(openApi),
    headers: headerComponents(openApi),
    securitySchemes: {
      basic: { type: 'http', scheme: 'basic', description: openApi.say('security.basic') },
      bearer: { type: 'http', scheme: 'bearer', description: openApi.say('security.bearer') },
    },
  }
}
