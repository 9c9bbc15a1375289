import { textHeaders } from '../../access/http/answers/headers.ts'
import type { Namespace } from '../../access/http/namespace.ts'
import { endpoint, openToAll, type Route } from '../../access/http/route.ts'
import type { Config } from '../../base/config/config.ts'
import type { DocContext } from './index.present.ts'

/** Without a setting, addresses come from the Host header, so the number of cached documents is limited. */
const maxCachedDocuments = 16

/** `GET /doc`. `namespace` is called on each request, because the document describes itself as well. */
export function docRoute(operation: string, namespace: () => Namespace): Route {
  const documentOf = cachedDocuments(buildDocument)
  return {
    path: '/doc',
    tag: 'Documentation',
    endpoints: [
      endpoint({
        methods: ['GET'],
        operation,
        summary: 'doc.get',
        answer: { schema: async () => (await import('./index.schema.ts')).DocumentSchema },
        problems: [],
        isOpenTo: openToAll,
        handle: async ({ deps, addresses, textLanguage: language }) => ({
          status: 200,
          body: await documentOf({ deps, addresses, language, namespace: namespace() }),
          headers: textHeaders(deps.config, language),
        }),
      }),
    ],
  }
}

type BuildDocument = (describing: DocContext) => Promise<object>

async function buildDocument(describing: DocContext): Promise<object> {
  // Schemas and the code that describes them are half of all modules. So they are loaded on the first request.
  const { openApiDocument } = await import('./openapi.ts')
  return openApiDocument(describing, describing.namespace.policy.document.openApi)
}

/** Builds a document once per configuration, address and language; the oldest one is evicted first. */
function cachedDocuments(build: BuildDocument): BuildDocument {
  const kept = new WeakMap<Config, Map<string, object>>()
  return async (describing) => {
    const { deps, addresses, language } = describing
    const documents = kept.get(deps.config) ?? new Map<string, object>()
    kept.set(deps.config, documents)
    const key = `${language} ${addresses.base}`
    const known = documents.get(key)
    if (known) return known
    const document = await build(describing)
    documents.set(key, document)
    const [first] = documents.keys()
    if (documents.size > maxCachedDocuments && first !== undefined) documents.delete(first)
    return document
  }
}
