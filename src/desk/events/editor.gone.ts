import { html } from '../../publish/pages/html.ts'
import type { DeskPage, OwnCall } from '../shell/desk.call.ts'

/** The answer for an event that does not exist, or that the user may not change. */
export function gonePage({ say }: OwnCall): DeskPage {
  const title = say('not-found')
  return { kind: 'page', status: 404, title, main: html`<h1>${title}</h1><p>${say('editor.gone')}</p>` }
}
