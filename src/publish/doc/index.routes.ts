import { namespaceOf } from '../../access/http/addresses.ts'
import type { Argument } from '../../access/http/argument.ts'
import { textHeaders } from '../../access/http/headers.ts'
import { endpoint, openToAll, type Route } from '../../access/http/route.ts'
import { accepted } from '../../access/http/rules.ts'
import { fail } from '../../base/problems.ts'
import { presentIndex } from './index.present.ts'

// Lists and objects, which need not become a text without an error, are none of the words that matter.
const anything = (raw: unknown) => accepted(typeof raw === 'object' ? '' : String(raw))

const indexArguments = {
  namespace: { read: anything, default: ({ config }) => namespaceOf(config) },
  // Accepted, without effect (index-and-doc.md §1).
  context: { read: anything, default: 'view' },
} as const satisfies Record<string, Argument<string>>

/** `GET` of the namespace itself. `routes` is asked when a request comes: the index lists itself as well. */
export function indexRoute(routes: () => readonly Route[]): Route {
  return {
    path: '',
    tag: 'Index',
    endpoints: [
      endpoint({
        methods: ['GET'],
        operation: 'getIndex',
        path: {},
        args: indexArguments,
        isOpenTo: openToAll,
        handle: async ({ deps, addresses, values, textLanguage }) => {
          if ((values.namespace ?? addresses.namespace) !== addresses.namespace) fail('rest_invalid_namespace')
          const body = presentIndex(routes(), { deps, addresses, language: textLanguage })
          return { status: 200, body, headers: textHeaders(deps.config, textLanguage), alwaysKept: ['_links'] }
        },
      }),
    ],
  }
}
