import { randomUUID } from 'node:crypto'
import { mayPublish } from '../../access/auth/policy.ts'
import { capitalised } from '../../base/languages/dates.js'
import { contentLanguageOf } from '../../base/languages/language.ts'
import { type Html, html, raw } from '../../base/text/html.ts'
import { richTexts } from '../rich/rich.field.ts'
import { actorOf, type DeskPage, linkTo, type OwnCall } from '../shell/desk.call.ts'
import { faultSummary, hidden, notice } from '../shell/fields.ts'
import { usedBy } from '../shell/shortcuts.ts'
import { inLanguage } from './desk.field.ts'
import { checkList } from './editor.checks.ts'
import { labelOf, namesOfFields } from './editor.fields.ts'
import { lostButtons, lostNotice } from './editor.lost.ts'
import type { EditorMessages, EditorState } from './editor.model.ts'
import { sharedPanels, textColumns } from './editor.panels.ts'
import { hasPictures } from './editor.picture.ts'
import { previewLink } from './editor.preview.ts'
import { headingOf } from './event.heading.ts'
import { statusOf } from './event.json.ts'
import { doneNotice } from './events.page.ts'
import { languageName } from './language.names.ts'
import { seriesPanel } from './series.own.ts'

/** Returns the page that makes or changes an event in all its languages. */
export async function editorPage(call: OwnCall, state: EditorState, messages: EditorMessages = {}): Promise<DeskPage> {
  const { say } = call
  const { faults = {} } = messages
  const { id, was, versions, lost } = state
  const { title, heading } = headingIn(call, state)
  const shown = { call, state, messages }
  const path = id === undefined ? '/admin/events/new/' : `/admin/events/${id}/`
  const names = namesOfFields(versions.map(({ language }) => language))
  const isUnsaved = !messages.isOpened && names.some((name) => state.values[name] !== was[name])
  const labels = Object.fromEntries([...names, 'picture'].map((name) => [name, labelOf(call, name)]))
  return {
    ...{ kind: 'page', title, section: 'events', address: path, scripts: ['editor', 'rich'] },
    status: Object.keys(faults).length > 0 ? 422 : lost ? 409 : 200,
    main: html`${heading}
${doneNotice(call)}
${messages.notice && notice(messages.notice)}
${faultSummary(call, faults, labels)}
${lost && lostNotice(call, lost, Object.keys(faults).length === 0)}
<div class="notice" data-kept hidden><p>${say('editor.kept')}</p><button type="button" class="quiet" data-put-back>${say('editor.put-back')}</button><button type="button" class="quiet" data-discard>${say('editor.discard')}</button></div>
${id !== undefined && !lost && stateLine(call, state)}
<form method="post" action="${linkTo(call, path)}" class="event-editor" data-user="${call.me.user.id}" data-texts="${scriptTexts(call)}" data-rich-texts="${richTexts(call)}"${autosaves(state) && raw(' data-autosaves')}${isUnsaved && raw(' data-unsaved')}${hasPictures(call) && raw(' enctype="multipart/form-data"')}>
${csrfAndHidden(call, state)}
${names.map((name) => hidden(`was.${name}`, was[name] ?? ''))}
${defaultButton(call, state)}
${await seriesPanel(call, state)}
${await textColumns(shown)}
<h2 class="shared-title">${say('editor.shared')}</h2>
${await sharedPanels(shown)}
<label class="check" data-shortcuts hidden><input type="checkbox"> <span>${say('editor.shortcuts')}</span></label>
<div class="save-bar">
<div class="buttons">${lost ? lostButtons(call, lost) : buttons(call, state)}<p class="autosave" role="status" data-autosave></p></div>
${await checkList(call, state, messages.checks)}
</div>
</form>`,
  }
}

