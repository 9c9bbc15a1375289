import { languageParameterNames } from '../../access/http/addresses.ts'
import { type Html, html } from '../../base/text/html.ts'
import { badgeOf } from '../events/event.table.ts'
import { languageName } from '../events/language.names.ts'
import { type DeskForm, type DeskPage, linkTo, type OwnCall, withParameters } from '../shell/desk.call.ts'
import { type Choice, field, select, textArea } from '../shell/fields.ts'
import { usedBy } from '../shell/shortcuts.ts'
import {
  type EntryState,
  type EntryValues,
  entryField,
  entryPage,
  entryTitle,
  languageControl,
  newEntry,
  type ShownEntry,
} from './entry.form.ts'
import { recordTabs } from './record.tabs.ts'
import { movableTree, parentIn } from './term.move.ts'
import { isVersionOf, readTerm, readTerms, type TermPlural, type TermRow } from './term.read.ts'

const deepest = 6

/** The tree of categories, or the list of tags. */
export async function termListPage(call: OwnCall, plural: TermPlural): Promise<DeskPage> {
  const { say } = call
  const rows = await readTerms(call, plural)
  return {
    ...{ kind: 'page', title: say(`${plural}.title`), section: 'records' },
    ...(plural === 'categories' && rows.length > 0 ? { scripts: ['tree'] } : {}),
    main: html`<div class="heading"><h1 id="title">${say(`${plural}.title`)}</h1>
${recordTabs(call, plural)}
<a class="button" href="${linkTo(call, `/admin/${plural}/new/`)}">${say(`${plural}.new`)}</a></div>
${
  rows.length === 0
    ? html`<p>${say('records.none')}</p>`
    : plural === 'categories'
      ? movableTree(call, termTable(call, plural, rows))
      : termTable(call, plural, rows)
}`,
  }
}

function termTable(call: OwnCall, plural: TermPlural, rows: readonly TermRow[]): Html {
  const { say } = call
  const columns = [say('records.name'), say('record.versions'), say('terms.events'), say('events.column.actions')]
  return html`<div class="table" role="region" aria-labelledby="title" tabindex="0">
<table class="records">
<thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>
${rows.map((row) => tableRow(call, plural, { row, rows }))}
</tbody>
</table>
</div>`
}

function tableRow(
  call: OwnCall,
  plural: TermPlural,
  { row, rows }: { readonly row: TermRow; readonly rows: readonly TermRow[] },
): Html {
  const { say } = call
  const { id, name, count, versions, depth, parent } = row
  const place =
    plural === 'categories' &&
    html` data-term="${id}" data-name="${name}" data-depth="${depth}" data-parent="${parentIn(rows, parent)}"`
  const path = `/admin/${plural}/${id}/`
  const others = versions.filter((version) => version.id !== id)
  const filter = plural === 'categories' && count > 0 && withParameters('/admin/events/', { from: '', category: id })
  const text = say('events.count', { count })
  const label = (key: 'events.edit' | 'terms.remove') => say('events.of', { action: say(key), title: name })
  return html`<tr${place}>
<th scope="row" class="depth-${Math.min(depth, deepest)}"><a href="${linkTo(call, path)}">${name}</a></th>
<td>${others.map((version) => html`<span class="badge" title="${say('events.in', { language: languageName(call, version.language) })}">${badgeOf(call, version.language)}</span> ${version.name} `)}</td>
<td>${filter ? html`<a href="${linkTo(call, filter)}">${text}</a>` : text}</td>
<td class="actions"><a class="button quiet" href="${linkTo(call, path)}" aria-label="${label('events.edit')}"${usedBy('e')}>${say('events.edit')}</a>
<a class="button quiet" href="${linkTo(call, `${path}remove/`)}" aria-label="${label('terms.remove')}">${say('terms.remove')}</a></td>
</tr>`
}

const fields = ['name', 'description', 'slug', 'parent'] as const

export const termValuesIn = (form: DeskForm): EntryValues =>
  Object.fromEntries(fields.map((name) => [name, form.get(name).trim()]))

/** Returns the state of a category or a tag, or of a new one; undefined if there is none. */
export async function termState(
  call: OwnCall,
  plural: TermPlural,
  id: number | string | undefined,
): Promise<EntryState | undefined> {
  if (id !== undefined) return readTerm(call, plural, id)
  return { ...newEntry(call), values: Object.fromEntries(fields.map((name) => [name, ''])), was: {} }
}

/** Returns the page that makes or changes a category or a tag. */
export async function termFormPage(call: OwnCall, plural: TermPlural, shown: ShownEntry): Promise<DeskPage> {
  const { say } = call
  const { id, translates, language, values } = shown.state
  // A new tag has no parent, and no other versions.
  const rows = plural === 'tags' && id === undefined ? [] : await readTerms(call, plural)
  const title = entryTitle(call, plural, shown.state)
  const labels = {
    name: say('records.name'),
    parent: say('terms.parent'),
    slug: say('terms.slug'),
    description: say('editor.description'),
  }
  const options = (name: keyof typeof labels) => ({ ...entryField(call, shown, name), label: labels[name] })
  const page = entryPage(call, shown, {
    ...{ plural, title, heading: html`<h1>${title}</h1>`, labels, className: 'panel' },
    controls: html`${languageControl(call, shown.state)}
${field({ ...options('name'), isRequired: true, autocomplete: 'off', maxLength: 200, language })}
${plural === 'categories' && translates === undefined && select({ ...options('parent'), choices: parents(call, rows, id), value: parentIn(rows, Number(values.parent)) })}
${textArea({ ...options('description'), rows: 4, language })}
${field({ ...options('slug'), hint: say('terms.slug.hint'), autocomplete: 'off' })}`,
    buttons: html`<button>${say('editor.save')}</button>
<a class="button quiet" href="${linkTo(call, `/admin/${plural}/`)}">${say('cancel')}</a>`,
    versions: id === undefined ? [] : (rows.find((row) => isVersionOf(row, id))?.versions ?? []),
  })
  return { ...page, main: html`<div class="narrow">${page.main}</div>` }
}

/** Returns the categories that can be the parent: not the category itself, and none below it. */
function parents({ say }: OwnCall, rows: readonly TermRow[], id: number | undefined): readonly Choice[] {
  const known = id === undefined ? rows : withoutBranch(rows, id)
  return [['', say('terms.top')], ...known.map(indented)]
}

/** Returns the rows without a term and those below it. They follow it, and are deeper. */
export function withoutBranch(rows: readonly TermRow[], id: number): readonly TermRow[] {
  const first = rows.findIndex((row) => isVersionOf(row, id))
  if (first < 0) return rows
  const { depth } = rows[first] as TermRow
  const next = rows.findIndex((row, place) => place > first && row.depth <= depth)
  return [...rows.slice(0, first), ...(next < 0 ? [] : rows.slice(next))]
}

export const indented = ({ id, name, depth }: TermRow): Choice => [String(id), `${'– '.repeat(depth)}${name}`]

/** Returns the parameters that save a term. */
export function termParameters(
  { config }: OwnCall,
  plural: TermPlural,
  { id, translates, values }: EntryState,
): Readonly<Record<string, unknown>> {
  const { name, description, slug, parent } = values
  return {
    ...{ name, description },
    ...(slug === '' && id === undefined ? {} : { slug }),
    ...(plural === 'categories' && translates === undefined ? { parent: parent === '' ? 0 : Number(parent) } : {}),
    ...(translates === undefined ? {} : { [languageParameterNames(config).translationOf]: translates }),
  }
}
