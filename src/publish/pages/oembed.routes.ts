import type { FastifyInstance } from 'fastify'
import { visitor } from '../../access/auth/actor.ts'
import type { Deps } from '../../access/deps.ts'
import type { Addresses } from '../../access/http/addresses.ts'
import { presentProblem } from '../../access/http/problem.present.ts'
import { textIn } from '../../access/http/service.query.ts'
import { type ServiceCall, serveNamespace } from '../../access/http/service.ts'
import { addressLanguageOf, splitLanguagePath, type TextLanguage } from '../../base/languages/language.ts'
import { fail } from '../../base/problems.ts'
import { findEventOfPage } from '../../calendar/events/event.read.service.ts'
import type { LinkedEvent } from '../../calendar/events/event.ts'
import { pictureUrl } from '../../calendar/media/media.present.ts'
import { recordUrl } from '../../calendar/records/record.present.ts'
import { viewerOf } from '../../calendar/translations/viewer.ts'
import { cardTitle, isMasked, sourcesOf } from './event/event.card.ts'
import { html } from './html.ts'

const usualWidth = 600
const usualHeight = 320
const widestThumbnail = 1024

/**
 * `{rest}/oembed/1.0/embed?url=…`: what a page of another site shows in place of an address of one of our events
 * (oembed.com; addresses.md). It is what a visitor sees, in JSON only.
 */
export function serveOembed(server: FastifyInstance, deps: Deps): void {
  if (!deps.config.isServingPages) return
  const present = (...problem: Parameters<typeof presentProblem>) => presentProblem(...problem).body
  serveNamespace(
    server,
    deps,
    'oembed/1.0',
    (add) => {
      add('GET', '/embed', async (call, request) => {
        const { addresses } = call
        const url = textIn(request, 'url')
        if (url === undefined) return fail('rest_missing_callback_param', { details: { params: ['url'] } })
        const format = textIn(request, 'format') ?? 'json'
        // A form that a provider does not have (oembed.com, 2.3.2).
        if (format !== 'json')
          return fail('rest_invalid_param', { status: 501, faults: { format: { text: 'fault.invalid' } } })
        const named = eventNamed(addresses, url) ?? fail('oembed_invalid_url')
        const viewer = viewerOf({
          deps: call.deps,
          actor: visitor,
          language: addressLanguageOf(deps.config, named.textLanguage),
        })
        const event = (await findEventOfPage(call.deps.storage, viewer, named.slug)) ?? fail('oembed_invalid_url')
        const most = (name: string, usual: number) => Math.min(usual, sizeIn(textIn(request, name)) ?? usual)
        const size = { width: most('maxwidth', usualWidth), height: most('maxheight', usualHeight) }
        return presentOembed(call, event, size)
      })
    },
    present,
  )
}

/** A number of pixels; undefined where a text is none. */
function sizeIn(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,4}$/.test(text) ? Number(text) : undefined
}

/** The event whose page has this address, by whatever scheme it is written. */
function eventNamed(
  { site }: Addresses,
  text: string,
): { readonly slug: string; readonly textLanguage: TextLanguage } | undefined {
  if (!URL.canParse(text)) return undefined
  const [url, own] = [new URL(text), new URL(site)]
  const below = own.pathname.replace(/\/$/, '')
  if (!/^https?:$/.test(url.protocol) || url.host !== own.host || !url.pathname.startsWith(below)) return undefined
  const { textLanguage, path } = splitLanguagePath(url.pathname.slice(below.length))
  const [, slug] = /^\/event\/([^/]+)\/?(?:embed\/?)?$/.exec(path) ?? []
  return slug === undefined ? undefined : { slug, textLanguage }
}

function presentOembed(
  { deps: { config }, addresses }: Pick<ServiceCall, 'deps' | 'addresses'>,
  event: LinkedEvent,
  { width, height }: { readonly width: number; readonly height: number },
) {
  const url = recordUrl(addresses, event)
  const title = cardTitle(event)
  const frame = html`<iframe src="${url}embed/" width="${width}" height="${height}" title="${title}" loading="lazy" sandbox="allow-popups allow-top-navigation-by-user-activation" style="border:0;max-width:100%"></iframe>`
  return {
    version: '1.0',
    provider_name: config.siteName,
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
