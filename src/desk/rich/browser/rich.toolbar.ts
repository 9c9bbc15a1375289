import type { EditorView } from 'prosemirror-view'
import type { RichText } from '../rich.field.ts'
import { commands, type ToolbarCommand } from './rich.commands.ts'
import { make, makeIcon } from './rich.elements.ts'
import { isInLink, openLinkDialog } from './rich.link.ts'

type ButtonName = keyof typeof commands | 'link' | 'source'

const order: readonly ButtonName[] = ['strong', 'em', 'h2', 'h3', 'ul', 'ol', 'quote', 'link', 'undo', 'redo', 'source']

const keys: Partial<Readonly<Record<ButtonName, string>>> = { strong: 'B', em: 'I', link: 'K', undo: 'Z', redo: 'Y' }

const icons: Partial<Readonly<Record<ButtonName, string>>> = {
  h2: 'M5 4v16M17 4v16M5 12h12',
  h3: 'M7 9v11M16 9v11M7 14.5h9',
  ul: 'M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01',
  ol: 'M10 6h10M10 12h10M10 18h10M4 4l1.5-1v6M4 15.5c0-2 3-2 3 0C7 17 4 18.5 4 20h3',
  quote: 'M4 16c3 0 4-2 4-5V7H4v4h4M14 16c3 0 4-2 4-5V7h-4v4h4',
  link: 'M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-5.7-5.7l-1.5 1.5M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 5.7 5.7l1.5-1.5',
  undo: 'M4 9h10a6 6 0 0 1 0 12h-3M8 4L4 9l4 5',
  redo: 'M20 9H10a6 6 0 0 0 0 12h3M16 4l4 5-4 5',
}

/** What buttons without a drawing show; bold text has another letter in each language. */
const signs: Partial<Readonly<Record<ButtonName, string>>> = { em: 'I', source: '</>' }

interface ToolbarOptions {
  readonly view: EditorView
  readonly say: (name: RichText) => string
  readonly isSource: () => boolean
  readonly toggleSource: () => void
}

export interface Toolbar {
  readonly element: HTMLElement
  /** Shows which formats the selection has. */
  update(): void
  focus(): void
}

/** Makes the buttons. One of them is in the order of the Tab key, and the arrow keys move between them. */
export function makeToolbar({ view, say, isSource, toggleSource }: ToolbarOptions): Toolbar {
  const commandOf = (name: ButtonName): ToolbarCommand => {
    if (name === 'source') return { run: () => true, isOn: isSource }
    if (name === 'link') return { run: () => true, isOn: isInLink }
    return commands[name]
  }
  const press = (name: ButtonName, button: HTMLElement) => {
    if (name === 'source') toggleSource()
    else if (button.ariaDisabled === 'true') return
    else if (name === 'link') openLinkDialog(view, say)
    else commandOf(name).run(view.state, view.dispatch, view)
  }
  const buttons = order.map((name) => {
    const button = buttonOf(name, say)
    // The selection of the text stays.
    button.addEventListener('mousedown', (event) => event.preventDefault())
    button.addEventListener('click', () => press(name, button))
    return { name, button }
  })
  const bar = make(
    'div',
    { role: 'toolbar', class: 'rich-bar', 'aria-label': say('toolbar') },
    ...buttons.map(({ button }) => button),
  )
  const all = buttons.map(({ button }) => button)
  let current = 0
  const move = (to: number) => {
    current = (to + all.length) % all.length
    for (const [place, button] of all.entries()) button.tabIndex = place === current ? 0 : -1
  }
  move(0)
  bar.addEventListener('focusin', ({ target }) => move(Math.max(0, all.indexOf(target as HTMLButtonElement))))
  bar.addEventListener('keydown', (event) => {
    const to = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: all.length - 1 }[event.key]
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    move(to)
    all[current]?.focus()
  })
  return {
    element: bar,
    focus: () => all[current]?.focus(),
    update: () => {
      for (const { name, button } of buttons) {
        const { isOn, isAvailable } = commandOf(name)
        if (isOn) button.ariaPressed = String(isOn(view.state) && (name === 'source' || !isSource()))
        button.ariaDisabled = String(name !== 'source' && (isSource() || isAvailable?.(view.state) === false))
      }
    },
  }
}

function buttonOf(name: ButtonName, say: ToolbarOptions['say']): HTMLButtonElement {
  const label = say(name)
  const key = keys[name]
  const shown = key === undefined ? label : `${label} (Ctrl+${key})`
  const button = make('button', { type: 'button', 'aria-label': label, title: shown, 'data-command': name })
  if (key !== undefined) button.setAttribute('aria-keyshortcuts', `Control+${key}`)
  const icon = icons[name]
  button.append(icon === undefined ? (signs[name] ?? say('strong.sign')) : makeIcon(icon))
  return button
}
