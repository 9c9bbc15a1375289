import { namespaceOf } from '../../access/http/addresses.ts'
import { textHeaders } from '../../access/http/answers/headers.ts'
import { accepted } from '../../access/http/arguments/argument.rules.ts'
import { filledTextSchema, wordSchema } from '../../access/http/arguments/argument.schema.ts'
import type { Argument } from '../../access/http/arguments/argument.ts'
import type { Namespace } from '../../access/http/namespace.ts'
import { alwaysShort } from '../../access/http/read.cost.ts'
import { type Endpoint, endpoint, openToAll, type Route } from '../../access/http/route.ts'
import { fail } from '../../base/problems.ts'
import { presentIndex } from './index.present.ts'

// Lists and objects are not among the accepted words. Converting one to a text can throw.
const anything = (raw: unknown) => accepted(typeof raw === 'object' ? '' : String(raw))

const indexArguments = {
  namespace: {
    read: anything,
    schema: filledTextSchema,
    about: 'argument.namespace',
    default: ({ config }) => namespaceOf(config),
  },
  // Accepted, without effect (index-and-doc.md §1).
  context: {
    read: anything,
    schema: wordSchema(['view', 'embed', 'edit']),
    about: 'argument.context',
    default: 'view',
  },
} as const satisfies Record<string, Argument<string>>

/** The index of the contract's namespace. */
export const contractIndex = {
  operation: 'getIndex',
  problems: ['rest_invalid_namespace'],
  args: indexArguments,
} as const

/** The index of our own namespace, which has no parameters. */
export const serviceIndex = { operation: 'getServiceIndex', problems: [], args: {} } as const

/** `GET` of a namespace itself. `namespace` is called on each request, because the index lists itself as well. */
export function indexRoute(
  index: Pick<Endpoint, 'operation' | 'problems' | 'args'>,
  namespace: () => Namespace,
): Route {
  return {
    path: '',
    tag: 'Index',
    endpoints: [
      endpoint({
        ...index,
        methods: ['GET'],
        isShort: alwaysShort,
        summary: 'index.get',
        answer: { schema: async () => (await import('./index.schema.ts')).IndexSchema },
        isOpenTo: openToAll,
        handle: async ({ deps, addresses, textLanguage: language, values }) => {
          if ((values.namespace ?? addresses.namespace) !== addresses.namespace) fail('rest_invalid_namespace')
          const body = presentIndex({ deps, addresses, language, namespace: namespace() })
          return { status: 200, body, headers: textHeaders(deps.config, language), alwaysKept: ['_links'] }
        },
      }),
    ],
  }
}
