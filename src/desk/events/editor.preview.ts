import { mayCreate } from '../../access/auth/policy.ts'
import { textLanguageOf } from '../../base/languages/language.ts'
import { html } from '../../base/text/html.ts'
import { isNoDate } from '../../calendar/events/model/event.ts'
import type { EventSource } from '../api/answers.ts'
import { type DeskAnswer, type DeskRoutes, linkTo, type OwnCall } from '../shell/desk.call.ts'
import { gonePage } from '../shell/fields.ts'
import type { EventJson } from './event.json.ts'
import { languageName } from './language.names.ts'

/** Shows an event in the page that visitors will see. The interface decides who may see it: those who may change the event. */
async function preview(call: OwnCall, id = ''): Promise<DeskAnswer> {
  const { say, textLanguage } = call
  const { status, body } = await call.api.service<EventSource>({ path: `/events/${id}/source` })
  if (status !== 200) return gonePage(call, 'editor.gone')
  const own = textLanguageOf(body.language)
  if (own !== textLanguage) return { kind: 'see', path: `/admin/events/${id}/preview/`, language: own }
  const { body: event } = await call.api.events<EventJson>({ path: `/events/${id}`, query: { context: 'edit' } })
  const editor = linkTo(call, `/admin/events/${id}/`)
  const text = body.status === 'publish' ? say('editor.preview.public') : say('editor.preview.hidden')
  const document = await call.showPublicly(
    Number(id),
    html`<p class="notice">${text}${isNoDate(event.start_date) && html` ${say('editor.preview.no-date')}`} <a href="${editor}">${say('editor.preview.back')}</a>${body.translations.map((one) => html` · <a href="${previewLink(call, one)}">${say('editor.preview')} (${languageName(call, one.language)})</a>`)}</p>`,
  )
  return document === undefined ? gonePage(call, 'editor.gone') : { kind: 'document', html: document }
}

/** Returns the address of the preview of an event in its language. */
export function previewLink(
  call: OwnCall,
  { id, language }: { readonly id: number; readonly language: string },
): string {
  return linkTo(call, `/admin/events/${id}/preview/`, textLanguageOf(language))
}

/** The real page of an event before it is public. */
export const previewRoutes: DeskRoutes = { '/admin/events/{id}/preview/': { mayUse: mayCreate, show: preview } }
