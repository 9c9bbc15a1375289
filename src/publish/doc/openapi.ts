import { isHttps } from '../../access/auth/request.credentials.ts'
import { sessionCookieName } from '../../access/auth/session.cookie.ts'
import type { OpenApiKey } from '../../base/languages/catalogue.ts'
import { type DocContext, describedUrl } from './index.present.ts'
import { type OpenApiContext, openApiContext } from './openapi.context.ts'
import { headersOf, writeInputs, writeOperations, writeResponses } from './openapi.operations.ts'
import { globalComponents } from './openapi.parameters.ts'
import { headerComponents } from './openapi.responses.ts'
import type { OpenApiVersion } from './openapi.schema.ts'
import { loadSchemas, withLanguage } from './openapi.schemas.ts'

/**
 * Returns a namespace as an OpenAPI document (index-and-doc.md §3 and §4; rulings.md 21), generated from the endpoints
 * that serve it, in the language of `describing`.
 *
 * @param version 3.0.0 for recorded clients, 3.1.0 for current tools: the same content.
 */
export async function openApiDocument(describing: DocContext, version: OpenApiVersion) {
  const { routes, policy } = describing.namespace
  const openApi = openApiContext(describing, { version, schemas: await loadSchemas(describing.namespace) })
  const { say } = openApi
  const { document } = policy
  const tags = new Set(routes.map((route) => say(`tag.${route.tag}` as OpenApiKey)))
  return {
    openapi: version,
    info: { version: document.version, title: say(document.title), description: say(document.description) },
    components: writeComponents(openApi),
    servers: [{ url: describedUrl(describing, '') }],
    paths: Object.fromEntries(routes.map((route) => [route.path || '/', writeOperations(route, openApi)])),
    tags: [...tags].map((name) => ({ name })),
  }
}

function writeComponents(openApi: OpenApiContext) {
  const { describing, say } = openApi
  const { routes, policy } = describing.namespace
  const headers = new Set(
    routes.flatMap(({ endpoints }) => endpoints.flatMap((endpoint) => headersOf(endpoint, openApi))),
  )
  return {
    schemas: {
      ...Object.fromEntries(
        [...openApi.schemas.byName].map(([name, schema]) => [name, openApi.schema(withLanguage(schema, describing))]),
      ),
      ...Object.assign({}, ...routes.map((route) => writeInputs(route, openApi))),
    },
    responses: Object.assign({}, ...routes.map((route) => writeResponses(route, openApi))),
    parameters: globalComponents(openApi),
    headers: headerComponents(openApi, headers),
    securitySchemes: {
      basic: { type: 'http', scheme: 'basic', description: say('security.basic') },
      bearer: { type: 'http', scheme: 'bearer', description: say('security.bearer') },
      ...(policy.document.hasSessions ? sessionSchemes(openApi) : {}),
    },
  }
}

/** The browser of a signed-in user: its cookie, and for writes the token as well. */
function sessionSchemes({ describing, say }: OpenApiContext) {
  const name = sessionCookieName(isHttps(describing.addresses.site))
  return {
    session: { type: 'apiKey', in: 'cookie', name, description: say('security.session') },
    csrf: { type: 'apiKey', in: 'header', name: 'X-CSRF-Token', description: say('security.csrf') },
  }
}
