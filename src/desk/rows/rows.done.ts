import { randomUUID } from 'node:crypto'
import { type Html, html } from '../../publish/pages/html.ts'
import { type EventJson, titleOf } from '../events/event.json.ts'
import { readEventsIn, type Wanted } from '../events/event.reads.ts'
import { type DeskAnswer, linkTo, type OwnCall, withParameters } from '../shell/desk.call.ts'
import { whenText } from '../shell/desk.dates.ts'
import { actionButton, notice } from '../shell/fields.ts'
import { packResult, unpackResult } from '../shell/result.address.ts'
import type { Made } from './row.batch.ts'
import { areMade, undoText } from './row.undo.ts'
import { rowsPath } from './rows.page.ts'

// The page that shows what a table made. Its address says what that was, so it can be loaded again.

export const rowsDonePath = `${rowsPath}done/`

/** Returns the address of the page that shows what a table made. */
export function addressOfMade(call: OwnCall, made: readonly Made[]): DeskAnswer {
  const rows = made.map(({ kind, id, version, language = '' }) => [kind, id, version, language])
  return { kind: 'see', path: withParameters(rowsDonePath, { result: packResult(call, rowsDonePath, rows) }) }
}

/** Shows what a table made as it is now, and offers to undo it. */
export async function rowsDonePage(call: OwnCall): Promise<DeskAnswer> {
  const { say } = call
  const made = unpackResult(call, rowsDonePath, areMade)
  if (made === undefined) return { kind: 'see', path: rowsPath }
  const own = made.flatMap(([, id, , language = '']) => (language === '' ? [] : [{ id, language }]))
  const events = await readMade(call, own)
  const undo =
    events.length > 0 &&
    actionButton(call, `${rowsPath}undo/`, {
      label: say('events.undo'),
      fields: { undo: undoText(made), key: randomUUID() },
    })
  return {
    ...{ kind: 'page', title: say('rows.title'), section: 'events' },
    main: html`<h1>${say('rows.title')}</h1>
${notice(say('rows.done', { count: own.length }), undo)}
<section class="panel" aria-labelledby="made"><h2 id="made">${say('rows.made')}</h2>${madeList(call, events)}</section>
<div class="buttons"><a class="button" href="${linkTo(call, withParameters('/admin/events/', { sort: 'modified' }))}">${say('many.back')}</a> <a class="button quiet" href="${linkTo(call, rowsPath)}">${say('rows.again')}</a></div>`,
  }
}

function madeList(call: OwnCall, events: readonly EventJson[]): Html {
  if (events.length === 0) return html`<p>${call.say('rows.made.none')}</p>`
  return html`<ul class="rows">${events.map((event) => html`<li><span><a href="${linkTo(call, `/admin/events/${event.id}/`)}">${titleOf(call, event)}</a><br><span class="hint">${whenText(call.textLanguage, event)}</span></span></li>`)}</ul>`
}

/** Reads events in the order of their rows. Those in the trash are left out. */
async function readMade(call: OwnCall, made: readonly Wanted[]): Promise<readonly EventJson[]> {
  const events = new Map((await readEventsIn(call, made)).map((event) => [event.id, event]))
  return made.flatMap(({ id }) => events.get(id) ?? [])
}
