import type { LinkChecks } from '../api/answers.ts'
import { ApiFailure } from '../api/desk.api.ts'
import type { OwnCall } from '../shell/desk.call.ts'
import type { Check } from './editor.checks.ts'
import { fieldOf, namesOfFields } from './editor.fields.ts'
import type { EditorState } from './editor.model.ts'

/** The most addresses of an event that are checked. */
const maxLinks = 20
/** As many as the service asks at the same time, each for at most five seconds. */
const perRequest = 4
/** How long a page waits before it begins with no more addresses. */
const patienceMs = 10_000

/** An address of another site, and the field that has it. */
interface Linked {
  readonly field: string
  readonly url: string
}

export interface LinkCheck {
  /** The addresses that do not work. */
  readonly checks: readonly Check[]
  /** What was found, in one sentence. */
  readonly notice: string
}

/** Checks the addresses of an event: its website, its tickets, and the links in its texts. */
export async function checkLinks(call: OwnCall, state: EditorState): Promise<LinkCheck> {
  const { say } = call
  const all = linksIn(call, state)
  const urls = [...new Set(all.map(({ url }) => url))]
  if (urls.length === 0) return { checks: [], notice: say('editor.links.none') }
  const { results, message } = await askLinks(call, urls.slice(0, maxLinks))
  if (results.size === 0) return { checks: [], notice: message }
  const checks = all.flatMap(({ field, url }) => (linkFault(call, url, results) ?? []).map((text) => ({ field, text })))
  const found = checkedText(call, results, checks.length)
  const isPart = results.size < urls.length
  const rest = message || say('editor.links.first', { count: results.size })
  return { checks, notice: isPart ? `${found} ${rest}` : found }
}

type Results = ReadonlyMap<string, LinkChecks['links'][number]['result']>

/**
 * Asks the interface about addresses, a few at a time, until all are checked or the page has waited long enough. The service
 * remembers what it knows, so a second check continues where the first one has stopped.
 *
 * @returns `message`: what the interface has refused; '' if nothing.
 */
export async function askLinks(
  call: OwnCall,
  urls: readonly string[],
): Promise<{ readonly results: Results; readonly message: string }> {
  const results = new Map<string, LinkChecks['links'][number]['result']>()
  const beganAt = performance.now()
  try {
    for (let place = 0; place < urls.length && performance.now() - beganAt < patienceMs; place += perRequest) {
      const { status, body, message } = await call.api.service<LinkChecks>({
        ...{ method: 'POST', path: '/links/check', json: { urls: urls.slice(place, place + perRequest) } },
      })
      if (status !== 200) return { results, message }
      for (const { url, result } of body.links) results.set(url, result)
    }
    return { results, message: '' }
  } catch (error) {
    // What was typed is shown again, even if too many addresses were checked.
    if (error instanceof ApiFailure) return { results, message: error.message }
    throw error
  }
}

/** Returns what is wrong with an address; undefined if it works or was not checked. */
export function linkFault({ say }: OwnCall, url: string, results: Results): readonly string[] | undefined {
  const result = results.get(url) ?? 'ok'
  return result === 'ok' ? undefined : [say(`editor.link.${result}`, { url })]
}

/** Returns how many addresses were checked, or how many of them do not work. */
export function checkedText({ say }: OwnCall, results: Results, dead = deadIn(results)): string {
  return dead === 0 ? say('editor.links.fine', { count: results.size }) : say('editor.links.dead', { count: dead })
}

const deadIn = (results: Results) => [...results.values()].filter((result) => result !== 'ok').length

/** Whether it is an address of another site. Those of this site are not behind its own network. */
export function isOfOthers({ addresses: { site } }: OwnCall, url: string): boolean {
  return /^https?:\/\/\S{1,2040}$/i.test(url) && !`${url}/`.startsWith(`${site}/`)
}

function linksIn(call: OwnCall, { values, versions }: EditorState): readonly Linked[] {
  return namesOfFields(versions.map(({ language }) => language))
    .flatMap((field) => (fieldOf(field)?.links?.(values[field] ?? '') ?? []).map((url) => ({ field, url })))
    .filter(({ url }) => isOfOthers(call, url))
}
