import { accepted, itemsOf, refused } from '../../access/http/arguments/argument.rules.ts'
import type { Arguments } from '../../access/http/arguments/argument.ts'

/** The most addresses of one request. */
const mostLinks = 20
const longestUrl = 2048

export const linkArguments = {
  urls: {
    read: (raw) => {
      if (!Array.isArray(raw)) return refused('fault.list')
      const items = itemsOf(raw, mostLinks)
      if ('fault' in items) return items
      const urls = items.value.filter((item) => typeof item === 'string' && item !== '' && item.length <= longestUrl)
      return urls.length > 0 && urls.length === items.value.length
        ? accepted(urls as readonly string[])
        : refused('fault.links', { most: String(longestUrl) })
    },
    schema: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: longestUrl },
      ...{ minItems: 1, maxItems: mostLinks, examples: [['https://example.org/tickets']] },
    },
    type: 'string',
    isRequired: true,
    description: 'links.urls',
  },
} as const satisfies Arguments
