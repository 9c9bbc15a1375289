import type { Actor, Role, UserId } from '../../access/auth/actor.ts'
import type { Addresses } from '../../access/http/addresses.ts'
import type { Config } from '../../base/config/config.ts'
import type { DeskKey } from '../../base/languages/catalogue.ts'
import { TEXT_LANGUAGE_PATHS, type TextLanguage } from '../../base/languages/language.ts'
import { deskText } from '../../base/languages/texts.ts'
import type { Html, HtmlValue } from '../../base/text/html.ts'
import type { FailingSubscription } from '../../exchange/calendars/subscription.ts'
import type { PageFiles } from '../../publish/pages/frame/page.ts'
import type { DeskApi } from '../api/desk.api.ts'

/** A signed-in user, as `GET /session` tells. */
export interface SignedIn {
  readonly user: { readonly id: number; readonly name: string; readonly email: string; readonly role: Role }
  readonly csrf_token: string
}

/** The fields of a form. */
export interface DeskForm {
  /** Returns the value of a field; '' if it was not sent. */
  get(name: string): string
  all(name: string): readonly string[]
  readonly pairs: readonly (readonly [name: string, value: string])[]
  /** The picture of the form, which is removed after the request. */
  readonly file?: { readonly localFile: string; readonly name: string; readonly isTooLong: boolean } | undefined
}

/** The scripts of the desk. Every page works without them. */
export const deskScripts = [
  'editor',
  'rich',
  'picture',
  'calendar',
  'importer',
  'rows',
  'tree',
  'shortcuts',
  'find',
  'arrival',
] as const
export type DeskScript = (typeof deskScripts)[number]

/** The paths of the files that the pages of the desk load. */
export interface DeskFiles extends Pick<PageFiles, 'style' | 'theme' | 'logo'> {
  readonly desk: string
  readonly scripts: Readonly<Record<DeskScript, string>>
}

/** The context in which a page of the desk is made. */
export interface DeskCall {
  readonly config: Config
  readonly api: DeskApi
  readonly addresses: Addresses
  readonly textLanguage: TextLanguage
  /** Path below the language: `/admin/events/`. */
  readonly path: string
  readonly query: URLSearchParams
  readonly files: DeskFiles
  readonly now: number
  /** The `Cookie` field of the browser. */
  readonly cookie: string
  /** Undefined on pages for everybody. */
  readonly me: SignedIn | undefined
  /** Returns the page of an event as visitors will see it, below a banner. Its caller has checked the rights. */
  showPublicly(id: number, banner: Html): Promise<string | undefined>
  /** Returns the subscribed calendars that cannot be fetched. Its caller has checked the rights. */
  failingSubscriptions(): Promise<readonly FailingSubscription[]>
  /** Notes that the user has an event open, and returns who else has. Its caller has checked the rights. */
  noteOpened(eventId: number, user: SignedIn['user']): Promise<readonly string[]>
  say(key: DeskKey, values?: Readonly<Record<string, string | number>>): string
}

/** What reading texts of people needs. The command line has no more. */
export type WordedCall = Pick<DeskCall, 'config' | 'textLanguage' | 'now' | 'say'>

/** A call by somebody who has signed in. */
export type OwnCall = DeskCall & { readonly me: SignedIn }

export type Section =
  | 'today'
  | 'events'
  | 'month'
  | 'records'
  | 'pictures'
  | 'import'
  | 'subscriptions'
  | 'trash'
  | 'activity'
  | 'users'
  | 'settings'
  | 'account'

/** What an action has done. The page to which people return says it above all else. */
export interface Told {
  readonly text: string
  /** The form that takes it back. */
  readonly undo?: { readonly path: string; readonly fields: Readonly<Record<string, string>> } | undefined
  /** What was not done, and why. */
  readonly refused?: readonly { readonly title: string; readonly reason: string }[]
}

/** A page of the desk, without the frame around it. */
export interface DeskPage {
  readonly kind: 'page'
  /** Default: what the address says. */
  readonly told?: Told
  /** What follows the message about the last action, such as links to the public pages. */
  readonly afterTold?: HtmlValue
  readonly status?: number
  readonly title: string
  readonly main: Html
  readonly section?: Section | undefined
  readonly scripts?: readonly DeskScript[]
  /** `Set-Cookie` of a session that began or ended. */
  readonly cookie?: string | undefined
  readonly retryAfter?: string | undefined
  /** The address that the browser reads next, by itself. */
  readonly refresh?: string
  /** Path and query of the page in other languages. Default: the address of the request. */
  readonly address?: string
}

