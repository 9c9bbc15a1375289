import { randomUUID } from 'node:crypto'
import { languageParameterNames } from '../../access/http/addresses.ts'
import { contentLanguageOf } from '../../base/languages/language.ts'
import { type Html, html } from '../../base/text/html.ts'
import { badgeOf } from '../events/event.table.ts'
import { languageName } from '../events/language.names.ts'
import { type DeskForm, type DeskPage, linkTo, type OwnCall, withParameters } from '../shell/desk.call.ts'
import {
  type Choice,
  csrfField,
  type Faults,
  faultSummary,
  field,
  hidden,
  notice,
  select,
  textArea,
} from '../shell/fields.ts'
import { usedBy } from '../shell/shortcuts.ts'
import { otherLanguages } from './other.languages.ts'
import { recordTabs } from './record.tabs.ts'
import { movableTree, parentIn } from './term.move.ts'
import { isVersionOf, readTerms, type TermPlural, type TermRow, type TermState } from './term.read.ts'

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
  const columns = [say('records.name'), say('terms.other'), say('terms.events'), say('events.column.actions')]
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

/** What the form of a category or a tag shows. */
export interface TermFormState extends Omit<TermState, 'id'> {
  /** Undefined for a new one. */
  readonly id: number | undefined
  /** The term that a new one translates. */
  readonly translates: number | undefined
}

export interface TermMessages {
  readonly faults?: Faults
  readonly notice?: string
  /** What somebody else has saved meanwhile, by field. */
  readonly saved?: Readonly<Record<string, string>>
}

/** Returns the state of a new term. */
export function newTermState({ config, query, textLanguage }: OwnCall): TermFormState {
  const asked = query.get('lang')
  const of = query.get('of') ?? ''
  return {
    ...{ id: undefined, version: '', values: { name: '', description: '', slug: '', parent: '' } },
    translates: /^\d{1,15}$/.test(of) ? Number(of) : undefined,
    language: config.languages.find((one) => one === asked) ?? contentLanguageOf(config, textLanguage),
  }
}

export function termValuesIn(form: DeskForm): TermState['values'] {
  return Object.fromEntries(
    ['name', 'description', 'slug', 'parent'].map((name) => [name, form.get(name).trim()] as const),
  )
}

/** Returns the page that makes or changes a category or a tag. */
export async function termFormPage(
  call: OwnCall,
  plural: TermPlural,
  { state, messages = {} }: { readonly state: TermFormState; readonly messages?: TermMessages },
): Promise<DeskPage> {
  const { say, config } = call
  const { id, translates, language, values } = state
  const { faults = {}, saved } = messages
  // A new tag has no parent, and no other versions.
  const rows = plural === 'tags' && id === undefined ? [] : await readTerms(call, plural)
  const path =
    id === undefined
      ? withParameters(`/admin/${plural}/new/`, { of: translates, lang: translates && language })
      : `/admin/${plural}/${id}/`
  const title =
    id !== undefined
      ? say(`${plural}.edit`)
      : translates === undefined
        ? say(`${plural}.new`)
        : say('records.translation', { language: languageName(call, language) })
  const labels = {
    name: say('records.name'),
    parent: say('terms.parent'),
    slug: say('terms.slug'),
    description: say('editor.description'),
  }
  const shared = (name: keyof typeof labels) => ({
    ...{ name, label: labels[name], value: values[name] ?? '', fault: faults[name] },
    note:
      saved?.[name] !== undefined &&
      html`<p class="saved">${say('editor.conflict.field', { value: saved[name] || say('editor.conflict.empty') })}</p>`,
  })
  const languages = config.languages.map((one): Choice => [one, languageName(call, one)])
  const isNew = id === undefined && translates === undefined
  return {
    ...{ kind: 'page', title, section: 'records', address: path },
    status: saved ? 409 : Object.keys(faults).length > 0 ? 422 : 200,
    main: html`<div class="narrow"><h1>${title}</h1>
${messages.notice && notice(messages.notice)}
${saved && html`<div class="faults" role="alert" tabindex="-1" autofocus><h2>${say('records.conflict')}</h2><p>${say('editor.conflict.text')}</p></div>`}
${faultSummary(call, faults, labels)}
<form method="post" action="${linkTo(call, path)}" class="panel">
${csrfField(call)}${hidden('key', randomUUID())}${hidden('version', state.version)}
${isNew && languages.length > 1 ? select({ name: 'language', label: say('record.language'), value: language, choices: languages }) : hidden('language', language)}
${field({ ...shared('name'), isRequired: true, autocomplete: 'off', maxLength: 200, language })}
${plural === 'categories' && translates === undefined && select({ ...shared('parent'), choices: parents(call, { rows, id, parent: values.parent ?? '' }), value: parentIn(rows, Number(values.parent)) })}
${textArea({ ...shared('description'), rows: 4, language })}
${field({ ...shared('slug'), hint: say('terms.slug.hint'), autocomplete: 'off' })}
<div class="buttons"><button>${say('editor.save')}</button>
<a class="button quiet" href="${linkTo(call, `/admin/${plural}/`)}">${say('cancel')}</a></div>
</form>
${id !== undefined && otherLanguages(call, plural, { id, language, versions: rows.find((row) => isVersionOf(row, id))?.versions ?? [] })}</div>`,
  }
}

/** Returns the categories that can be the parent: not the category itself, and none below it. */
function parents(
  { say }: OwnCall,
  { rows, id }: { readonly rows: readonly TermRow[]; readonly id: number | undefined; readonly parent: string },
): readonly Choice[] {
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
  { id, translates, values }: TermFormState,
): Readonly<Record<string, unknown>> {
  const { name, description, slug, parent } = values
  return {
    ...{ name, description },
    ...(slug === '' && id === undefined ? {} : { slug }),
    ...(plural === 'categories' && translates === undefined ? { parent: parent === '' ? 0 : Number(parent) } : {}),
    ...(translates === undefined ? {} : { [languageParameterNames(config).translationOf]: translates }),
  }
}
