import { sharerOf } from '../../access/auth/actor.ts'
import { mayCreate } from '../../access/auth/policy.ts'
import { accepted, itemsOf, refused } from '../../access/http/arguments/argument.rules.ts'
import type { Arguments } from '../../access/http/arguments/argument.ts'
import { endpoint, type Route } from '../../access/http/route.ts'

/** The most addresses of one request. */
const maxLinks = 20
const longestUrl = 2048

const linkArguments = {
  urls: {
    read: (raw) => {
      if (!Array.isArray(raw)) return refused('fault.list')
      const items = itemsOf(raw, maxLinks)
      if ('fault' in items) return items
      const urls = items.value.filter((item) => typeof item === 'string' && item !== '' && item.length <= longestUrl)
      return urls.length > 0 && urls.length === items.value.length
        ? accepted(urls as readonly string[])
        : refused('fault.links', { most: String(longestUrl) })
    },
    schema: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: longestUrl },
      ...{ minItems: 1, maxItems: maxLinks, examples: [['https://example.org/tickets']] },
    },
    type: 'string',
    isRequired: true,
    description: 'links.urls',
  },
} as const satisfies Arguments

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
