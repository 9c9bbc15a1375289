import { randomUUID } from 'node:crypto'
import { capitalised } from '../../base/languages/dates.js'
import { contentLanguageOf } from '../../base/languages/language.ts'
import { type Html, html, raw } from '../../base/text/html.ts'
import { richTexts } from '../rich/rich.field.ts'
import { type DeskPage, linkTo, type OwnCall } from '../shell/desk.call.ts'
import { ENTER_SENDS_NOTHING, faultSummary, hidden, notice } from '../shell/fields.ts'
import { usedBy } from '../shell/shortcuts.ts'
import { inLanguage } from './desk.field.ts'
import { askDialog, buttonsOf } from './editor.buttons.ts'
import { checkList, linkCheck } from './editor.checks.ts'
import { othersText } from './editor.conflict.page.ts'
import { writeMoment } from './editor.dates.ts'
import { labelOf, namesOfFields } from './editor.fields.ts'
import { lostButtons, lostNotice } from './editor.lost.ts'
import type { EditorMessages, EditorState, EditorValues } from './editor.model.ts'
import { languageColumns, panelsOf } from './editor.panels.ts'
import { hasPictures } from './editor.picture.ts'
import { previewLink } from './editor.preview.ts'
import { headingOf } from './event.heading.ts'
import { statusOf } from './event.json.ts'
import { offBadge } from './event.table.ts'
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
    ...{ kind: 'page', title, section: 'events', address: path, scripts: ['editor', 'rich', 'picture'] },
    status: Object.keys(faults).length > 0 ? 422 : lost ? 409 : 200,
    afterTold: publicLinks(call, state),
    main: html`<div class="heading">${heading}${id !== undefined && !lost && stateLine(call, state)}</div>
<p class="hint" role="status" data-others>${await othersText(call, state)}</p>
${messages.notice && notice(messages.notice)}
${faultSummary(call, faults, labels)}
${lost && lostNotice(call, lost, Object.keys(faults).length === 0)}
<div class="notice" data-kept hidden><p>${say('editor.kept')}</p><button type="button" class="quiet" data-put-back>${say('editor.put-back')}</button><button type="button" class="quiet" data-discard>${say('editor.discard')}</button></div>
<form method="post" action="${linkTo(call, path)}" class="event-editor" data-user="${call.me.user.id}" data-texts="${scriptTexts(call)}" data-rich-texts="${richTexts(call)}"${autosaves(state) && raw(' data-autosaves')} novalidate${isUnsaved && raw(' data-unsaved')}${hasPictures(call) && raw(' enctype="multipart/form-data"')}>
${csrfAndHidden(call, state)}
${names.map((name) => hidden(`was.${name}`, was[name] ?? ''))}
${ENTER_SENDS_NOTHING}
<div class="first">
${await languageColumns(shown, 'titles')}
${await panelsOf(shown, 'first')}
</div>
<div class="beside">
<div class="save-bar">
<div class="buttons">${lost ? lostButtons(call, lost) : buttonsOf(call, state)}</div>
${!lost && askDialog(call, state, messages.isAsked)}
<p class="autosave" role="status" data-autosave></p>
${await checkList(call, state, messages.checks)}
</div>
${await seriesPanel(call, state)}
${await panelsOf(shown, 'beside')}
</div>
${await languageColumns(shown, 'texts')}
<div class="rest">
<div>${await panelsOf(shown, 'rest')}</div>
<div class="line">${linkCheck(call)}<label class="check" data-shortcuts hidden><input type="checkbox"> <span>${say('editor.shortcuts')}</span></label></div>
</div>
</form>`,
  }
}

/** Returns the title among values, in the language of the page if there is one. */
export function titleAmong(
  { config, textLanguage }: OwnCall,
  { versions }: Pick<EditorState, 'versions'>,
  values: EditorValues,
): { readonly language: string; readonly title: string } | undefined {
  const titles = versions.map(({ language }) => ({ language, title: values[inLanguage('title', language)] ?? '' }))
  const written = titles.filter(({ title }) => title !== '')
  const own = contentLanguageOf(config, textLanguage)
  return written.find(({ language }) => language === own) ?? written[0]
}

/** Returns the title and the heading of the editor, with the saved title. */
function headingIn(call: OwnCall, state: EditorState): ReturnType<typeof headingOf> {
  const { say, textLanguage } = call
  const { id, was, series } = state
  const about = say(id === undefined ? 'new-event' : 'editor.edit')
  const event = titleAmong(call, state, was)
  if (id === undefined || !event) return { title: about, heading: html`<h1>${about}</h1>` }
  // The dates of a series have the same title.
  const date = series && writeMoment(textLanguage, (was.start ?? '').slice(0, 10))
  return headingOf(call, about, { ...event, date })
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

/** Returns links to the pages that visitors see. */
function publicLinks(call: OwnCall, { versions }: EditorState): readonly Html[] {
  const isOne = versions.filter(({ url }) => url).length === 1
  return versions.flatMap(({ language, url }) =>
    url
      ? [
          html`<a href="${url}">${call.say('events.view')}${!isOne && ` – ${capitalised(languageName(call, language))}`}</a>`,
        ]
      : [],
  )
}

function stateLine(call: OwnCall, { id: event, versions, was }: EditorState): Html {
  const { say } = call
  const copy = html`<a href="${linkTo(call, `/admin/events/${event}/copy/`)}"${usedBy('d')}>${say('events.copy')}</a>`
  return html`<p class="state-line">${versions.map(({ language, id, status, url }) => {
    const name = capitalised(languageName(call, language))
    const state = id === undefined ? say('editor.no-version') : say(`status.${statusOf({ status })}`)
    return html`<span>${name}${say('colon')}<span class="status ${id === undefined ? 'draft' : status}">${state}</span>${url && html` <a href="${url}">${say('events.view')}<span class="unseen"> – ${name}</span></a>`}${id !== undefined && !url && html` <a href="${previewLink(call, { id, language })}">${say('editor.preview')}<span class="unseen"> – ${name}</span></a>`}${id !== undefined && html` <a href="${linkTo(call, `/admin/events/${id}/history/`)}">${say('editor.history')}<span class="unseen"> – ${name}</span></a>`}</span> `
  })}${offBadge(call, was.event_status)}${copy}</p>`
}
