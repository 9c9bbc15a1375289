import { mayEdit, mayEditOthers } from '../../access/auth/policy.ts'
import { type Html, html } from '../../base/text/html.ts'
import { statusOf } from '../events/event.json.ts'
import { badgeOf } from '../events/event.table.ts'
import { languageName } from '../events/language.names.ts'
import { actorOf, type DeskPage, linkTo, type OwnCall, withParameters } from '../shell/desk.call.ts'
import { csrfField, field, select } from '../shell/fields.ts'
import { pageIn, pager } from '../shell/pager.ts'
import { usedBy } from '../shell/shortcuts.ts'
import { mergeAt } from './merge.page.ts'
import { type RecordKind, type RecordRow, readRecords } from './record.kinds.ts'
import { recordTabs } from './record.tabs.ts'

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
    ...{ kind: 'page', title: say(`${plural}.title`), section: 'records' },
    main: html`<div class="heading"><h1 id="title">${say(`${plural}.title`)}</h1>
${recordTabs(call, plural)}
<a class="button" href="${linkTo(call, `/admin/${plural}/new/`)}">${say(`${plural}.new`)}</a></div>
<form class="table-filters" action="${linkTo(call, `/admin/${plural}/`)}" aria-label="${say('events.filters')}">
<div class="filter-bar" id="filters" popover>
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
</div>
<div class="line"><button type="button" class="quiet open-filters" popovertarget="filters">${say('events.filters')}</button>
<p role="status" class="hint">${say(`${plural}.count`, { count: total })}</p>
${(words !== '' || use) && html`<a href="${linkTo(call, `/admin/${plural}/`)}">${say('events.clear')}</a>`}
${mayEditOthers(actorOf(call.me)) && page === 1 && words === '' && use === undefined && (await alikePart(call, kind))}</div>
</form>
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
  ]
  return html`<div class="table" role="region" aria-labelledby="title" tabindex="0">
<table class="events">
<thead><tr><th scope="col" class="select"><span class="unseen">${say('events.column.select')}</span></th>${columns.map((name) => html`<th scope="col">${name}</th>`)}<th scope="col"><span class="unseen">${say('events.column.actions')}</span></th></tr></thead>
<tbody>
${rows.map((row) => tableRow(call, kind, row))}
</tbody>
</table>
</div>
<form class="many" id="merge" action="${linkTo(call, `/admin/${kind.plural}/merge/`)}"><span>${say('merge.two')}</span> <button class="quiet">${say('merge.selected')}</button></form>`
}

function tableRow(call: OwnCall, { kind, plural }: RecordKind, row: RecordRow): Html {
  const { say, me } = call
  const { id, name, events } = row
  const actor = actorOf(me)
  const isChangeable = mayEdit(actor, { authorId: Number(row.author), status: row.status })
  const path = `/admin/${plural}/${id}/`
  const count = say('events.count', { count: events })
  const label = (key: 'events.trash' | 'merge.start' | 'events.column.actions') =>
    say('events.of', { action: say(key), title: name })
  return html`<tr>
<td class="select">${mayEditOthers(actor) && html`<label class="check"><input type="checkbox" name="ids" value="${id}" form="merge"${usedBy('x')}><span class="unseen">${say('events.select', { title: name })}</span></label>`}</td>
<th scope="row">${isChangeable ? html`<a href="${linkTo(call, path)}"${usedBy('e')}>${name}</a>` : name}${languageBadges(call, row)}</th>
<td>${row.place}</td>
<td>${events > 0 && kind === 'venue' ? html`<a href="${linkTo(call, withParameters('/admin/events/', { from: '', venue: id }))}">${count}</a>` : count}</td>
<td><span class="status ${statusOf(row)}">${say(`status.${statusOf(row)}`)}</span></td>
<td class="actions">${
    isChangeable &&
    html`<button type="button" class="quiet" popovertarget="m-${id}" aria-label="${label('events.column.actions')}">⋯</button>
<div class="menu-body row-menu" id="m-${id}" popover>
${mayEditOthers(actor) && html`<a href="${linkTo(call, `${path}merge/`)}" aria-label="${label('merge.start')}">${say('merge.start')}</a>`}
<form method="post" action="${linkTo(call, `${path}trash/`)}">${csrfField(call)}<button class="quiet" aria-label="${label('events.trash')}">${say('events.trash.short')}</button></form>
</div>`
  }</td>
</tr>`
}

/** Returns the records that look alike, each pair with the reason and with the way to merge it; nothing if there are none. */
async function alikePart(call: OwnCall, kind: RecordKind): Promise<Html | false> {
  const { say } = call
  const { rows } = await readRecords(call, kind, { alike: 'true' })
  const pairs = rows
    .flatMap((row) =>
      row.alike.flatMap(({ id, reason }) => {
        // The one with fewer events goes into the other.
        const [from, into] = [row, ...rows.filter((other) => other.id === id)].toSorted((a, b) => a.events - b.events)
        return from && into ? [{ from, into, reason }] : []
      }),
    )
    .toSorted((one, other) => Number(one.reason === 'address') - Number(other.reason === 'address'))
  if (pairs.length === 0) return false
  const named = ({ name, place, events }: RecordRow) =>
    html`<strong>${name}</strong>${kind.kind === 'venue' && place !== '' && `, ${place}`} (${say('events.count', { count: events })})`
  return html`<details><summary>${say('alike.title', { count: pairs.length })}</summary>
<ul class="rows">${pairs.map(
    ({ from, into, reason }) =>
      html`<li><span>${named(into)} · ${named(from)}<br><span class="hint">${say(`alike.${reason}`)}</span></span><a class="button quiet" href="${linkTo(call, mergeAt(kind, from.id, into.id))}" aria-label="${say('events.of', { action: say('merge.start'), title: `${from.name}, ${into.name}` })}">${say('merge.start')}</a></li>`,
  )}</ul></details>`
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
