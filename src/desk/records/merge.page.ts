import { type Html, html } from '../../base/text/html.ts'
import type { MergedRecord, UnmergedRecord } from '../api/answers.ts'
import { titleOf } from '../events/event.json.ts'
import { languageName } from '../events/language.names.ts'
import {
  type DeskAnswer,
  type DeskForm,
  type DeskPage,
  linkTo,
  type OwnCall,
  withParameters,
} from '../shell/desk.call.ts'
import { whenText } from '../shell/desk.dates.ts'
import { csrfField, type Faults, field, formPage, hidden } from '../shell/fields.ts'
import { tellAt } from '../shell/told.ts'
import { plainName, type RecordKind, type RecordSource, readRecordSource, readRecords } from './record.kinds.ts'
import type { RecordTab } from './record.tabs.ts'

const maxFound = 20

/** The page on which the other record is chosen, or with `into` the preview of the merge. */
export async function mergePage(call: OwnCall, kind: RecordKind, id: string): Promise<DeskPage | undefined> {
  const from = await readRecordSource(call, kind, id)
  if (!from || from.status === 'trash') return undefined
  const into = call.query.get('into') ?? ''
  return /^\d{1,15}$/.test(into) ? previewPage(call, kind, { from, into }) : choicePage(call, kind, { from })
}

interface Choosing {
  readonly from: RecordSource
  readonly faults?: Faults
}

async function choicePage(call: OwnCall, kind: RecordKind, { from, faults = {} }: Choosing): Promise<DeskPage> {
  const { say, query } = call
  const { plural } = kind
  const path = `/admin/${plural}/${from.id}/merge/`
  const words = (query.get('q') ?? '').trim().slice(0, 100)
  const { rows } = await readRecords(call, kind, {
    ...{ per_page: maxFound + 1, search: words === '' ? undefined : words },
  })
  const others = rows.filter(
    ({ id, versions }) => id !== from.id && !versions.some((version) => version.id === from.id),
  )
  const title = say(`${plural}.merge.title`, { name: plainName(call, from.name) })
  return formPage(
    call,
    { title, section: 'records', address: withParameters(path, { q: words || undefined }), faults },
    html`<p>${say(`${plural}.merge.choose`)}</p>
<form action="${linkTo(call, path)}" class="filter-bar" aria-label="${say('events.filters')}">
${field({ name: 'q', type: 'search', label: say('events.search'), value: words, maxLength: 100 })}
<div class="field"><button class="quiet">${say('search.submit')}</button></div>
</form>
${others.length === 0 ? html`<p role="status">${say('records.none')}</p>` : choices(call, { path, others: others.slice(0, maxFound) })}
<p><a class="button quiet" href="${linkTo(call, `/admin/${plural}/${from.id}/`)}">${say('cancel')}</a></p>`,
  )
}

function choices(
  call: OwnCall,
  { path, others }: { readonly path: string; readonly others: Awaited<ReturnType<typeof readRecords>>['rows'] },
): Html {
  const { say } = call
  return html`<form action="${linkTo(call, path)}" class="panel">
<fieldset class="choices one-column"><legend class="unseen">${say('merge.into')}</legend>
${others.map(
  ({ id, name, place, events }) =>
    html`<label class="check"><input type="radio" name="into" value="${id}" required> <span>${name}${place !== '' && ` – ${place}`} <span class="hint">${say('events.count', { count: events })}</span></span></label>`,
)}
</fieldset>
<button>${say('merge.preview')}</button>
</form>`
}

async function previewPage(
  call: OwnCall,
  kind: RecordKind,
  { from, into }: { readonly from: RecordSource; readonly into: string },
): Promise<DeskPage> {
  const { say, api } = call
  const { plural } = kind
  const path = `/admin/${plural}/${from.id}/merge/`
  const [target, planned] = await Promise.all([
    readRecordSource(call, kind, into),
    api.service<MergedRecord>({
      ...{ method: 'POST', path: `/${plural}/${from.id}/merge`, headers: { 'if-match': '*' } },
      json: { into: Number(into), dry_run: true, per_page: maxFound },
    }),
  ])
  const { status, body, message, faults } = planned
  if (status !== 200 || !target) return choicePage(call, kind, { from, faults: { into: faults.into ?? message } })
  const names = { from: plainName(call, from.name), into: plainName(call, target.name) }
  const title = say('merge.preview.title', names)
  const more = body.count - body.events.length
  return formPage(
    call,
    { title, section: 'records', address: withParameters(path, { into }) },
    html`<p>${say('merge.moves', { count: body.count, ...names })} ${say(`${plural}.merge.trash`, names)}</p>
${body.lost_languages.length > 0 && html`<p class="notice">${say('merge.lost', { ...names, languages: body.lost_languages.map((one) => languageName(call, one)).join(', ') })}</p>`}
${
  body.events.length > 0 &&
  html`<section class="panel" aria-labelledby="moving"><h2 id="moving">${say('merge.events')}</h2>
<ul class="rows">${body.events.map((event) => movingRow(call, event))}</ul>
${more > 0 && html`<p class="hint">${say('merge.more', { count: more })}</p>`}</section>`
}
<form method="post" action="${linkTo(call, path)}">
${csrfField(call)}${hidden('into', into)}${hidden('version', from.version)}
<div class="buttons"><button>${say('merge.submit')}</button>
<a class="button quiet" href="${linkTo(call, mergeAt(kind, target.id, from.id))}">${say('merge.swap', { name: names.from })}</a>
<a class="button quiet" href="${linkTo(call, path)}">${say('merge.other')}</a>
<a class="button quiet" href="${linkTo(call, `/admin/${plural}/`)}">${say('cancel')}</a></div>
</form>`,
  )
}

