import { randomUUID } from 'node:crypto'
import { mayPublish } from '../../access/auth/policy.ts'
import { type Html, html } from '../../base/text/html.ts'
import { actorOf, linkTo, type OwnCall } from '../shell/desk.call.ts'
import { csrfField, ENTER_SENDS_NOTHING, hidden } from '../shell/fields.ts'
import { BATCH_ACTIONS, type BatchAction } from './many.actions.ts'
import { manyFormId } from './many.items.ts'
import { withoutDone } from './table.place.ts'

const ACTIONS = [...BATCH_ACTIONS.slice(0, 2), 'cancel', ...BATCH_ACTIONS.slice(2)] as const satisfies readonly string[]
export type Action = BatchAction | 'cancel'

/**
 * Returns the form in which events of the table are selected.
 *
 * @param total How many events all of the list are. Each date of a series counts, because each is changed.
 */
export function manyBar(call: OwnCall, total: number): Html {
  const { say, query } = call
  const actions = ACTIONS.filter((one) => !['publish', 'cancel'].includes(one) || mayPublish(actorOf(call.me)))
  return html`<form method="post" id="${manyFormId}" class="many" action="${linkTo(call, '/admin/events/many/')}">
${csrfField(call)}${hidden('back', withoutDone(query))}${hidden('key', randomUUID())}
${ENTER_SENDS_NOTHING}
<p id="selected"><span class="of-some">${say('many.selected')}</span><span class="of-all">${say('many.all', { count: total })}</span></p>
<div role="group" aria-labelledby="selected">${actions.map((one) => html`<button name="to" value="${one}" class="quiet">${say(`many.${one as Action}`)}</button>`)}</div>
</form>`
}
