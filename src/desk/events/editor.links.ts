import type { LinkChecks } from '../api/answers.ts'
import { ApiFailure } from '../api/desk.api.ts'
import type { OwnCall } from '../shell/desk.call.ts'
import type { Check } from './editor.checks.ts'
import { fieldOf, namesOfFields } from './editor.fields.ts'
import type { EditorState } from './editor.model.ts'

/** The most addresses that the interface checks at a time. */
const maxLinks = 20

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
  try {
    const asked = urls.slice(0, maxLinks)
    const { status, body, message } = await call.api.service<LinkChecks>({
      ...{ method: 'POST', path: '/links/check', json: { urls: asked } },
    })
    if (status !== 200) return { checks: [], notice: message }
    const results = new Map(body.links.map(({ url, result }) => [url, result]))
    const checks = all.flatMap(({ field, url }) => {
      const result = results.get(url)
      return result === undefined || result === 'ok' ? [] : [{ field, text: say(`editor.link.${result}`, { url }) }]
    })
    const found = say(checks.length === 0 ? 'editor.links.fine' : 'editor.links.dead', {
      count: checks.length === 0 ? asked.length : checks.length,
    })
    const notice = urls.length > asked.length ? `${found} ${say('editor.links.first', { count: maxLinks })}` : found
    return { checks, notice }
  } catch (error) {
    // What was typed is shown again, even if too many addresses were checked.
    if (error instanceof ApiFailure) return { checks: [], notice: error.message }
    throw error
  }
}

/** Returns the addresses of other sites. Those of this site are not behind its own network. */
function linksIn({ addresses: { site } }: OwnCall, { values, versions }: EditorState): readonly Linked[] {
  return namesOfFields(versions.map(({ language }) => language))
    .flatMap((field) => (fieldOf(field)?.links?.(values[field] ?? '') ?? []).map((url) => ({ field, url })))
    .filter(({ url }) => /^https?:\/\/\S+$/i.test(url) && !`${url}/`.startsWith(`${site}/`))
}
