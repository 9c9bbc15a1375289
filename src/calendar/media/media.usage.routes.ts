import { mayRead, mayUpload } from '../../access/auth/policy.ts'
import { accepted, queryNumber, refused, text } from '../../access/http/arguments/argument.rules.ts'
import { filledTextSchema, integerSchema } from '../../access/http/arguments/argument.schema.ts'
import type { ArgumentRule, Arguments } from '../../access/http/arguments/argument.ts'
import { totalPages } from '../../access/http/arguments/paging.ts'
import { endpoint, type Route } from '../../access/http/route.ts'
import { isLanguageOf, type Language } from '../../base/languages/language.ts'
import { presentMedia } from './media.present.ts'
import { listMediaItems } from './media.repository.ts'
import { languageOf, maxPerPage, mediaListArguments } from './media.text.arguments.ts'
import { listFilteredMedia, listMediaUses } from './media.usage.repository.ts'

/** The records that an answer names for each picture. */
const maxUses = 5

const languageRule: ArgumentRule<Language> = (raw, { config }) =>
  isLanguageOf(config, raw) ? accepted(raw) : refused('fault.enum', { allowed: config.languages.join(', ') })

const usageArguments = {
  ...mediaListArguments,
  id: { read: queryNumber, schema: integerSchema, description: 'id.media', type: 'integer' },
  search: { read: text('search'), schema: filledTextSchema, description: 'media.search', type: 'string' },
  without_alt_text: {
    ...{ read: languageRule, schema: filledTextSchema, description: 'media.without_alt_text', type: 'string' },
  },
} as const satisfies Arguments

const usageEndpoint = endpoint({
  methods: ['GET'],
  operation: 'listMediaUsage',
  summary: 'media.usage',
  about: 'media.usage.about',
  answer: { schema: async () => (await import('./media.usage.schema.ts')).MediaUsageSchema },
  problems: ['rest_forbidden'],
  args: usageArguments,
  hasLanguage: true,
  isOpenTo: mayUpload,
  handle: async (call) => {
    const { deps, actor, values } = call
    const { db, dialect } = deps.storage
    const perPage = Math.max(1, Math.min(values.per_page ?? 20, maxPerPage))
    const filter = { id: values.id, words: values.search, withoutAltText: values.without_alt_text }
    const request = { page: Math.max(1, values.page ?? 1), perPage }
    const { ids, total } = await listFilteredMedia({ db, dialect }, filter, request)
    const [media, uses] = await Promise.all([listMediaItems(db, ids), listMediaUses(db, ids, maxUses)])
    const language = languageOf(call)
    const items = media.map((one) => {
      const own = uses.filter(({ imageId }) => imageId === one.id)
      const readable = own.filter((use) => mayRead(actor, use))
      return {
        ...{ media: presentMedia(call, one, language), version: one.version, uses: own[0]?.uses ?? 0 },
        used_by: readable.map(({ id, kind, title, status }) => ({ id, kind, title, status })),
      }
    })
    return { status: 200, body: { items, total, total_pages: totalPages(total, perPage) } }
  },
})

/** Pictures with what shows them. */
export const mediaUsageRoute: Route = { path: '/media/usage', tag: 'Media', endpoints: [usageEndpoint] }
