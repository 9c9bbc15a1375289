import { mayEdit, mayEditOthers } from '../../access/auth/policy.ts'
import { type Html, html } from '../../base/text/html.ts'
import { statusOf } from '../events/event.json.ts'
import { badgeOf } from '../events/event.table.ts'
import { languageName } from '../events/language.names.ts'
import { actorOf, type DeskPage, linkTo, type OwnCall, withParameters } from '../shell/desk.call.ts'
import { csrfField, field, hidden, notice, select } from '../shell/fields.ts'
import { pageIn, pager } from '../shell/pager.ts'
import { usedBy } from '../shell/shortcuts.ts'
import { mergeNotice } from './merge.notice.ts'
import { type RecordKind, type RecordRow, readRecords } from './record.kinds.ts'

const perPage = 25
const longestWords = 100
const uses = { used: 'true', unused: 'false' } as const

/** The list of venues or organizers, with the number of their events. */
export async function recordListPage(call: OwnCall, kind: RecordKind): Promise<DeskPage> {
  const { say, query } = call
  const { plural } = kind
  const page = pageIn(query)
  const words = (query.get('q') ?? '').trim().slice(0, longestWords)
  const use = Object.hasOwn(uses, query.get('use') ?? '') ? (query.get('use') as keyof typeof uses) : undefined
  const { rows, total, pages } = await readRecords(call, kind, {
    ...{ page, per_page: perPage, has_events: use && uses[use] },
    search: words === '' ? undefined : words,
  })
  const address = (number: number) => withParameters(`/admin/${plural}/`, { q: words || undefined, use, page: number })
  return {
    ...{ kind: 'page', title: say(`${plural}.title`), section: plural },
    main: html`<div class="heading"><h1 id="title">${say(`${plural}.title`)}</h1>
<a class="button" href="${linkTo(call, `/admin/${plural}/new/`)}">${say(`${plural}.new`)}</a></div>
${recordNotice(call, kind)}
<form class="filter-bar" action="${linkTo(call, `/admin/${plural}/`)}" aria-label="${say('events.filters')}">
${field({ name: 'q', type: 'search', label: say('events.search'), value: words, maxLength: longestWords })}
${select({
  ...{ name: 'use', label: say('records.use'), value: use ?? '' },
  choices: [
    ['', say('events.any')],
    ['used', say('records.used')],
    ['unused', say('records.unused')],
  ],
})}
<div class="field"><button class="quiet">${say('events.filter')}</button></div>
${(words !== '' || use) && html`<p class="field"><a href="${linkTo(call, `/admin/${plural}/`)}">${say('events.clear')}</a></p>`}
</form>
<p role="status" class="hint">${say(`${plural}.count`, { count: total })}</p>
${rows.length === 0 ? html`<p>${say('records.none')}</p>` : table(call, kind, rows)}
${pager(call, { page, pages, address })}`,
  }
}

function table(call: OwnCall, kind: RecordKind, rows: readonly RecordRow[]): Html {
  const { say } = call
  const columns = [
    say('records.name'),
    say(kind.kind === 'venue' ? 'records.city' : 'users.email'),
    say('events.title'),
    say('events.column.status'),
    say('events.column.actions'),
  ]
  return html`<div class="table" role="region" aria-labelledby="title" tabindex="0">
<table class="records">
<thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>
${rows.map((row) => tableRow(call, kind, row))}
</tbody>
</table>
</div>`
}

function tableRow(call: OwnCall, { kind, plural }: RecordKind, row: RecordRow): Html {
  const { say, me } = call
  const { id, name, events } = row
  const actor = actorOf(me)
  const isChangeable = mayEdit(actor, { authorId: Number(row.author), status: row.status })
  const path = `/admin/${plural}/${id}/`
  const count = say('events.count', { count: events })
  const label = (key: 'events.edit' | 'events.trash' | 'merge.start') =>
    say('events.of', { action: say(key), title: name })
  return html`<tr>
<th scope="row">${isChangeable ? html`<a href="${linkTo(call, path)}">${name}</a>` : name}${languageBadges(call, row)}</th>
<td>${row.place}</td>
<td>${events > 0 && kind === 'venue' ? html`<a href="${linkTo(call, withParameters('/admin/events/', { from: '', venue: id }))}">${count}</a>` : count}</td>
<td><span class="status ${statusOf(row)}">${say(`status.${statusOf(row)}`)}</span></td>
<td class="actions">
${isChangeable && html`<a class="button quiet" href="${linkTo(call, path)}" aria-label="${label('events.edit')}"${usedBy('e')}>${say('events.edit')}</a>`}
${mayEditOthers(actor) && html`<a class="button quiet" href="${linkTo(call, `${path}merge/`)}" aria-label="${label('merge.start')}">${say('merge.start')}</a>`}
${isChangeable && html`<form method="post" action="${linkTo(call, `${path}trash/`)}">${csrfField(call)}<button class="quiet" aria-label="${label('events.trash')}">${say('events.trash')}</button></form>`}
</td>
</tr>`
}

/** Returns the letters of the languages in which a record exists. */
function languageBadges(call: OwnCall, { versions }: Pick<RecordRow, 'versions'>): readonly Html[] {
  return call.config.languages
    .filter((language) => versions.some((version) => version.language === language))
    .map(
      (language) =>
        html` <span class="badge" title="${call.say('events.in', { language: languageName(call, language) })}">${badgeOf(call, language)}</span>`,
    )
}

const doneTexts = ['trashed', 'restored', 'saved'] as const
const idPattern = /^\d{1,15}$/

/** Returns what the last form did. A removal and a merge can be undone at once. */
export function recordNotice(call: OwnCall, { plural }: RecordKind): Html | false {
  const { say, query } = call
  const done = doneTexts.find((one) => one === query.get('done'))
  if (!done) return mergeNotice(call, plural)
  const ids = query.getAll('id').filter((id) => idPattern.test(id))
  return notice(
    say(`${plural}.${done}`),
    done === 'trashed' &&
      ids.length > 0 &&
      html`<form method="post" action="${linkTo(call, `/admin/${plural}/restore/`)}">${csrfField(call)}${ids.map((id) => hidden('id', id))}<button class="quiet">${say('events.undo')}</button></form>`,
  )
}
