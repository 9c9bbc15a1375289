import { mayPublish } from '../../access/auth/policy.ts'
import type { DeskKey } from '../../base/languages/catalogue.ts'
import { type Html, html, raw } from '../../base/text/html.ts'
import { actorOf, type OwnCall } from '../shell/desk.call.ts'
import { hidden } from '../shell/fields.ts'
import { inLanguage } from './desk.field.ts'
import { labelOf } from './editor.fields.ts'
import type { EditorState } from './editor.model.ts'

interface Right {
  readonly canPublish: boolean
  readonly isDraft: boolean
  readonly isPending: boolean
}

interface SaveButton {
  readonly label: (right: Right) => DeskKey
  /** Whether the form has it. Default: always. */
  readonly isShown?: (right: Right) => boolean
  /** What the next page says. */
  readonly done: string
}

/** The buttons that save, in their order. What the first one does is what people mostly want. */
export const saveButtons = {
  publish: {
    label: () => 'editor.publish',
    isShown: ({ canPublish, isDraft, isPending }) => canPublish && (isDraft || isPending),
    done: 'published',
  },
  pending: {
    label: () => 'editor.submit',
    isShown: ({ canPublish, isDraft }) => !canPublish && isDraft,
    done: 'submitted',
  },
  save: { label: () => 'editor.save', isShown: ({ isDraft }) => !isDraft, done: 'saved' },
  draft: {
    label: ({ isDraft }) => (isDraft ? 'editor.draft' : 'editor.unpublish'),
    isShown: ({ isPending }) => !isPending,
    done: 'saved',
  },
  preview: {
    label: () => 'editor.save-and-preview',
    isShown: ({ isDraft, isPending }) => isDraft || isPending,
    done: 'saved',
  },
} as const satisfies Readonly<Record<string, SaveButton>>

export type SaveButtonName = keyof typeof saveButtons

export function isSaveButton(name: string): name is SaveButtonName {
  return Object.hasOwn(saveButtons, name)
}

function rightOf({ me }: OwnCall, { id, status }: EditorState): Right {
  const isDraft = id === undefined || status === 'draft'
  return { canPublish: mayPublish(actorOf(me)), isDraft, isPending: status === 'pending' }
}

/** Returns the titles without which a language is not public, if another language has one. */
export function emptyTitles({ values, versions }: EditorState): readonly string[] {
  const names = versions.map(({ language }) => inLanguage('title', language))
  const empty = names.filter((name) => values[name] === '')
  return empty.length < names.length ? empty : []
}

/** Returns the question whether to publish without one of the languages. Its script asks before the form is sent. */
export function askDialog(call: OwnCall, state: EditorState, isAsked = false): Html | false {
  const { say } = call
  const text = (fields: string) => say('editor.ask', { fields })
  const empty = emptyTitles(state).map((name) => labelOf(call, name))
  return (
    state.versions.length > 1 &&
    saveButtons.publish.isShown(rightOf(call, state)) &&
    html`${hidden('asked_once', isAsked ? '1' : '')}
<dialog aria-labelledby="ask" data-ask="${text('{fields}')}"${isAsked && raw(' open')}><p id="ask">${isAsked && text(empty.join(', '))}</p>
<div class="buttons"><button name="to" value="publish"${isAsked && raw(' autofocus')}>${say('editor.ask.publish')}</button><button name="to" value="back" class="quiet">${say('editor.ask.back')}</button></div></dialog>`
  )
}

/** Returns the buttons for what the user may do with an event in this state. */
export function buttonsOf(call: OwnCall, state: EditorState): readonly Html[] {
  const right = rightOf(call, state)
  return Object.entries<SaveButton>(saveButtons)
    .filter(([, { isShown }]) => isShown?.(right) ?? true)
    .map(
      ([to, { label }], place) =>
        html`<button name="to" value="${to}"${place > 0 && raw(' class="quiet"')}>${call.say(label(right))}</button>`,
    )
}
