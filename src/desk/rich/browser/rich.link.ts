import type { Mark, MarkType, ResolvedPos } from 'prosemirror-model'
import type { EditorState } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import type { RichText } from '../rich.field.ts'
import { addressOf } from './rich.address.ts'
import { make } from './rich.elements.ts'
import { type Attributes, markType, schema } from './rich.schema.ts'

const link: MarkType = markType('a')

/** The text that gets a link, and the attributes of the link that it has. */
interface Linked {
  readonly from: number
  readonly to: number
  readonly attributes: Attributes
}

export function isInLink({ selection, doc }: EditorState): boolean {
  const { from, to, empty, $from } = selection
  return empty ? link.isInSet($from.marks()) !== undefined : doc.rangeHasMark(from, to, link)
}

/** Returns the selected text, or the whole link around the cursor. */
function linkedAt({ selection, doc }: EditorState): Linked {
  const { from, to, $from } = selection
  let own: readonly [number, number] = [from, to]
  let attributes: Attributes = []
  doc.nodesBetween($from.start(), Math.max(to, $from.end()), (node, place) => {
    const mark = link.isInSet(node.marks)
    const end = place + node.nodeSize
    if (!mark || end < from || place > to || attributes.length > 0) return
    attributes = mark.attrs.attributes as Attributes
    if (selection.empty) own = edgesOf(mark, $from)
  })
  return { from: own[0], to: own[1], attributes }
}

/** Returns where the link begins and ends that has the cursor: it may consist of several texts, some of them bold. */
function edgesOf(mark: Mark, cursor: ResolvedPos): readonly [number, number] {
  let edges: readonly [number, number] = [cursor.pos, cursor.pos]
  let from: number | undefined
  cursor.parent.forEach((node, offset) => {
    const start = cursor.start() + offset
    if (!mark.isInSet(node.marks)) {
      from = undefined
      return
    }
    from ??= start
    const to = start + node.nodeSize
    if (from <= cursor.pos && to >= cursor.pos) edges = [from, to]
  })
  return edges
}

function setLink(view: EditorView, { from, to, attributes }: Linked, href: string): void {
  const others = attributes.filter(([name]) => name !== 'href')
  const mark = link.create({ attributes: [['href', href], ...others] })
  const { tr } = view.state
  // A link without a text shows its address.
  if (from === to) tr.insert(from, schema.text(href.replace(/^(?:https?:\/\/|mailto:|tel:)/, ''), [mark]))
  else tr.removeMark(from, to, link).addMark(from, to, mark)
  view.dispatch(tr.removeStoredMark(link).scrollIntoView())
}

/** Asks for the address of a link in a dialog. Escape closes it, and the focus returns to the text. */
export function openLinkDialog(view: EditorView, say: (name: RichText) => string): void {
  const linked = linkedAt(view.state)
  const known = linked.attributes.find(([name]) => name === 'href')?.[1] ?? ''
  const label = make('label', { for: 'rich-address' }, say('address'))
  const hint = make('p', { class: 'hint', id: 'rich-address-hint' }, say('address.hint'))
  const input = make('input', {
    ...{ id: 'rich-address', type: 'text', inputmode: 'url', autocomplete: 'off' },
    'aria-describedby': 'rich-address-hint rich-address-fault',
  })
  const fault = make('p', { class: 'fault', id: 'rich-address-fault', role: 'alert' })
  const remove = make('button', { type: 'button', class: 'quiet' }, say('link.remove'))
  const cancel = make('button', { type: 'button', class: 'quiet' }, say('link.cancel'))
  const buttons = make(
    'div',
    { class: 'buttons' },
    make('button', {}, say('link.save')),
    ...(known === '' ? [] : [remove]),
    cancel,
  )
  const form = make(
    'form',
    { method: 'dialog', novalidate: '' },
    make('div', { class: 'field' }, label, hint, input, fault),
    buttons,
  )
  const dialog = make('dialog', { class: 'rich-link', 'aria-label': say('link') }, form)
  input.value = known
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const href = addressOf(input.value)
    if (href === undefined) {
      fault.textContent = say('address.fault')
      input.setAttribute('aria-invalid', 'true')
      input.focus()
      return
    }
    dialog.close()
    setLink(view, linked, href)
  })
  remove.addEventListener('click', () => {
    dialog.close()
    view.dispatch(view.state.tr.removeMark(linked.from, linked.to, link))
  })
  cancel.addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => {
    dialog.remove()
    view.focus()
  })
  document.body.append(dialog)
  dialog.showModal()
  input.select()
}

/** Links the selected text to an address that is pasted onto it. */
export function linkPasted(view: EditorView, text: string): boolean {
  const { from, to, empty, $from, $to } = view.state.selection
  const href = /^(?:https?:\/\/|mailto:)\S+$/i.test(text.trim()) ? addressOf(text) : undefined
  if (empty || href === undefined || !$from.sameParent($to)) return false
  setLink(view, { from, to, attributes: [] }, href)
  return true
}
