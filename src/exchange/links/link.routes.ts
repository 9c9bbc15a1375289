import { sharerOf } from '../../access/auth/actor.ts'
import { mayCreate } from '../../access/auth/policy.ts'
import { endpoint, type Route } from '../../access/http/route.ts'
import { linkArguments } from './link.arguments.ts'

const checkEndpoint = endpoint({
  methods: ['POST'],
  operation: 'checkLinks',
  summary: 'links.check',
  about: 'links.check.about',
  answer: { schema: async () => (await import('./link.schema.ts')).LinkChecksSchema },
  problems: ['rest_forbidden', 'rest_missing_callback_param'],
  path: {},
  args: linkArguments,
  isOpenTo: mayCreate,
  handle: async ({ deps, actor, client, values: { urls } }) => {
    const unknown = urls.filter((url) => !deps.links.isKnown(url)).length
    // Each request to another site counts. The first one is that of the client.
    const headers = actor.kind === 'user' ? deps.limits.chargeUser(client, actor.id, Math.max(0, unknown - 1)) : {}
    const links = await Promise.all(
      urls.map(async (url) => ({ url, result: await deps.links.check(url, sharerOf(actor)) })),
    )
    return { status: 200, headers, body: { links } }
  },
})

/** Whether addresses of other sites answer. */
export const linkCheckRoutes: readonly Route[] = [{ path: '/links/check', tag: 'Links', endpoints: [checkEndpoint] }]
