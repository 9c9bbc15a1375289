import { namespaceOf } from '../../access/http/addresses.ts'
import { accepted } from '../../access/http/argument.rules.ts'
import { filledTextSchema, wordSchema } from '../../access/http/argument.schema.ts'
import type { Argument } from '../../access/http/argument.ts'
import { textHeaders } from '../../access/http/headers.ts'
import type { Namespace } from '../../access/http/namespace.ts'
import { alwaysShort } from '../../access/http/read.cost.ts'
import { type Call, type EndpointResult, endpoint, openToAll, type Route } from '../../access/http/route.ts'
import { type ServiceRoute, serviceEndpoint } from '../../access/http/service.ts'
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

/**
 * `GET` of the contract's namespace itself. `namespace` is called on each request, because the index lists itself as
 * well.
 */
export function indexRoute(namespace: () => Namespace): Route {
  return {
    path: '',
    tag: 'Index',
    endpoints: [
      endpoint({
        ...indexEndpoint,
        operation: 'getIndex',
        problems: ['rest_invalid_namespace'],
        args: indexArguments,
        handle: async (call) => {
          const { namespace: own } = call.addresses
          if ((call.values.namespace ?? own) !== own) fail('rest_invalid_namespace')
          return { ...answerIndex(namespace(), call), alwaysKept: ['_links'] }
        },
      }),
    ],
  }
}

/** The index of our own namespace, which has no parameters. */
export function serviceIndexRoute(namespace: () => Namespace): ServiceRoute {
  return {
    path: '',
    tag: 'Index',
    endpoints: [
      serviceEndpoint({
        ...indexEndpoint,
        operation: 'getServiceIndex',
        problems: [],
        args: {},
        handle: async (call) => answerIndex(namespace(), call),
      }),
    ],
  }
}

const indexEndpoint = {
  methods: ['GET'],
  isShort: alwaysShort,
  summary: 'index.get',
  answer: { schema: async () => (await import('./index.schema.ts')).IndexSchema },
  path: {},
  isOpenTo: openToAll,
} as const

function answerIndex(
  namespace: Namespace,
  { deps, addresses, textLanguage: language }: Pick<Call, 'deps' | 'addresses' | 'textLanguage'>,
): EndpointResult {
  const body = presentIndex({ deps, addresses, language, namespace })
  return { status: 200, body, headers: textHeaders(deps.config, language) }
}
