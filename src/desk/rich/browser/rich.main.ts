import type { Node } from 'prosemirror-model'
import { EditorState } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import type { RichText } from '../rich.field.ts'
import { clipboardEvents } from './rich.clipboard.ts'
import { make } from './rich.elements.ts'
import { keyPlugins } from './rich.keys.ts'
import { openLinkDialog } from './rich.link.ts'
import { readRich } from './rich.read.ts'
import { nodeType } from './rich.schema.ts'
import { makeToolbar, type Toolbar } from './rich.toolbar.ts'
import { writeRich } from './rich.write.ts'

// Replaces the fields for HTML by the visual editor. The field stays in the form, and always has the text.

const emptyDoc = () => nodeType('doc').create(null, nodeType('p').create())

function enhance(field: HTMLTextAreaElement, say: (name: RichText) => string): void {
  const { id } = field
  const label = document.querySelector<HTMLLabelElement>(`label[for="${CSS.escape(id)}"]`)
  const hint = document.getElementById(id.replace(/^f-/, 'h-'))
  if (label) label.id = `${id}-label`
  const text = make('div', { class: 'rich-text' })
  const note = make('p', { class: 'rich-note', role: 'status', id: `${id}-note` })
  const read = readRich(field.value)
  let isSource = read === undefined
  /** The text as it was written, for as long as nothing is changed in it. */
  let original = { doc: read ?? emptyDoc(), text: field.value }
  const stateOf = (doc: Node) => EditorState.create({ doc, plugins: [...plugins] })
  const plugins = keyPlugins({
    'Mod-k': (_state, _dispatch, view) => {
      if (view) openLinkDialog(view, say)
      return true
    },
    'Alt-F10': () => {
      toolbar.focus()
      return true
    },
  })
  const describedBy = (field.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .filter((one) => one !== '' && one !== hint?.id)
  const toolbarOrNone: { toolbar?: Toolbar } = {}
  const view: EditorView = new EditorView(
    { mount: text },
    {
      state: stateOf(original.doc),
      attributes: {
        ...{ role: 'textbox', 'aria-multiline': 'true', lang: field.lang, spellcheck: 'true' },
        ...(label ? { 'aria-labelledby': label.id } : {}),
        ...(describedBy.length > 0 ? { 'aria-describedby': describedBy.join(' ') } : {}),
        ...(field.ariaInvalid === 'true' ? { 'aria-invalid': 'true' } : {}),
      },
      handleDOMEvents: clipboardEvents,
      dispatchTransaction: (transaction) => {
        view.updateState(view.state.apply(transaction))
        toolbarOrNone.toolbar?.update()
        if (!transaction.docChanged) return
        field.value = view.state.doc.eq(original.doc) ? original.text : writeRich(view.state.doc)
        field.dispatchEvent(new Event('input', { bubbles: true }))
      },
    },
  )
  const take = () => {
    const doc = readRich(field.value)
    isSource = doc === undefined
    if (doc) {
      original = { doc, text: field.value }
      view.updateState(stateOf(doc))
    }
    return doc !== undefined
  }
  const show = () => {
    // Links to the field, such as those of its faults, lead to what is shown.
    field.id = isSource ? id : `${id}-source`
    text.id = isSource ? `${id}-text` : id
    field.hidden = !isSource
    text.hidden = isSource
    if (hint) hint.hidden = !isSource
    box.classList.toggle('is-source', isSource)
    toolbar.update()
  }
  const toolbar = makeToolbar({
    ...{ view, say, isSource: () => isSource },
    toggleSource: () => {
      const wasSource = isSource
      isSource = !wasSource
      note.textContent = wasSource && !take() ? say('only-source') : ''
      show()
    },
  })
  toolbarOrNone.toolbar = toolbar
  const box = make('div', { class: 'rich' }, toolbar.element, text)
  toolbar.element.setAttribute('aria-controls', id)
  field.before(box)
  field.after(note)
  label?.addEventListener('click', () => {
    if (!isSource) view.focus()
  })
  // The script of the form has put back an earlier text.
  field.addEventListener('desk:set', () => {
    take()
    show()
  })
  if (isSource) note.textContent = say('only-source')
  show()
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-rich-texts]')) {
  const texts = JSON.parse(form.dataset.richTexts ?? '{}') as Readonly<Record<RichText, string>>
  for (const field of form.querySelectorAll<HTMLTextAreaElement>('textarea[data-rich]')) {
    enhance(field, (name) => texts[name])
  }
}
