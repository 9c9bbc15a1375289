import { namespaceOf } from '../http/addresses.ts'
import type { Argument } from '../http/argument.ts'
import { endpoint, openToAll, type Route } from '../http/route.ts'
import { accepted } from '../http/rules.ts'
import { TEXT_LANGUAGE_CODES } from '../languages/language.ts'
import { fail } from '../problems.ts'
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
          const headers = { 'Content-Language': TEXT_LANGUAGE_CODES[textLanguage] }
          return { status: 200, body, headers, alwaysKept: ['_links'] }
        },
      }),
    ],
  }
}
