import { type Html, html } from '../../base/text/html.ts'
import type { Media } from '../api/answers.ts'
import { sendBatch } from '../api/batch.ts'
import { statuses } from '../api/statuses.ts'
import { type DeskForm, formOfPairs, type OwnCall } from '../shell/desk.call.ts'
import { type Faults, hidden } from '../shell/fields.ts'
import { inLanguage } from './desk.field.ts'
import { deskFields } from './desk.fields.ts'
import { isSaveButton } from './editor.buttons.ts'
import { namesOfFields } from './editor.fields.ts'
import type { EditorState, Lost, Version } from './editor.model.ts'
import { typedState } from './editor.values.ts'
import { restoreVersions } from './event.versions.ts'
import { repeatFields } from './repeat.rule.ts'

// The event went to the trash, or was deleted, while somebody changed it. The form is shown again with all that was typed.

/** The buttons that restore the event with what was typed, and that make a new event of it. */
export const toRestored = 'restore'
export const toNew = 'as-new'

/** Returns what a form says about an event that can no longer be read. */
export async function lostState(call: OwnCall, form: DeskForm, id: string): Promise<EditorState> {
  const state: EditorState = {
    // A public event has no field for when it goes public.
    ...{ id: Number(id), status: form.pairs.some(([name]) => name === 'date') ? 'draft' : 'publish' },
    ...{ versions: versionsIn(call, form), values: {}, was: {}, image: undefined },
  }
  const lost = { isRestorable: false, asked: askedIn(form), ids: idsIn(call, form) }
  return asLost(call, { ...typedState(call, state, { form }), lost }, lost.asked)
}

/** Returns a state whose event has just been lost. Its picture is still there, so the form shows it. */
export async function asLost(call: OwnCall, state: EditorState, asked: string): Promise<EditorState> {
  const [[restored], image] = await Promise.all([tryRestore(call, [state.id ?? 0]), pictureOf(call, state)])
  const ids =
    state.lost?.ids ?? Object.fromEntries(state.versions.flatMap(({ language, id }) => (id ? [[language, id]] : [])))
  return { ...state, image, series: undefined, lost: { isRestorable: restored === statuses.ok, asked, ids } }
}

/** Returns the ids of the versions that a form was made for, by language. */
function idsIn({ config }: OwnCall, form: DeskForm): Lost['ids'] {
  return Object.fromEntries(
    config.languages.flatMap((language) => {
      const id = form.get(`id.${language}`)
      return /^\d{1,15}$/.test(id) ? [[language, Number(id)]] : []
    }),
  )
}

async function pictureOf({ api }: OwnCall, { image, values }: EditorState): Promise<EditorState['image']> {
  if (image !== undefined || !/^\d{1,15}$/.test(values.image ?? '')) return image
  const { status, body } = await api.service<Media>({ path: `/media/${values.image}` })
  return status === 200 ? body : undefined
}

/** Returns the languages of the form. */
function versionsIn({ config }: OwnCall, form: DeskForm): readonly Version[] {
  const sent = config.languages.filter((language) => form.pairs.some(([name]) => name === `version.${language}`))
  const languages = sent.length > 0 ? sent : [config.defaultLanguage]
  return languages.map((language) => ({ language, id: undefined, status: 'draft', version: '', url: undefined }))
}

/** Returns the button with which the save began. */
export function askedIn(form: DeskForm): string {
  return isSaveButton(form.get('to')) ? form.get('to') : form.get('asked') || 'save'
}

/** Tries whether the user may take events out of the trash. @returns the status that each restoration would have. */
async function tryRestore(call: OwnCall, ids: readonly number[]): Promise<readonly number[]> {
  if (ids.length === 0) return []
  const operations = ids.map((id) => ({ method: 'POST', path: `/events/${id}/restore` }) as const)
  const { results } = await sendBatch(call, operations, { isAtomic: false, isDry: true })
  return results.map(({ status }) => status)
}

