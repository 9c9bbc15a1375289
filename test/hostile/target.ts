import { ROLES, type Role } from '../../src/access/auth/actor.ts'
import { createUser } from '../../src/access/auth/user.service.ts'
import { languageWords } from '../../src/access/http/addresses.ts'
import { contract, serviceNamespaces } from '../../src/app.ts'
import { consoleDocument } from '../../src/publish/doc/docs.document.ts'
import type { ExampleSite } from '../support/example.site.ts'
import { type FuzzedDocument, type Operation, operationsOf } from './document.ts'
import { faultsOfCalendar, faultsOfDatabase } from './integrity.ts'
import { faultOf } from './verdict.ts'
import { sendRaw, type WireAnswer, type WireRequest } from './wire.ts'

/** A site that listens, and is asked by hand. */
export interface Target {
  /** Its settings, in a word. */
  readonly form: string
  judge(request: WireRequest): Promise<Judged>
  /** What it serves, in both languages. */
  operations(): Promise<readonly Operation[]>
  /** The request in the words of its settings. */
  spelt(request: WireRequest): WireRequest
  /** Brings the calendar back to how it was at the start. */
  restore(): Promise<void>
  /** What does not fit together in the calendar; titles are the same for the same fault. */
  walk(): Promise<readonly { readonly title: string }[]>
}

export interface Judged {
  /** What is wrong with the answer, in a few words. */
  readonly fault: string | undefined
  readonly answer: WireAnswer
  readonly hasWritten: boolean
}

const mostMs = 1000
/** Methods that only read (RFC 9110, 9.2.1). */
const reading = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/** Lets the site listen, with credentials of its own for each role. */
export async function openTarget(site: ExampleSite, form = 'standard'): Promise<Target> {
  const { config, storage } = site.deps
  const url = new URL(await site.server.listen({ host: '127.0.0.1', port: 0 }))
  const credentials = new Map<Role, string>()
  let calendars = 0
  // Users stay when a calendar is restored, and what is sent may change them or take their keys away.
  const signUp = async () => {
    calendars++
    for (const role of ROLES) {
      const name = `fuzz-${role}-${calendars}`
      const { secret } = await createUser(site.deps, { name, role, email: `${name}@example.org` })
      credentials.set(role, `Basic ${btoa(`${name}:${secret}`)}`)
    }
  }
  await signUp()
  const words = languageWords(config)
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

/** The documents of all namespaces that are served, as the console has them: those that it does not show as well. */
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

/** The machine may have been busy with something else: only what is slow each time is slow. */
async function isSlow({ tookMs }: WireAnswer, again: () => Promise<WireAnswer>): Promise<boolean> {
  return tookMs > mostMs && (await again()).tookMs > mostMs && (await again()).tookMs > mostMs
}

/** Whether an answer that did not come, for as long as it was waited for, comes after all when it is asked for again. */
async function isLate({ tookMs }: WireAnswer, again: () => Promise<WireAnswer>): Promise<boolean> {
  return tookMs > mostMs && (await again()).status !== 0
}

/** What a request has put on all objects of this process, in which the service runs too; it is taken off again. */
function pollution(): string | undefined {
  const names = Object.keys(Object.prototype)
  for (const name of names) Reflect.deleteProperty(Object.prototype, name)
  return names.length > 0 ? 'a changed prototype' : undefined
}
