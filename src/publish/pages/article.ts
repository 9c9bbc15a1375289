import { rewriteElements } from '../../base/text/elements.ts'
import { needsNoSanitizing } from '../../base/text/sanitize.plain.ts'
import type { Element } from '../../base/text/tags.ts'
import { type Html, html, raw } from './html.ts'
import type { PageCall } from './page.ts'

/** What scripts of a page react to: those of ours are never told anything by what somebody wrote. */
const scriptHooks = /^data-/
/** What would fight with the style of the page, or is kept out by its policy. */
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
 * The description of a record, sanitised when it was written, as part of a page: in the look of the page, below its
 * headings, and without what a browser would fetch from elsewhere. Pictures of other sites become links to them.
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

/** Whether a browser asks this site for what is at the address, which it reads with more freedom than it seems to have. */
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
