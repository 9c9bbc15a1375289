import { type Html, html } from '../../base/text/html.ts'
import type { DeskAnswer, DeskPage, OwnCall, Told } from './desk.call.ts'
import { actionButton, notice } from './fields.ts'
import { areTexts, membersOf, packResult, resultName, unpackResult } from './result.address.ts'

// After an action people return to the page from which they came. Its address carries what was done, and how it is undone.

/** Every page shows it. */
const purpose = 'told'

/** Leads to a path, where the message is shown. */
export function tellAt(call: OwnCall, path: string, told: Told): DeskAnswer {
  return withTold(call, path, told) ?? { kind: 'see', path }
}

/** Does the same. If the message is too long for an address, the page is the answer itself. */
export async function tellOnPage(
  call: OwnCall,
  path: string,
  { told, page }: { readonly told: Told; readonly page: () => Promise<DeskPage> },
): Promise<DeskAnswer> {
  return withTold(call, path, told) ?? { ...(await page()), told }
}

function withTold(call: OwnCall, path: string, told: Told): DeskAnswer | undefined {
  const packed = packResult(call, purpose, told)
  const [, before = path, query = '', place = ''] = /^([^?#]*)\??([^#]*)(.*)$/.exec(path) ?? []
  const asked = new URLSearchParams(query)
  asked.set(resultName, packed ?? '')
  const address = `${before}?${asked}${place}`
  return packed === undefined || address.length > longestAddress ? undefined : { kind: 'see', path: address }
}

/** Proxies accept addresses of 8 KB. */
const longestAddress = 7500

/** Returns the message about the last action; nothing if there was none. */
export function toldPart(
  call: OwnCall,
  { told = toldIn(call), afterTold }: Pick<DeskPage, 'told' | 'afterTold'>,
): Html | false {
  if (told === undefined) return false
  const { text, undo, refused = [] } = told
  const { say } = call
  return notice(
    text,
    html`${afterTold}${undo && actionButton(call, undo.path, { label: say('events.undo'), fields: undo.fields })}
${
  refused.length > 0 &&
  html`<details class="named" open><summary>${say('many.unchanged', { count: refused.length })}</summary>
<ul>${refused.map(({ title, reason }) => html`<li>${title} <span class="hint">${reason}</span></li>`)}</ul></details>`
}`,
  )
}

function toldIn(call: OwnCall): Told | undefined {
  return call.query.has(resultName) ? unpackResult(call, purpose, isTold) : undefined
}

function isTold(value: unknown): value is Told {
  const { text, undo, refused = [] } = membersOf(value)
  const { path, fields } = membersOf(undo)
  const isForm = typeof path === 'string' && path.startsWith('/admin/') && areTextsOf(fields)
  return typeof text === 'string' && (undo === undefined || isForm) && areTexts(refused, ['title', 'reason'])
}

const areTextsOf = (fields: unknown) => Object.values(membersOf(fields)).every((one) => typeof one === 'string')
