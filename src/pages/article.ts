import { tokensOf } from '../text/markup.ts'
import { type Html, html, raw } from './html.ts'
import type { PageCall } from './page.ts'

/** What would fight with the style of the page, or is kept out by its policy. */
const looks = /\s(?:style|class|bgcolor|color|face|size|align)="[^"]*"/gi
const source = /\s(src|poster)="([^"]*)"/gi
const media = new Set(['audio', 'video', 'source', 'track'])

/**
 * The description of a record, sanitised when it was written, as part of a page: in the look of the page, below its
 * headings, and without what a browser would fetch from elsewhere. Pictures of other sites become links to them.
 */
export function article(call: PageCall, contentHtml: string): Html {
  let links = 0
  const parts = tokensOf(contentHtml).map((token) => {
    if (token.kind === 'text') return token.source
    const tag = token.source.replace(looks, '')
    if (token.name === 'a') links += token.kind === 'open' ? 1 : -1
    if (token.name === 'h1') return tag.replace(/h1/i, 'h2')
    if (token.kind === 'close') return tag
    if (token.name === 'img') return isOwn(call, attribute(tag, 'src')) ? tag : outsidePicture(call, tag, links > 0)
    if (!media.has(token.name)) return tag
    return tag.replace(source, (all, _name, address: string) => (isOwn(call, address) ? all : ''))
  })
  return raw(parts.join(''))
}

function attribute(tag: string, name: string): string {
  return new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(tag)?.[1] ?? ''
}

function isOwn({ addresses: { site } }: PageCall, address: string): boolean {
  return address.startsWith(`${site}/`) || /^\/(?!\/)/.test(address)
}

function outsidePicture({ say }: PageCall, tag: string, isInLink: boolean): string {
  const [address, alternative] = [attribute(tag, 'src'), attribute(tag, 'alt')]
  // Attributes are escaped already.
  const text = raw(alternative === '' ? say('picture') : alternative)
  return (
    isInLink ? html`${text}` : html`<a class="outside" rel="nofollow noopener" href="${raw(address)}">${text}</a>`
  ).html
}