/** Returns the title and the heading of the editor, with the saved title in the language of the page if there is one. */
function headingIn(call: OwnCall, { id, was, versions }: EditorState): ReturnType<typeof headingOf> {
  const { say, config, textLanguage } = call
  const about = say(id === undefined ? 'editor.new' : 'editor.edit')
  const titles = versions.map(({ language }) => ({ language, title: was[inLanguage('title', language)] ?? '' }))
  const saved = titles.filter(({ title }) => title !== '')
  const own = contentLanguageOf(config, textLanguage)
  const event = saved.find(({ language }) => language === own) ?? saved[0]
  return id === undefined || !event ? { title: about, heading: html`<h1>${about}</h1>` } : headingOf(call, about, event)
}

/** Whether what is typed is saved by itself: only of events that nobody else sees. */
export function autosaves({ id, versions, series, lost }: EditorState): boolean {
  // Whether a change means one date or all of them is asked when it is saved.
  if (series !== undefined || lost !== undefined) return false
  return id === undefined || versions.every((version) => version.id === undefined || version.status === 'draft')
}

/** Returns the texts that the script shows, as JSON. */
function scriptTexts({ say }: OwnCall): string {
  const names = ['saved', 'kept', 'offline', 'signed-out', 'conflict', 'gone', 'incomplete'] as const
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, say(`editor.auto.${name}`)])))
}

function csrfAndHidden({ me }: OwnCall, { versions, lost }: EditorState): Html {
  return html`${hidden('csrf', me.csrf_token)}${hidden('key', randomUUID())}
${versions.map(({ language, version }) => hidden(`version.${language}`, version))}
${versions.map(({ language, id }) => hidden(`id.${language}`, String(lost?.ids[language] ?? id ?? '')))}`
}

function stateLine(call: OwnCall, { id: event, versions }: EditorState): Html {
  const { say } = call
  const copy = html`<a href="${linkTo(call, `/admin/events/${event}/copy/`)}"${usedBy('d')}>${say('events.copy')}</a>`
  return html`<p class="state-line">${versions.map(({ language, id, status, url }) => {
    const name = capitalised(languageName(call, language))
    const state = id === undefined ? say('editor.no-version') : say(`status.${statusOf({ status })}`)
    return html`<span>${name}${say('colon')}<span class="status ${id === undefined ? 'draft' : status}">${state}</span>${url && html` <a href="${url}">${say('events.view')}<span class="unseen"> – ${name}</span></a>`}${id !== undefined && !url && html` <a href="${previewLink(call, { id, language })}">${say('editor.preview')}<span class="unseen"> – ${name}</span></a>`}${id !== undefined && html` <a href="${linkTo(call, `/admin/events/${id}/history/`)}">${say('editor.history')}<span class="unseen"> – ${name}</span></a>`}</span> `
  })}${copy}</p>`
}

/** The Enter key presses the first button of a form. It must never copy texts or make anything public. */
function defaultButton({ say }: OwnCall, { id, status, lost }: EditorState): Html {
  const to = !lost && (id === undefined || status === 'draft') ? 'draft' : 'save'
  return html`<button name="to" value="${to}" class="unseen" tabindex="-1" aria-hidden="true">${say('editor.save')}</button>`
}

/** Returns the buttons for what the user may do with an event in this state. */
function buttons(call: OwnCall, { id, status }: EditorState): readonly Html[] {
  const { say } = call
  const button = (to: string, key: Parameters<typeof say>[0], isQuiet = false) =>
    html`<button name="to" value="${to}"${isQuiet && raw(' class="quiet"')}${to === 'draft' && raw(' formnovalidate')}>${say(key)}</button>`
  const canPublish = mayPublish(actorOf(call.me))
  const isDraft = id === undefined || status === 'draft'
  const next = canPublish ? button('publish', 'editor.publish') : button('pending', 'editor.submit')
  const preview = button('preview', 'editor.save-and-preview', true)
  if (isDraft) return [next, button('draft', 'editor.draft', true), preview]
  if (status === 'pending') return [...(canPublish ? [next] : []), button('save', 'editor.save', canPublish), preview]
  return [button('save', 'editor.save'), button('draft', 'editor.unpublish', true)]
}
