import type { Actor } from '../../access/auth/actor.ts'
import type { Deps } from '../../access/deps.ts'
import type { Addresses } from '../../access/http/addresses.ts'
import type { Sent } from '../../access/http/argument.ts'
import type { PageKey } from '../../base/languages/en/pages.ts'
import type { Language, TextLanguage } from '../../base/languages/language.ts'
import { pageText } from '../../base/languages/pages.texts.ts'
import type { LinkedEvent } from '../../calendar/events/event.ts'
import type { ReadContext, Viewer } from '../../calendar/translations/viewer.ts'
import type { FeedFormat } from '../feeds/feed.ts'
import type { Html } from './html.ts'

/** What a page is made with. Pages are the same for everybody: they show what visitors may see. */
export interface PageCall {
  readonly deps: Deps
  readonly addresses: Addresses
  readonly textLanguage: TextLanguage
  /** The language of content that is shown first. */
  readonly language: Language
  readonly viewer: Viewer & { readonly actor: Actor }
  /** Below the language, without query: `/events/month/2030-01/`. */
  readonly path: string
  readonly query: Sent
  /** The query as it came. */
  readonly search: string
  /** Set where what the page shows is asked for as a feed. */
  readonly format: FeedFormat | undefined
  /** What the client is counted by; undefined where it is not. */
  readonly client: string | undefined
  /** Of a form that was sent. */
  readonly form: Sent | undefined
  readonly files: PageFiles
  /** Whole seconds since 1970, UTC. */
  readonly now: number
  say(key: PageKey, values?: Readonly<Record<string, string | number>>): string
}

/** What the reads of a page need. */
export function readContextOf({ deps: { storage }, viewer }: Pick<PageCall, 'deps' | 'viewer'>): ReadContext {
  return { db: storage.db, dialect: storage.dialect, viewer }
}

/** Addresses of the files that pages ask for, each with its content in its name. */
export interface PageFiles {
  readonly style: string
  readonly script: string
  readonly theme: string | undefined
  readonly logo: string | undefined
  /** Of the map with streets, where there is one. */
  readonly streets:
    | { readonly script: string; readonly engine: string; readonly worker: string; readonly style: string }
    | undefined
}

/** Which of the views the visitor is in. */
export type ActiveView = 'list' | 'month' | 'map'

/** What machines are told of a page. */
interface Meta {
  /** Path and query of the one address that this page has. */
  readonly path: string
  readonly description?: string | undefined
  /** Plain, not as a picture of the page is. */
  readonly image?:
    | { readonly url: string; readonly width: number; readonly height: number; readonly alt?: string | undefined }
    | undefined
  readonly kind?: 'website' | 'article'
  /** Whether search engines may list it. */
  readonly isIndexed?: boolean
  readonly data?: object | undefined
  /** What it lists: machines are told of those that are for everybody. */
  readonly events?: readonly LinkedEvent[]
}

/** A page without what is around all of them. */
export interface Page {
  readonly kind: 'page'
  readonly status: 200 | 400 | 403 | 404 | 410 | 429 | 500
  /** Plain text. */
  readonly title: string
  readonly view?: ActiveView | undefined
  readonly main: Html
  readonly meta: Meta
  /** Addresses of this page by language, where it is in others as well. */
  readonly versions?: Readonly<Record<Language, string>> | undefined
  /** The same in the other languages of texts, or what comes nearest. */
  readonly switchTo?: Readonly<Partial<Record<TextLanguage, string>>> | undefined
  /** Versions in languages that the service has no texts in. */
  readonly alsoIn?: readonly { readonly language: Language; readonly path: string }[] | undefined
  /** What every view is narrowed by from here on. */
  readonly filters?: Readonly<Record<string, string>> | undefined
  /** What the feeds of this page are asked for; undefined: all events. */
  readonly feedQuery?: string | undefined
  /** The calendar of what this page shows, where that is no list. */
  readonly calendar?: string | undefined
  /** The last second at which the clock gives the same page. */
  readonly freshUntil: number
  /** Whether nobody else may be given it. */
  readonly isPrivate?: boolean
  /** Seconds after which to come again. */
  readonly waitSeconds?: string | undefined
}

/** Another address, in place of a page. */
export interface PageRedirect {
  readonly kind: 'elsewhere'
  readonly status: 301 | 302
  readonly url: string
  /** The header of the request by which it was chosen. */
  readonly varies?: string
}

/** A file for machines. */
export interface PlainText {
  readonly kind: 'text'
  readonly type: string
  readonly text: string
  /** Its name, where it is saved as a file. */
  readonly fileName?: string
  /** The last second at which the clock gives the same; undefined: it never changes it. */
  readonly freshUntil?: number
}

/** A document that pages of other sites show in a frame. */
interface EmbeddedFrame {
  readonly kind: 'frame'
  readonly document: Html
}

export type PageAnswer = Page | PageRedirect | PlainText | EmbeddedFrame

export function sayIn(textLanguage: TextLanguage): PageCall['say'] {
  return (key, values) => pageText(textLanguage, key, values)
}
