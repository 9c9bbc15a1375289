import { type Html, html } from '../../base/text/html.ts'
import type { DeskCall } from '../shell/desk.call.ts'
import { titleOf } from './event.json.ts'

/** Returns the title and the heading of a page about one event. They say what the page is for, and name the event. */
export function headingOf(
  call: DeskCall,
  about: string,
  event: { readonly title: string; readonly language: string; readonly date?: string | undefined },
): { readonly title: string; readonly heading: Html } {
  const { date } = event
  const name = titleOf(call, event)
  return {
    title: [about, name, ...(date ? [date] : [])].join(' – '),
    heading: html`<h1>${about}\u00a0– <span lang="${event.language}" dir="auto">${name}</span>${date && ` – ${date}`}</h1>`,
  }
}
