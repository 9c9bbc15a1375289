import { type Html, html } from '../../base/text/html.ts'
import { type DeskAnswer, type DeskForm, linkTo, type OwnCall } from '../shell/desk.call.ts'
import { tellAt } from '../shell/told.ts'
import { isVersionOf, readTerm, readTerms, type TermRow } from './term.read.ts'

const at = '/admin/categories/'
const idOrTop = /^\d{0,15}$/

/** Moves a category below another one, or to the top. A category that somebody else has moved since stays. */
export async function moveCategory(call: OwnCall, form: DeskForm, id = ''): Promise<DeskAnswer> {
  const [parent, was] = [form.get('parent'), form.get('was')]
  const unmoved = () => tellAt(call, at, { text: call.say('tree.unmoved') })
  const [term, rows] = await Promise.all([readTerm(call, 'categories', id), readTerms(call, 'categories')])
  if (!term || !idOrTop.test(parent) || !idOrTop.test(was)) return unmoved()
  if (parentIn(rows, Number(term.values.parent)) !== parentIn(rows, Number(was))) return unmoved()
  const { status } = await call.api.events({
    ...{ method: 'PATCH', path: `/categories/${term.id}`, json: { parent: parent === '' ? 0 : Number(parent) } },
    headers: { 'if-match': `"${term.version}"` },
  })
  if (status !== 200) return unmoved()
  const undo = { path: `${at}${id}/move/`, fields: { parent: was, was: parent } }
  // The script of the tree focuses the category that was moved.
  return tellAt(call, `${at}?moved=${id}`, { text: call.say('tree.moved', { name: term.values.name ?? '' }), undo })
}

/** Returns the id of the row of a parent; '' for the top. */
export function parentIn(rows: readonly TermRow[], parent: number): string {
  return String(rows.find((row) => isVersionOf(row, parent))?.id ?? '')
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
