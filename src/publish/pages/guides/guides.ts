import { readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { once } from '../../../access/http/answers/asset.ts'
import { DEFAULT_TEXT_LANGUAGE } from '../../../base/languages/language.ts'
import { pageText } from '../../../base/languages/texts.ts'
import { escapeHtml, htmlToText } from '../../../base/text/escape.ts'

/** A page of the documentation. */
export interface Guide {
  /** The path below `/docs/`: `how-to/batch`. */
  readonly name: string
  readonly title: string
  rendered(): RenderedGuide
}

/** The text of a guide. It is rendered once, when somebody asks for it. */
interface RenderedGuide {
  /** The text below the title as HTML. Its links are relative to the address of the guide. */
  readonly html: string
  /** The parts under headings; the first is the introduction. */
  readonly parts: readonly GuidePart[]
}

/** A heading of a guide, and the text below it. */
interface GuidePart {
  /** The fragment of its address, or nothing for the introduction. */
  readonly id: string
  readonly level: number
  readonly title: string
  readonly text: string
}

/** The language of the guides. */
export const guideLanguage = DEFAULT_TEXT_LANGUAGE
/** The guide whose lists are the contents of all. */
export const contentsName = 'guides'
const contentsFile = 'docs/README.md'
/** Guides outside of `docs/`. */
const others: Readonly<Record<string, string>> = {
  [contentsFile]: contentsName,
  'packages/client/README.md': 'client',
  'CHANGELOG.md': 'changelog',
  'SECURITY.md': 'security',
}

/** Returns the guides by name, in the order of the contents. The files are read once. */
export const loadGuides = once(async (): Promise<ReadonlyMap<string, Guide>> => {
  const files = new Map<string, string>()
  const [marked] = await Promise.all([import('marked'), visit(contentsFile, files)])
  const guides = [...files].map(([file, markdown]) => guideOf(file, markdown, { shown: files, marked }))
  return new Map(guides.map((guide) => [guide.name, guide]))
})

/** Reads a page, and if it is the contents of a folder, the pages that it lists. */
async function visit(file: string, files: Map<string, string>): Promise<void> {
  const markdown = await readFile(new URL(`../../../../${file}`, import.meta.url), 'utf8')
  files.set(file, markdown)
  if (!/^docs\/.*README\.md$/.test(file)) return
  const lists = markdown.match(/^(?:- |\| | {2}).*/gm) ?? []
  for (const [, link = ''] of lists.join('\n').matchAll(/\]\(([^)#]+\.md)/g)) {
    const target = posix.join(posix.dirname(file), link)
    if (nameOf(target) !== undefined && !files.has(target)) await visit(target, files)
  }
}

/** Returns the name of the guide in a file, or undefined if the service does not show the file. */
function nameOf(file: string): string | undefined {
  return others[file] ?? /^docs\/(?!decisions\/)([a-z0-9/-]+?)(?:\/README)?\.md$/.exec(file)?.[1]
}

/** What the guides are rendered with: all that are shown, and the library. */
interface Rendering {
  readonly shown: ReadonlyMap<string, string>
  readonly marked: typeof import('marked')
}

function guideOf(file: string, markdown: string, rendering: Rendering): Guide {
  const name = nameOf(file) ?? ''
  let known: RenderedGuide | undefined
  const rendered = () => {
    known ??= render(rendererOf(file, name, rendering).parse(markdown, { async: false }))
    return known
  }
  return { name, title: /^# (.+)$/m.exec(markdown)?.[1] ?? name, rendered }
}

function render(markup: string): RenderedGuide {
  const parts = markup.split(/^(?=<h[1-6] )/m).map((part): GuidePart => {
    const [head = '', level = '1', id = '', title = ''] = /^<h(\d) id="([^"]*)">(.*?)<\/h\d>/.exec(part) ?? []
    return {
      id,
      level: Number(level),
      title: htmlToText(title),
      text: htmlToText(part.slice(head.length).replace(/<button .*?<\/button>/g, '')),
    }
  })
  const html = markup.replace(/^\s*<h1 .*?<\/h1>\n/, '')
  return { html, parts: parts.filter(({ title }) => title !== '') }
}

/** The address of the machine on which a reader tries the service. Others cannot follow it. */
const ownMachine = /^https?:\/\/(?:localhost|127\.0\.0\.1)\b/

/**
 * Returns the renderer of a page. No HTML of the page is kept but anchors. Links to pages that are not shown become
 * text.
 */
function rendererOf(file: string, name: string, { shown, marked: { Marked, Renderer } }: Rendering) {
  const ids = new Map<string, number>()
  const say = (key: 'guides.copy' | 'guides.copied') => escapeHtml(pageText(guideLanguage, key))
  const button = `<button type="button" class="quiet" data-copy="code" data-done="${say('guides.copied')}" hidden>${say('guides.copy')}</button>`
  const addressOf = (href: string): string | undefined => {
    if (/^https?:/.test(href)) return ownMachine.test(href) ? undefined : href
    if (href.startsWith('#')) return href
    const [path = '', anchor] = href.split('#')
    const target = posix.join(posix.dirname(file), path)
    const other = shown.has(target) ? nameOf(target) : undefined
    if (other === undefined) return undefined
    return `${posix.relative(`/docs/${name}`, `/docs/${other}`)}/${anchor === undefined ? '' : `#${anchor}`}`
  }
  return new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const id = anchorOf(text, ids)
        return `<h${depth} id="${escapeHtml(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens)
        const address = addressOf(href)
        return address === undefined ? inner : `<a href="${escapeHtml(address)}">${inner}</a>`
      },
      image: ({ text }) => escapeHtml(text),
      html: ({ text }) => (/^(?:<a id="[\w-]+">|<\/a>)$/.test(text) ? text : withoutComments(text)),
      code({ text, lang }) {
        // The layout of pages removes blank lines of markup.
        const lines = escapeHtml(text).replaceAll('\n', '&#10;')
        const language = escapeHtml(lang ?? '')
        return `<div class="code">${['', 'text'].includes(language) ? '' : button}<pre data-language="${language}"><code>${lines}</code></pre></div>\n`
      },
      table(token) {
        return `<div class="wide" role="group" tabindex="0" aria-label="${escapeHtml(token.header[0]?.text ?? '')}">${Renderer.prototype.table.call(this, token)}</div>\n`
      },
    },
  })
}

function withoutComments(markup: string): string {
  return escapeHtml(markup.replace(/<!--.*?-->/gs, '').trim())
}

/** Returns the anchor of a heading, as the pages write it in links: that of GitHub. */
function anchorOf(heading: string, known: Map<string, number>): string {
  const anchor = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
  const count = known.get(anchor) ?? 0
  known.set(anchor, count + 1)
  return count === 0 ? anchor : `${anchor}-${count}`
}

/** A part of a guide that has all words that somebody looks for. */
export interface FoundPart {
  readonly guide: Guide
  readonly part: GuidePart
  /** The text around the first word. */
  readonly excerpt: string
}

const aroundCharacters = 120

/** Returns the parts of guides that have all of the words: first those with more of them in their title. */
export function findInGuides(guides: Iterable<Guide>, words: readonly string[]): readonly FoundPart[] {
  const asked = words.map((word) => word.toLowerCase())
  const has = (text: string) => asked.filter((word) => text.toLowerCase().includes(word)).length
  return [...guides]
    .filter(({ name }) => name !== contentsName)
    .flatMap((guide) => guide.rendered().parts.map((part) => ({ guide, part })))
    .filter(({ guide, part }) => has(`${guide.title} ${part.title} ${part.text}`) === asked.length)
    .map((found) => ({ ...found, rank: 2 * has(found.part.title) + has(found.guide.title) }))
    .toSorted((one, other) => other.rank - one.rank)
    .map(({ guide, part }) => ({ guide, part, excerpt: excerptOf(part.text, asked) }))
}

function excerptOf(text: string, words: readonly string[]): string {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((place) => place >= 0)
  const start = Math.max(0, Math.min(...places, text.length) - aroundCharacters / 2)
  const from = places.length === 0 || start === 0 ? 0 : text.indexOf(' ', start) + 1
  const to = text.lastIndexOf(' ', from + 2 * aroundCharacters)
  return from + 2 * aroundCharacters < text.length ? `${text.slice(from, to)} …` : text.slice(from)
}
