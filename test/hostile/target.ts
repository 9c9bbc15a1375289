import { ROLES, type Role } from '../../src/access/auth/actor.ts'
import { languageParameterNames } from '../../src/access/http/addresses.ts'
import { contract, serviceNamespaces } from '../../src/api.ts'
import { consoleDocument } from '../../src/publish/doc/docs.document.ts'
import { readRevision } from '../../src/storage/database/revision.ts'
import type { ExampleSite } from '../support/example.site.ts'
import { deskOperations, signUp } from './desk.ts'
import { type FuzzedDocument, type Operation, operationsOf } from './document.ts'
import { faultsOfCalendar, faultsOfDatabase } from './integrity.ts'
import { faultOf } from './verdict.ts'
import { type Credentials, sendRaw, type WireAnswer, type WireRequest } from './wire.ts'

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
  readonly answer: TimedAnswer
  readonly hasWritten: boolean
}

/** The most that one request may take. */
export interface TimeBudget {
  readonly clockMs: number
  /**
   * Processor time of this process, in which the service and the client run. It does not depend on other work on the
   * machine.
   */
  readonly processorMs: number
}

export const usualBudget: TimeBudget = { clockMs: 1000, processorMs: 200 }
const triesOfSlow = 3
/** Addresses at which users, keys and sessions end. */
const ofAccounts = /users|keys|session|sign-out|account|link/i
/** Methods that only read (RFC 9110, 9.2.1). */
const reading = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/** A site whose calendar is too large to be restored, or checked as a whole. */
export interface LargeSite extends Pick<ExampleSite, 'deps' | 'server'> {
  readonly isLarge: true
  /** Values of parameters by name, besides those of the documents. */
  readonly known: Readonly<Record<string, readonly unknown[]>>
}

/** An answer, with what it took. */
export type TimedAnswer = WireAnswer & { readonly processorMs: number }

/** Makes the site listen, with its own credentials for each role. */
export async function openTarget(
  site: ExampleSite | LargeSite,
  form = 'standard',
  budget: TimeBudget = usualBudget,
): Promise<Target> {
  const { config, storage } = site.deps
  const url = new URL(await site.server.listen({ host: '127.0.0.1', port: 0 }))
  const credentials = new Map<Role, Credentials>()
  let calendars = 0
  // Users remain when a calendar is restored, and requests may change them or revoke their keys.
  const signUpAll = async () => {
    calendars++
    for (const role of ROLES) {
      credentials.set(role, await signUp(site.deps, { name: `fuzz-${role}-${calendars}`, role }))
    }
  }
  await signUpAll()
  const words = languageParameterNames(config)
  const spell = (text: string) =>
    text.replaceAll('ml_language', words.language).replaceAll('ml_translation_of', words.translationOf)
  const send = async (request: WireRequest): Promise<TimedAnswer> => {
    const before = process.cpuUsage()
    const answer = await sendRaw(Number(url.port), request, credentials)
    const { user, system } = process.cpuUsage(before)
    return { ...answer, processorMs: (user + system) / 1000 }
  }
  const readPage = async (target: string) =>
    (
      await sendRaw(
        Number(url.port),
        { as: 'administrator', method: 'GET', target, headers: [], body: '' },
        credentials,
      )
    ).body.toString()
  let operations: readonly Operation[] | undefined
  return {
    form,
    restore: async () => {
      if (!('isLarge' in site)) await site.restore()
      await signUpAll()
    },
    walk: async () => ('isLarge' in site ? [] : [...(await faultsOfCalendar(site)), ...(await faultsOfDatabase(site))]),
    spelt: (request) => ({ ...request, target: spell(request.target), body: spell(request.body) }),
    operations: async () => {
      operations ??= [
        ...operationsOf(
          await Promise.all((['en', 'fr'] as const).flatMap((language) => documentsOf(site.deps, language))),
          site.server.printRoutes({ commonPrefix: false }),
        ),
        ...(await deskOperations(readPage)),
      ].map((operation) => ('isLarge' in site ? withKnown(operation, site.known) : operation))
      return operations
    },
    judge: async (request) => {
      // Not the number that caches use: on SQLite it also changes when the engine has emptied its log.
      const before = await readRevision(storage.db)
      const answer = await send(request)
      const hasWritten = (await readRevision(storage.db)) !== before
      // Otherwise a key that was revoked, or a session that ended, would leave only refusals.
      if (answer.status < 400 && !reading.has(request.method) && ofAccounts.test(request.target)) await signUpAll()
      const fault =
        pollution() ??
        faultOf(request, answer) ??
        (hasWritten && reading.has(request.method) ? 'a write by reading' : undefined)
      const again = () => send(request)
      const isFault = fault !== undefined && !(fault === 'no answer' && (await isLate(answer, budget, again)))
      if (isFault) return { answer, hasWritten, fault }
      return { answer, hasWritten, fault: await exceeded(answer, budget, again) }
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

/** Returns the budget that every try exceeds: a single slow one may be due to other load on the machine. */
async function exceeded(
  first: TimedAnswer,
  { clockMs, processorMs }: TimeBudget,
  again: () => Promise<TimedAnswer>,
): Promise<string | undefined> {
  const tries = [first]
  const isOver = (known: 'tookMs' | 'processorMs', most: number) => tries.every((one) => one[known] > most)
  while (isOver('tookMs', clockMs) || isOver('processorMs', processorMs)) {
    if (tries.length === triesOfSlow)
      return isOver('processorMs', processorMs) ? `over ${processorMs} ms of processor time` : `over ${clockMs} ms`
    tries.push(await again())
  }
  return undefined
}

/** Returns true if a response that timed out arrives when the request is sent again. */
async function isLate(
  { tookMs }: WireAnswer,
  { clockMs }: TimeBudget,
  again: () => Promise<WireAnswer>,
): Promise<boolean> {
  return tookMs > clockMs && (await again()).status !== 0
}

/** Returns the operation with more known values. */
function withKnown(operation: Operation, known: LargeSite['known']): Operation {
  const more = (parameters: Operation['inQuery']) =>
    parameters.map((one) => ({ ...one, known: [...one.known, ...(known[one.name] ?? [])] }))
  return { ...operation, inQuery: more(operation.inQuery), inPath: more(operation.inPath) }
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