/**
 * Takes the event out of the trash, and its other languages in the form that still have a title. A language that the
 * user may not restore stays there if nothing was typed in it. Returns why not; undefined if the event is back.
 */
export async function restoreLost(
  call: OwnCall,
  { id = 0, values, was }: EditorState,
  form: DeskForm,
): Promise<Faults | undefined> {
  const { say } = call
  const others = Object.entries(idsIn(call, form)).filter(
    ([language, other]) => other !== id && form.get(inLanguage('title', language)).trim() !== '',
  )
  const tried = await tryRestore(
    call,
    others.map(([, other]) => other),
  )
  const isTyped = (language: string) =>
    Object.keys(values).some((name) => name.endsWith(`.${language}`) && values[name] !== was[name])
  // Somebody may have restored one already.
  const possible: readonly (number | undefined)[] = [statuses.ok, statuses.conflict]
  const mayReturn = others.filter((_, place) => possible.includes(tried[place]))
  const lost = others.filter((one) => !mayReturn.includes(one) && isTyped(one[0]))
  if (lost.length > 0) {
    return Object.fromEntries(lost.map(([language]) => [inLanguage('title', language), say('editor.lost.left')]))
  }
  const done = await restoreVersions(call, [id, ...mayReturn.map(([, other]) => other)])
  return done === 'refused' ? { form: say('events.not-restored') } : undefined
}

/** Returns what was typed without the texts of languages that stay in the trash. */
export function withoutLeft(state: EditorState, lost: Lost | undefined): EditorState {
  const { values, was, versions } = state
  const left = versions.filter(({ id, language }) => id === undefined && lost?.ids[language] !== undefined)
  const isLeft = (name: string) => left.some(({ language }) => name.endsWith(`.${language}`))
  const blank = Object.fromEntries(Object.keys(values).flatMap((name) => (isLeft(name) ? [[name, '']] : [])))
  return { ...state, values: { ...values, ...blank }, was: { ...was, ...blank } }
}

/** Returns a new event with what was typed. It has no dates of the lost series, and an address of its own. */
export function asNewState({ lost: _, ...state }: EditorState): EditorState {
  const { values, was, versions } = state
  const isSame = (name: string) => values[name] === was[name]
  const empty = Object.fromEntries(namesOfFields(versions.map(({ language }) => language)).map((name) => [name, '']))
  const slugs = Object.keys(values).filter((name) => name.startsWith('slug.') && isSame(name))
  return {
    ...{ ...state, id: undefined, status: 'draft', was: empty },
    values: {
      ...{ ...values, ...Object.fromEntries(slugs.map((name) => [name, ''])) },
      ...(repeatFields.every(isSame)
        ? Object.fromEntries(repeatFields.map((name) => [name, deskFields[name].blank]))
        : {}),
    },
  }
}

/** Returns the form as if its draft had been saved. */
export function asDraft(form: DeskForm): DeskForm {
  return formOfPairs([...form.pairs, ['asked', 'draft']])
}

/** Returns what has happened, and what can be done about it. */
export function lostNotice({ say }: OwnCall, { isRestorable }: Lost, isFocused: boolean): Html {
  const kind = isRestorable ? 'trash' : 'gone'
  return html`<div class="faults" role="alert"${isFocused && html` tabindex="-1" autofocus`}>
<h2>${say(`editor.lost.${kind}`)}</h2>
<p>${say(`editor.lost.${kind}.text`)}</p>
</div>`
}

/** Returns the buttons that save what was typed. */
export function lostButtons({ say }: OwnCall, { isRestorable, asked }: Lost): Html {
  return html`${hidden('asked', asked)}
${isRestorable && html`<button name="to" value="${toRestored}">${say('editor.lost.restore')}</button>`}
<button name="to" value="${toNew}"${isRestorable && html` class="quiet"`}>${say('editor.lost.new')}</button>`
}
