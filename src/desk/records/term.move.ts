import { type Html, html } from '../../base/text/html.ts'
import { type DeskAnswer, type DeskForm, linkTo, type OwnCall, withParameters } from '../shell/desk.call.ts'
import { actionButton, notice } from '../shell/fields.ts'
import { isVersionOf, readTerm, readTerms, type TermRow } from './term.read.ts'

const at = '/admin/categories/'
const idOrTop = /^\d{0,15}$/

/** Moves a category below another one, or to the top. A category that somebody else has moved since stays. */
export async function moveCategory(call: OwnCall, form: DeskForm, id = ''): Promise<DeskAnswer> {
  const [parent, was] = [form.get('parent'), form.get('was')]
  const list = (more: Readonly<Record<string, string>>): DeskAnswer => ({
    ...{ kind: 'see', path: withParameters(at, more) },
  })
  const [term, rows] = await Promise.all([readTerm(call, 'categories', id), readTerms(call, 'categories')])
  if (!term || !idOrTop.test(parent) || !idOrTop.test(was)) return list({ done: 'unmoved' })
  if (parentIn(rows, Number(term.values.parent)) !== parentIn(rows, Number(was))) return list({ done: 'unmoved' })
  const { status } = await call.api.events({
    ...{ method: 'PATCH', path: `/categories/${term.id}`, json: { parent: parent === '' ? 0 : Number(parent) } },
    headers: { 'if-match': `"${term.version}"` },
  })
  return list(status === 200 ? { done: 'moved', id, from: was, to: parent } : { done: 'unmoved' })
}

/** Returns the id of the row of a parent; '' for the top. */
export function parentIn(rows: readonly TermRow[], parent: number): string {
  return String(rows.find((row) => isVersionOf(row, parent))?.id ?? '')
}

/** Returns what the last move did, with the button that takes it back. */
export function moveNotice(call: OwnCall): Html | false {
  const { say, query } = call
  const sent = (name: string) => query.get(name) ?? ''
  if (sent('done') === 'unmoved') return notice(say('tree.unmoved'))
  const [id, from, to] = [sent('id'), sent('from'), sent('to')]
  if (sent('done') !== 'moved' || ![id, from, to].every((one) => idOrTop.test(one)) || id === '') return false
  return notice(
    say('tree.moved'),
    actionButton(call, `${at}${id}/move/`, { label: say('events.undo'), fields: { parent: from, was: to } }),
  )
}

/** Returns what the script needs around the table of categories. */
export function movableTree(call: OwnCall, table: Html): Html {
  const { say } = call
  const names = ['picked', 'to-top', 'below', 'kept'] as const
  const same = { name: '{name}', parent: '{parent}' }
  const texts = Object.fromEntries(names.map((name) => [name, say(`tree.${name}`, same)]))
  return html`<p class="hint" data-how hidden>${say('tree.how')}</p>
<p class="hint touch-how" data-how-touch hidden>${say('tree.how-touch')}</p>
<p id="tree-space" hidden>${say('calendar.space')}</p>
<div data-tree data-at="${linkTo(call, at)}" data-texts="${JSON.stringify(texts)}">
<p class="tree-top" data-top hidden>${say('terms.top')}</p>
${table}
</div>
<p class="carried" role="status" data-said></p>`
}
