import { textHeaders } from '../../access/http/headers.ts'
import { endpoint, openToAll, type Route } from '../../access/http/route.ts'
import type { Config } from '../../base/config/config.ts'
import type { DocContext } from './index.present.ts'

/** Addresses come from the Host header where none is set: only so many documents are kept. */
const maxCachedDocuments = 16

/** `GET /doc`. `routes` is asked when a request comes: the document describes itself as well. */
export function docRoute(routes: () => readonly Route[]): Route {
  const documentOf = cachedDocuments(async (describing) => {
    // Schemas and what describes them are half of all that there is to load: only whoever asks waits for it.
    const { openApiDocument } = await import('./openapi.ts')
    return openApiDocument(routes(), describing, '3.0.0')
  })
  return {
    path: '/doc',
    tag: 'Documentation',
    endpoints: [
      endpoint({
        methods: ['GET'],
        operation: 'getDocument',
        path: {},
        args: {},
        isOpenTo: openToAll,
        handle: async ({ deps, addresses, textLanguage: language }) => ({
          status: 200,
          body: await documentOf({ deps, addresses, language }),
          headers: textHeaders(deps.config, language),
        }),
      }),
    ],
  }
}

/** Builds a document once per configuration, address and language; the one built first is forgotten first. */
function cachedDocuments(
  build: (describing: DocContext) => Promise<object>,
): (describing: DocContext) => Promise<object> {
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