/** The answer to a form: the browser reads another page of the desk, so that loading it again sends nothing. */
interface SeeOther {
  readonly kind: 'see'
  /** Path below the language, with its query. */
  readonly path: string
  readonly cookie?: string | undefined
  /** Default: the language of the page. */
  readonly language?: TextLanguage
}

/** A whole document, with a frame of its own. */
interface Document {
  readonly kind: 'document'
  readonly html: string
}

/** The answer to the script of a page. */
interface Data {
  readonly kind: 'data'
  readonly status: number
  readonly json: object
}

/** The answer to the right password: either another page, or the form that was under way when the session ended. */
export interface SignedInAnswer {
  readonly kind: 'signed-in'
  readonly cookie: string
  readonly signedIn: SignedIn
  /** Path with its language and query. */
  readonly to: string
  readonly carried: DeskForm
}

export type DeskAnswer = DeskPage | SeeOther | Document | Data | SignedInAnswer

/** A page of the desk at an address. */
export interface DeskRoute {
  /** Who may use it. Default: everybody who has signed in. */
  readonly mayUse?: (actor: Actor) => boolean
  /** Shows it. A text is the path of another page: that of the form. */
  readonly show: string | ((call: OwnCall, ...parts: string[]) => Promise<DeskAnswer>)
  readonly submit?: (call: OwnCall, form: DeskForm, ...parts: string[]) => Promise<DeskAnswer>
  /** Shows a form again with what was typed, without saving anything. Default: the page without it. */
  readonly again?: (call: OwnCall, typed: TypedAgain, ...parts: string[]) => Promise<DeskAnswer>
}

/** Pages by their addresses: `/admin/events/{id}/`. The part in braces is a number, if `partPatterns` has no other form for it. */
export type DeskRoutes = Readonly<Record<string, DeskRoute>>

/** A form that is shown again, and why. */
export interface TypedAgain {
  readonly form: DeskForm
  readonly notice: string
}

/** A page that needs no session. */
export interface OpenRoute {
  readonly show: (call: DeskCall, ...parts: string[]) => Promise<DeskAnswer>
  readonly submit: (call: DeskCall, form: DeskForm, ...parts: string[]) => Promise<DeskAnswer>
}

export type OpenRoutes = Readonly<Record<string, OpenRoute>>

/** More fields than any form of the desk has. */
export const maxFields = 5000

/** Whether a form has more fields than any form of the desk. They are counted before they are parsed. */
export function hasTooManyFields(form: Buffer): boolean {
  let fields = 1
  for (let at = form.indexOf('&'); at >= 0 && fields <= maxFields; at = form.indexOf('&', at + 1)) fields += 1
  return fields > maxFields
}

export function formOf(text: string): DeskForm {
  const read = new URLSearchParams(text)
  const pairs = [...read].map(
    ([name, value]) =>
      // Browsers send every line break as CR LF.
      [name, value.replaceAll('\0', '').replaceAll('\r\n', '\n')] as const,
  )
  return formOfPairs(pairs)
}

export function formOfPairs(pairs: DeskForm['pairs']): DeskForm {
  return {
    pairs,
    get: (name) => pairs.findLast(([field]) => field === name)?.[1] ?? '',
    all: (name) => pairs.flatMap(([field, value]) => (field === name ? [value] : [])),
  }
}

export function sayIn(textLanguage: TextLanguage): DeskCall['say'] {
  return (key, values) => deskText(textLanguage, key, values)
}

export function actorOf({ user }: SignedIn): Actor {
  return { kind: 'user', id: user.id as UserId, role: user.role }
}

/** Returns a link to a path of the desk in the language of the page, with the prefix that a proxy removes. */
export function linkTo(
  { addresses: { site }, textLanguage }: Pick<DeskCall, 'addresses' | 'textLanguage'>,
  path: string,
  language = textLanguage,
): string {
  return `${new URL(site).pathname.replace(/\/$/, '')}${TEXT_LANGUAGE_PATHS[language]}${path}`
}

/** Returns the query of a path; nothing for values that are undefined. */
export function withParameters(path: string, values: Readonly<Record<string, string | number | undefined>>): string {
  const pairs = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`
}
