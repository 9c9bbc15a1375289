import { mayCreate } from '../../access/auth/policy.ts'
import type { DeskKey } from '../../base/languages/catalogue.ts'
import { type Html, html } from '../../base/text/html.ts'
import { actorOf, type DeskCall, type OwnCall } from './desk.call.ts'

// The keys of the desk: one table for the help, the script and the manual.

/** What people press, in the words of `event.key`, and the text of what it does. `g e` is one key after the other. */
export const DESK_KEYS = {
  everywhere: [
    ['/', 'search.label'],
    ['n', 'new-event'],
    ['g t', 'today.title'],
    ['g e', 'events.title'],
    ['g c', 'month.title'],
    ['g v', 'venues.title'],
    ['?', 'shortcuts.title'],
  ],
  lists: [
    ['j', 'shortcuts.next'],
    ['k', 'shortcuts.previous'],
    ['x', 'shortcuts.select'],
    ['e', 'events.edit'],
    ['d', 'events.copy'],
  ],
  // The scripts of the editor and of its texts listen to these.
  editor: [
    ['Control+s', 'editor.save'],
    ['Control+Enter', 'editor.publish'],
    ['Control+Shift+p', 'editor.save-and-preview'],
  ],
  text: [
    ['Control+b', 'rich.strong'],
    ['Control+i', 'rich.em'],
    ['Control+k', 'rich.link'],
    ['Alt+F10', 'rich.toolbar'],
  ],
} as const satisfies Readonly<Record<string, readonly (readonly [string, DeskKey])[]>>

type Group = keyof typeof DESK_KEYS
type SingleKey = (typeof DESK_KEYS)['everywhere' | 'lists'][number][0]

/** What every page has, for those who cannot create events as well. */
const ofEveryone: ReadonlySet<string> = new Set<SingleKey>(['g t', '?'])
const groups = Object.keys(DESK_KEYS) as Group[]

/** The keys that people press alone, without Ctrl and Alt. */
const singleKeys: readonly string[] = [...DESK_KEYS.everywhere, ...DESK_KEYS.lists].map(([press]) => press)

/** Returns the attribute of the element that a key uses: it clicks a link, a box or a button, and goes to a field. */
export function usedBy(press: SingleKey): Html {
  return html` data-press="${press}"`
}

/** Returns the parts of a key in words: `[['Ctrl', 'Shift', 'P']]`, or `[['g'], ['e']]` for one after the other. */
export function partsOfKey({ say }: Pick<DeskCall, 'say'>, press: string): readonly (readonly string[])[] {
  return press.split(' ').map((one) => {
    const parts = one.split('+')
    return parts.map((part) => {
      if (part === 'Control') return 'Ctrl'
      if (part === 'Shift' || part === 'Enter') return say(`shortcuts.${part}`)
      return parts.length > 1 && part.length === 1 ? part.toUpperCase() : part
    })
  })
}

/** Returns the button that opens the help, and the help. Without scripts, neither is shown. */
export function shortcutsHelp(call: OwnCall): Html {
  const { say } = call
  const isForAll = mayCreate(actorOf(call.me))
  const shown = groups
    .map((group) => [group, DESK_KEYS[group].filter(([press]) => isForAll || ofEveryone.has(press))] as const)
    .filter(([, keys]) => keys.length > 0)
  return html`<footer class="shortcuts-bar" hidden><button type="button" class="quiet"${usedBy('?')}>${say('shortcuts.title')}</button></footer>
<dialog class="shortcuts" aria-labelledby="shortcuts-title" closedby="any" data-keys="${JSON.stringify(singleKeys)}">
<h2 id="shortcuts-title" tabindex="-1" autofocus>${say('shortcuts.title')}</h2>
<div class="groups">
${shown.map(
  ([group, keys]) => html`<section><h3>${say(`shortcuts.${group}`)}</h3>
<dl>${keys.map(([press, text]) => html`<div><dt>${say(text)}</dt><dd>${keyInWords(call, press)}</dd></div>`)}</dl></section>`,
)}
</div>
<label class="check"><input type="checkbox" aria-describedby="shortcuts-hint"> <span>${say('shortcuts.on')}</span></label>
<p class="hint" id="shortcuts-hint">${say('shortcuts.on.hint')}</p>
<form method="dialog"><button>${say('shortcuts.close')}</button></form>
</dialog>`
}

function keyInWords(call: OwnCall, press: string): readonly Html[] {
  return partsOfKey(call, press).map(
    (parts, place) =>
      html`${place > 0 && ` ${call.say('shortcuts.then')} `}${parts.map((part, at) => html`${at > 0 && '+'}<kbd>${part}</kbd>`)}`,
  )
}