function movingRow(call: OwnCall, event: MergedRecord['events'][number]): Html {
  const when = { start_date: event.start_date, end_date: event.start_date, all_day: false }
  return html`<li><span><a href="${linkTo(call, `/admin/events/${event.id}/`)}">${titleOf(call, event)}</a><br><span class="hint">${whenText(call.textLanguage, when)}</span></span></li>`
}

/** Merges a record into the one that was chosen. The list then offers to undo it. */
export async function mergeRecord(
  call: OwnCall,
  kind: RecordKind,
  { form, id }: { readonly form: DeskForm; readonly id: string },
): Promise<DeskAnswer | undefined> {
  const { plural } = kind
  const from = await readRecordSource(call, kind, id)
  if (!from) return undefined
  const { status, body, message, faults } = await call.api.service<MergedRecord>({
    ...{ method: 'POST', path: `/${plural}/${id}/merge`, headers: { 'if-match': `"${form.get('version')}"` } },
    json: { into: Number(form.get('into')), per_page: 1 },
  })
  if (status !== 200) return choicePage(call, kind, { from, faults: { into: faults.into ?? message } })
  const into = await readRecordSource(call, kind, form.get('into'))
  const names = { from: plainName(call, from.name), into: plainName(call, into?.name ?? '') }
  return tellMerged(call, plural, { merged: body, names })
}

/** Leads to the list, where the message names what was merged and undoes it. */
export function tellMerged(
  call: OwnCall,
  plural: RecordTab,
  { merged, names }: { readonly merged: MergedRecord; readonly names: Readonly<Record<'from' | 'into', string>> },
): DeskAnswer {
  const undo = merged.undo
    ? { path: `/admin/${plural}/merge/undo/`, fields: { merge: String(merged.undo.id) } }
    : undefined
  return tellAt(call, `/admin/${plural}/`, { text: call.say('merge.done', { count: merged.count, ...names }), undo })
}

/** Leads from two selected records to the preview of their merge. The one with more events stays. */
export async function mergeTwo(call: OwnCall, kind: RecordKind): Promise<DeskAnswer> {
  const ids = call.query.getAll('ids').filter((id) => /^\d{1,15}$/.test(id))
  const found = await Promise.all(ids.slice(0, 2).map((id) => readRecordSource(call, kind, id)))
  const [one, other] = found.filter((source) => source !== undefined)
  if (ids.length !== 2 || !one || !other) return tellAt(call, `/admin/${kind.plural}/`, { text: call.say('merge.two') })
  const [from, into] = one.events < other.events ? [one, other] : [other, one]
  return { kind: 'see', path: mergeAt(kind, from.id, into.id) }
}

/** Returns the address of the preview of a merge. */
export function mergeAt({ plural }: Pick<RecordKind, 'plural'>, from: number, into: number): string {
  return withParameters(`/admin/${plural}/${from}/merge/`, { into })
}

/** Undoes a merge. */
export async function undoMerge(
  call: OwnCall,
  { plural }: { readonly plural: RecordTab },
  form: DeskForm,
): Promise<DeskAnswer> {
  const id = form.get('merge')
  if (!/^\d{1,15}$/.test(id)) return { kind: 'see', path: `/admin/${plural}/` }
  const { status, body } = await call.api.service<UnmergedRecord>({
    ...{ method: 'POST', path: `/${plural}/merge/${id}/undo`, json: { per_page: 1 } },
  })
  if (status !== 200) return { kind: 'see', path: `/admin/${plural}/` }
  return tellAt(call, `/admin/${plural}/`, { text: call.say('merge.undone', { count: body.skipped.length }) })
}
