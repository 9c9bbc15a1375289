import { randomUUID } from 'node:crypto'
import { type Html, html } from '../../publish/pages/html.ts'
import {
  type DeskAnswer,
  type DeskForm,
  type DeskPage,
  linkTo,
  type OwnCall,
  withParameters,
} from '../shell/desk.call.ts'
import { actionButton, formPage, notice } from '../shell/fields.ts'
import { areTexts, membersOf, packResult, unpackResult } from '../shell/result.address.ts'
import { titleOf } from './event.json.ts'
import type { ManyResult } from './many.actions.ts'
import { isId } from './many.items.ts'
import { tableAt } from './table.place.ts'

export const manyDonePath = '/admin/events/many/done/'

/** What was done with many events, as its page shows it. */
interface ManyDone extends ManyResult {
  readonly done: 'changed' | 'undone'
  readonly others?: number
  /** The table from which the events were chosen. */
  readonly back: string
}

/** Answers a form with the address of what it did. If that is too long for an address, the page is the answer. */
export function answerMany(call: OwnCall, form: DeskForm, result: Omit<ManyDone, 'back'>): DeskAnswer {
  const done: ManyDone = { ...result, back: form.get('back') }
  const packed = packResult(call, manyDonePath, done)
  return packed === undefined
    ? resultPage(call, done)
    : { kind: 'see', path: withParameters(manyDonePath, { result: packed }) }
}

/** Shows what was done with many events. */
export async function manyDonePage(call: OwnCall): Promise<DeskAnswer> {
  const done = unpackResult(call, manyDonePath, isDone)
  return done === undefined ? { kind: 'see', path: '/admin/events/' } : resultPage(call, done)
}

function isDone(value: unknown): value is ManyDone {
  const { done, changed, refused, undo, others = 0, back } = membersOf(value)
  const isCounted = isId(changed) && isId(others) && typeof undo === 'string' && typeof back === 'string'
  return isCounted && (done === 'changed' || done === 'undone') && areTexts(refused, ['title', 'reason'])
}

/** Shows what was changed and what was not, and offers to undo it. */
function resultPage(call: OwnCall, { done, changed, refused, undo, others = 0, back }: ManyDone): DeskPage {
  const { say } = call
  const button =
    undo !== '' &&
    actionButton(call, '/admin/events/many/undo/', {
      label: say('events.undo'),
      fields: { undo, back, key: randomUUID() },
    })
  return manyFrame(
    call,
    back,
    html`${notice(say(`many.${done}`, { count: changed }), button)}
${others > 0 && html`<p>${say('many.left-out', { count: others })}</p>`}
${refusals(call, refused)}`,
  )
}

/** Returns a page about many events, with a way back to the table. */
export function manyFrame(call: OwnCall, back: string, text: Html): DeskPage {
  const { say } = call
  const title = say('many.title')
  const address = call.query.has('result') ? {} : { address: tableAt(back) }
  return formPage(
    call,
    { title, section: 'events', isNarrow: false, ...address },
    html`${text}
<p><a class="button" href="${linkTo(call, tableAt(back))}">${say('many.back')}</a></p>`,
  )
}

function refusals(call: OwnCall, refused: ManyResult['refused']): Html | false {
  const { say } = call
  if (refused.length === 0) return false
  return html`<section class="panel" aria-labelledby="refused"><h2 id="refused">${say('many.unchanged', { count: refused.length })}</h2>
<ul class="rows">${refused.map((one) => html`<li><span>${titleOf(call, one)}<br><span class="hint">${one.reason}</span></span></li>`)}</ul></section>`
}
