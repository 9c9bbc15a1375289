import { rewriteElements } from '../../../base/text/elements.ts'
import { type Html, html, raw } from '../../../base/text/html.ts'
import { needsNoSanitizing } from '../../../base/text/sanitize.plain.ts'
import type { Element } from '../../../base/text/tags.ts'
import type { PageCall } from './page.ts'

/** Attributes that our scripts react to. Text that an author wrote never controls a script. */
const scriptHooks = /^data-/
/** Attributes that conflict with the style of the page or that its content security policy blocks. */
const presentationAttributes: ReadonlySet<string> = new Set([
  'style',
  'class',
  'bgcolor',
  'color',
  'face',
  'size',
  'align',
])
const media: ReadonlySet<string> = new Set(['audio', 'video', 'source', 'track'])
const sources: ReadonlySet<string> = new Set(['src', 'poster'])
const unchanged = ['p', 'br', 'a', 'b', 'strong', 'i', 'em', 'u']

/**
 * Returns the description of a record as part of a page. It was sanitised when it was written. The result follows the
 * style of the page, starts below its headings and loads nothing from other sites. Pictures of other sites become
 * links.
 */
export function article(call: PageCall, contentHtml: string): Html {
  if (needsNoSanitizing(contentHtml, unchanged)) return raw(contentHtml)
  return raw(
    rewriteElements(contentHtml, ({ name, attributes }, within) => {
      const kept = without(
        attributes,
        (attribute) => presentationAttributes.has(attribute) || scriptHooks.test(attribute),
      )
      if (name === 'h1') return { name: 'h2', attributes: kept }
      if (name === 'img' && !isOwn(call, kept.src ?? '')) return outsidePicture(call, kept, within)
      if (!media.has(name)) return { name, attributes: kept }
      return { name, attributes: without(kept, (attribute, value) => sources.has(attribute) && !isOwn(call, value)) }
    }),
  )
}

function without(attributes: Element['attributes'], isLeftOut: (name: string, value: string) => boolean) {
  return Object.fromEntries(Object.entries(attributes).filter(([name, value]) => !isLeftOut(name, value)))
}

/**
 * Reports if the address belongs to this site. It parses the address as browsers do, since they accept more than it
 * seems.
 */
function isOwn({ addresses: { site } }: PageCall, address: string): boolean {
  if (!address.startsWith('/') && !address.startsWith(`${site}/`)) return false
  return URL.parse(address, site)?.origin === new URL(site).origin
}

function outsidePicture(call: PageCall, { src = '', alt }: Element['attributes'], within: readonly Element[]): Html {
  const text = alt || call.say('picture')
  const isInLink = within.some(({ name }) => name === 'a')
  if (isInLink || !isWebUrl(call, src)) return html`${text}`
  return html`<a class="outside" rel="nofollow noopener" href="${src}">${text}</a>`
}

function isWebUrl({ addresses: { site } }: PageCall, address: string): boolean {
  return address !== '' && /^https?:$/.test(URL.parse(address, site)?.protocol ?? '')
}
