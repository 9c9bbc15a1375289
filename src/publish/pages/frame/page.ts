import type { Actor } from '../../../access/auth/actor.ts'
import type { Deps } from '../../../access/deps.ts'
import type { Addresses } from '../../../access/http/addresses.ts'
import type { RawParameters } from '../../../access/http/arguments/argument.ts'
import type { PageKey } from '../../../base/languages/catalogue.ts'
import type { Language, TextLanguage } from '../../../base/languages/language.ts'
import { pageText } from '../../../base/languages/texts.ts'
import type { Html } from '../../../base/text/html.ts'
import type { LinkedEvent } from '../../../calendar/events/model/event.ts'
import type { ReadContext, Viewer } from '../../../calendar/translations/viewer.ts'
import type { FeedFormat } from '../../feeds/feed.ts'

/** The context in which a page is made. Pages are the same for everybody and show what visitors may see. */
export interface PageCall {
  readonly deps: Deps
  readonly addresses: Addresses
  readonly textLanguage: TextLanguage
  /** The language of content that is shown first. */
  readonly language: Language
  readonly viewer: Viewer & { readonly actor: Actor }
  /** The path below the language, without query: `/events/month/2030-01/`. */
  readonly path: string
  readonly query: RawParameters
  /** The raw query string. */
  readonly search: string
  /** The format, if the request asks for the content of the page as a feed. */
  readonly format: FeedFormat | undefined
  /** The key of the client in rate limits; undefined if requests of this client are not limited. */
  readonly client: string | undefined
  /** The fields of a submitted form. */
  readonly form: RawParameters | undefined
  readonly files: PageFiles
  /** Whole seconds since 1970, UTC. */
  readonly now: number
  say(key: PageKey, values?: Readonly<Record<string, string | number>>): string
}

export function readContextOf({ deps: { storage }, viewer }: Pick<PageCall, 'deps' | 'viewer'>): ReadContext {
  return { db: storage.db, dialect: storage.dialect, viewer }
}

/** Addresses of the files that pages load. Each name contains a digest of the content. */
export interface PageFiles {
  readonly style: string
  readonly script: string
  readonly theme: string | undefined
  readonly logo: string | undefined
  /** Files of the street map, if it is configured. */
  readonly streets:
    | { readonly script: string; readonly engine: string; readonly worker: string; readonly style: string }
    | undefined
}

export type ActiveView = 'list' | 'month' | 'map'

/** The description of a page for machines. */
interface Meta {
  /** The path and query of the canonical address of this page. */
  readonly path: string
  readonly description?: string | undefined
  /** The picture itself, without the markup around it. */
  readonly image?:
    | { readonly url: string; readonly width: number; readonly height: number; readonly alt?: string | undefined }
    | undefined
  readonly kind?: 'website' | 'article'
  /** Whether search engines may list it. */
  readonly isIndexed?: boolean
  readonly data?: object | undefined
  /** The events that the page lists. Structured data includes those that are public. */
  readonly events?: readonly LinkedEvent[]
}

/** A page without the layout that all pages share. */
export interface Page {
  readonly kind: 'page'
  readonly status: 200 | 400 | 403 | 404 | 410 | 429 | 500 | 503
  /** Plain text. */
  readonly title: string
  readonly view?: ActiveView | undefined
  readonly main: Html
  readonly meta: Meta
  /** Addresses of this page by language, if it exists in others as well. */
  readonly versions?: Readonly<Record<Language, string>> | undefined
  /** Paths of the same page, or the nearest one, in the other languages of texts. */
  readonly switchTo?: Readonly<Partial<Record<TextLanguage, string>>> | undefined
  /** Versions in languages that the service has no texts in. */
  readonly alsoIn?: readonly { readonly language: Language; readonly path: string }[] | undefined
  /** Filters that the links to other views keep. */
  readonly filters?: Readonly<Record<string, string>> | undefined
  /** The parameters of the feeds of this page; undefined: all events. */
  readonly feedQuery?: string | undefined
  /** The calendar of this page, if it is not a list. */
  readonly calendar?: string | undefined
  /** The last second, in Unix time, for which this page stays the same. */
  readonly freshUntil: number
  /** Whether the page must not be cached or sent to another client. */
  readonly isPrivate?: boolean
  /** The number of seconds to wait before the next request. */
  readonly waitSeconds?: string | undefined
}

/** A redirect to another address. */
export interface PageRedirect {
  readonly kind: 'elsewhere'
  readonly status: 301 | 302
  readonly url: string
  /** The request header that the choice of the address depends on. */
  readonly varies?: string
}

/** A file for machines. */
export interface PlainText {
  readonly kind: 'text'
  readonly type: string
  readonly text: string | Buffer
  /** The name under which clients save it. */
  readonly fileName?: string
  readonly lastModified?: string | undefined
  /** The last second for which the text stays the same; undefined: it does not depend on time. */
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
