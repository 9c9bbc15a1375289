import { ROLES, type Role } from '../../src/access/auth/actor.ts'
import { createUser } from '../../src/access/auth/user.service.ts'
import { languageParameterNames } from '../../src/access/http/addresses.ts'
import { contract, serviceNamespaces } from '../../src/api.ts'
import { consoleDocument } from '../../src/publish/doc/docs.document.ts'
import type { ExampleSite } from '../support/example.site.ts'
import { type FuzzedDocument, type Operation, operationsOf } from './document.ts'
import { faultsOfCalendar, faultsOfDatabase } from './integrity.ts'
import { faultOf } from './verdict.ts'
import { sendRaw, type WireAnswer, type WireRequest } from './wire.ts'

/** A listening site for requests over raw connections. */
export interface Target {
  /** A short name of its settings. */
  readonly form: string
  judge(request: WireRequest): Promise<Judged>
  /** Its operations, in both languages. */
  operations(): Promise<readonly Operation[]>
  /** Returns the request in the words of its settings. */
  spelt(request: WireRequest): WireRequest
  /** Restores the initial calendar. */
  restore(): Promise<void>
  /** Returns the inconsistencies in the calendar. Titles are the same for the same fault. */
  walk(): Promise<readonly { readonly title: string }[]>
}

export interface Judged {
  /** A short description of the fault in the response. */
  readonly fault: string | undefined
  readonly answer: WireAnswer
  readonly hasWritten: boolean
}

const mostMs = 1000
/** Methods that only read (RFC 9110, 9.2.1). */
const reading = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/** Makes the site listen, with its own credentials for each role. */
export async function openTarget(site: ExampleSite, form = 'standard'): Promise<Target> {
  const { config, storage } = site.deps
  const url = new URL(await site.server.listen({ host: '127.0.0.1', port: 0 }))
  const credentials = new Map<Role, string>()
  let calendars = 0
  // Users remain when a calendar is restored, and requests may change them or revoke their keys.
  const signUp = async () => {
    calendars++
    for (const role of ROLES) {
      const name = `fuzz-${role}-${calendars}`
      const { secret } = await createUser(site.deps, { name, role, email: `${name}@example.org` })
      credentials.set(role, `Basic ${btoa(`${name}:${secret}`)}`)
    }
  }
  await signUp()
  const words = languageParameterNames(config)
  const spell = (text: string) =>
    text.replaceAll('ml_language', words.language).replaceAll('ml_translation_of', words.translationOf)
  const send = (request: WireRequest) => sendRaw(Number(url.port), request, credentials)
  let operations: readonly Operation[] | undefined
  return {
    form,
    restore: async () => {
      await site.restore()
      await signUp()
    },
    walk: async () => [...(await faultsOfCalendar(site)), ...(await faultsOfDatabase(site))],
    spelt: (request) => ({ ...request, target: spell(request.target), body: spell(request.body) }),
    operations: async () => {
      operations ??= operationsOf(
        await Promise.all((['en', 'fr'] as const).flatMap((language) => documentsOf(site.deps, language))),
        site.server.printRoutes({ commonPrefix: false }),
      )
      return operations
    },
    judge: async (request) => {
      const before = await storage.revision()
      const answer = await send(request)
      const hasWritten = (await storage.revision()) !== before
      const fault =
        pollution() ??
        faultOf(request, answer) ??
        (hasWritten && reading.has(request.method) ? 'a write by reading' : undefined)
      const isFault = fault !== undefined && !(fault === 'no answer' && (await isLate(answer, () => send(request))))
      if (isFault) return { answer, hasWritten, fault }
      const isLateAgain = await isSlow(answer, () => send(request))
      return { answer, hasWritten, fault: isLateAgain ? `over ${mostMs} ms` : undefined }
    },
  }
}

/** The documents of all namespaces as the console gets them, including namespaces that it does not show. */
function documentsOf(deps: ExampleSite['deps'], language: 'en' | 'fr'): readonly Promise<FuzzedDocument>[] {
  const { config } = deps
  const variant = language === 'fr' ? '/fr' : ''
  return [contract, ...serviceNamespaces]
    .filter(({ isServed }) => isServed?.(config) !== false)
    .map(async (namespace) => {
      const api = `${config.restPrefix}${variant}/${namespace.name(config)}`
      return JSON.parse(await consoleDocument({ deps, language, namespace }, api)) as FuzzedDocument
    })
}

/** Returns true if every try is slow: a single slow one may be due to other load on the machine. */
async function isSlow({ tookMs }: WireAnswer, again: () => Promise<WireAnswer>): Promise<boolean> {
  return tookMs > mostMs && (await again()).tookMs > mostMs && (await again()).tookMs > mostMs
}

/** Returns true if a response that timed out arrives when the request is sent again. */
async function isLate({ tookMs }: WireAnswer, again: () => Promise<WireAnswer>): Promise<boolean> {
  return tookMs > mostMs && (await again()).status !== 0
}

/**
 * Returns a fault if a request has added properties to `Object.prototype` of this process, in which the service runs
 * too. Removes them.
 */
function pollution(): string | undefined {
  const names = Object.keys(Object.prototype)
  for (const name of names) Reflect.deleteProperty(Object.prototype, name)
  return names.length > 0 ? 'a changed prototype' : undefined
}
