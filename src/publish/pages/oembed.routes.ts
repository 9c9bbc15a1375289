import { visitor } from '../../access/auth/actor.ts'
import type { Addresses } from '../../access/http/addresses.ts'
import { accepted, queryText, refused } from '../../access/http/arguments/argument.rules.ts'
import { integerSchema, wordSchema } from '../../access/http/arguments/argument.schema.ts'
import type { Argument, Arguments } from '../../access/http/arguments/argument.ts'
import type { Call } from '../../access/http/call.ts'
import { besideContractPolicy, type Namespace } from '../../access/http/namespace.ts'
import { alwaysShort } from '../../access/http/read.cost.ts'
import { endpoint, openToAll } from '../../access/http/route.ts'
import {
  addressLanguageOf,
  contentLanguageOf,
  splitLanguagePath,
  type TextLanguage,
} from '../../base/languages/language.ts'
import { fail } from '../../base/problems.ts'
import { html } from '../../base/text/html.ts'
import type { LinkedEvent } from '../../calendar/events/model/event.ts'
import { pictureUrl } from '../../calendar/media/media.present.ts'
import { viewerOf } from '../../calendar/translations/viewer.ts'
import { isMasked, sourcesOf } from './event/event.card.ts'
import { statedTitle } from './event/event.states.ts'
import { findEmbedded, findMovedCard } from './series/series.embedded.ts'

const usualWidth = 600
const usualHeight = 320
const widestThumbnail = 1024

const size: Argument<number | undefined> = {
  read: (raw) => (typeof raw === 'string' ? accepted(sizeIn(raw)) : refused('fault.string')),
  schema: integerSchema,
  about: 'argument.oembed.size',
}

/** `maxwidth` and `maxheight` limit the size. A value that is not a number of pixels is ignored. */
const oembedArguments = {
  url: { read: queryText, schema: { type: 'string', format: 'uri' }, about: 'argument.oembed.url', isRequired: true },
  format: { read: queryText, schema: wordSchema(['json']), about: 'argument.oembed.format' },
  maxwidth: size,
  maxheight: size,
} as const satisfies Arguments

const embedEndpoint = endpoint({
  methods: ['GET'],
  isShort: alwaysShort,
  operation: 'getEmbed',
  summary: 'oembed.get',
  answer: { schema: async () => (await import('./oembed.schema.ts')).OembedSchema },
  problems: ['oembed_invalid_url'],
  args: oembedArguments,
  isOpenTo: openToAll,
  handle: async ({ deps, addresses, values }) => {
    // A format that the provider does not support (oembed.com, 2.3.2).
    if ((values.format || 'json') !== 'json')
      return fail('rest_invalid_param', { status: 501, faults: { format: { text: 'fault.invalid' } } })
    const named = eventNamed(addresses, values.url) ?? fail('oembed_invalid_url')
    const { end, textLanguage } = named
    const language = contentLanguageOf(deps.config, textLanguage)
    const viewer = viewerOf({ deps, actor: visitor, language: addressLanguageOf(deps.config, textLanguage) })
    const call = { deps, addresses, viewer, textLanguage, language, now: deps.now(), search: '' }
    const moved = async () => {
      const { url } = (await findMovedCard(call, end)) ?? {}
      const present = url === undefined ? undefined : eventNamed(addresses, new URL(url, addresses.site).href)
      return present && findEmbedded(call, present.end)
    }
    const embedded = (await findEmbedded(call, end)) ?? (await moved()) ?? fail('oembed_invalid_url')
    const width = Math.min(usualWidth, values.maxwidth ?? usualWidth)
    const height = Math.min(usualHeight, values.maxheight ?? usualHeight)
    return { status: 200, body: presentOembed({ deps, addresses }, embedded, { width, height }) }
  },
})

/**
 * `{rest}/oembed/1.0/embed?url=…`: the content that a page of another site shows for the address of one of our events
 * (oembed.com; addresses.md). It contains what a visitor may see, in JSON only.
 */
export const oembedNamespace: Namespace = {
  name: () => 'oembed/1.0',
  isServed: ({ isServingPages }) => isServingPages,
  policy: besideContractPolicy,
  routes: [{ path: '/embed', tag: 'Events', endpoints: [embedEndpoint] }],
}

/** Parses a number of pixels; undefined if the text is not one. */
function sizeIn(text: string): number | undefined {
  return /^[1-9]\d{0,4}$/.test(text) ? Number(text) : undefined
}

/** Finds the event whose page has this address, with any scheme. */
function eventNamed(
  { site }: Addresses,
  text: string,
): { readonly end: string; readonly textLanguage: TextLanguage } | undefined {
  if (!URL.canParse(text)) return undefined
  const [url, own] = [new URL(text), new URL(site)]
  const below = own.pathname.replace(/\/$/, '')
  if (!/^https?:$/.test(url.protocol) || url.host !== own.host || !url.pathname.startsWith(below)) return undefined
  const { textLanguage, path } = splitLanguagePath(url.pathname.slice(below.length))
  const pattern = /^\/event\/([^/]+(?:\/\d{4}-\d\d-\d\d(?:\/\d{1,4})?)?)(?:\/all)?\/?(?:embed\/?)?$/
  const [, end] = pattern.exec(path) ?? []
  return end === undefined ? undefined : { end, textLanguage }
}

function presentOembed(
  { deps, addresses }: Pick<Call, 'deps' | 'addresses'>,
  { event, url }: { readonly event: LinkedEvent; readonly url: string },
  { width, height }: { readonly width: number; readonly height: number },
) {
  const title = statedTitle({ deps }, event)
  const frame = html`<iframe src="${url}embed/" width="${width}" height="${height}" title="${title}" loading="lazy" sandbox="allow-popups allow-top-navigation-by-user-activation" style="border:0;max-width:100%"></iframe>`
  return {
    version: '1.0',
    provider_name: deps.config.siteName,
    provider_url: addresses.site,
    title,
    type: 'rich',
    width,
    height,
    html: frame.html,
    ...thumbnail(addresses, event),
  }
}

function thumbnail(addresses: Addresses, event: LinkedEvent): object {
  const { image } = event
  if (!image || isMasked(event)) return {}
  const { file, width } = sourcesOf(image).findLast((source) => source.width <= widestThumbnail) ?? image
  return {
    thumbnail_url: pictureUrl(addresses, file),
    thumbnail_width: width,
    thumbnail_height: Math.round((width * image.height) / image.width),
  }
}
