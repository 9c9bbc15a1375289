import { readFile } from 'node:fs/promises'
import { mayEditOthers } from '../../access/auth/policy.ts'
import { contentLanguageOf } from '../../base/languages/language.ts'
import { decodeText } from '../../base/text/decode.ts'
import { type Html, html } from '../../base/text/html.ts'
import { undoDays } from '../../calendar/undo/undo.ts'
import type { ImportList, UndoneImport } from '../api/answers.ts'
import { languageName } from '../events/language.names.ts'
import { newest, tableAt } from '../events/table.place.ts'
import {
  type DeskAnswer,
  type DeskForm,
  type DeskPage,
  type DeskRoutes,
  linkTo,
  type OwnCall,
  withParameters,
} from '../shell/desk.call.ts'
import { instantText } from '../shell/desk.dates.ts'
import {
  actionButton,
  type Choice,
  csrfField,
  type Faults,
  faultSummary,
  field,
  hidden,
  notice,
  select,
} from '../shell/fields.ts'
import { areTexts, membersOf, packResult, unpackResult } from '../shell/result.address.ts'
import { type ImportFile, type ImportResult, importKinds, isResult, kindOf, sendImport } from './import.send.ts'

const path = '/admin/import/'
const undoPath = '/admin/import/undo/'
/** A text of this length fits into the form that imports it after its trial. */
const maxCarried = 300 * 1024

/** What a person has typed besides the file. */
type Typed = Pick<ImportFile, 'source' | 'language' | 'url'>

interface Shown {
  readonly file?: ImportFile
  readonly typed?: Typed
  readonly result?: ImportResult
  readonly isTrial?: boolean
  readonly fault?: string
  readonly text?: string
}

async function importPage(
  call: OwnCall,
  { file, typed = file, result, isTrial = false, fault, text }: Shown = {},
): Promise<DeskPage> {
  const { say } = call
  const { status, body: imports } = await call.api.service<ImportList>({ path: '/imports' })
  const faults: Faults = fault === undefined ? {} : { file: fault }
  const isCarried = isTrial && file !== undefined && file.text.length <= maxCarried
  return {
    ...{ kind: 'page', title: say('import.title'), section: 'import', scripts: ['importer'] },
    status: fault === undefined ? 200 : 422,
    main: html`<h1>${say('import.title')}</h1>
${text && notice(text)}
${faultSummary(call, faults, { file: say('import.choose') })}
${result && reportPart(call, result, isTrial)}
<div data-result hidden></div>
${isCarried && file ? carriedForm(call, file) : false}
<form method="post" class="panel import" action="${linkTo(call, path)}" enctype="multipart/form-data" data-texts="${scriptTexts(call)}">
${csrfField(call)}
<p class="hint">${say('import.text')}</p>
<div class="field"><label for="f-file">${say('import.choose')}</label>
<p class="hint" id="h-file">${say('import.choose.hint')}</p>
<input type="file" id="f-file" name="file" accept=".json,.ndjson,.jsonl,.ics,application/json,application/x-ndjson,text/calendar" aria-describedby="h-file${fault && ' x-file'}">
${fault && html`<p class="fault" id="x-file">${fault}</p>`}</div>
${field({ name: 'url', label: say('import.url'), hint: say('import.url.hint'), value: typed?.url ?? '', maxLength: 2048, autocomplete: 'off' })}
${languageField(call, typed?.language)}
${field({ name: 'source', label: say('import.source'), hint: say('import.source.hint'), value: typed?.source ?? 'files', maxLength: 64, autocomplete: 'off' })}
<div class="progress"><progress data-progress hidden></progress> <span role="status" data-progress-text></span></div>
<div class="buttons"><button name="to" value="try">${say('import.try')}</button>
${isTrial && !isCarried && html`<button name="to" value="import" class="quiet">${say('import.go')}</button>`}
<button type="button" data-go hidden>${say('import.go')}</button></div>
</form>
${status === 200 && undoPart(call, imports)}`,
  }
}

/** The last imports, each with a button that undoes it. */
function undoPart(call: OwnCall, imports: ImportList): Html | false {
  const { say, textLanguage, config } = call
  const left = imports.filter(({ count }) => count > 0)
  return (
    left.length > 0 &&
    html`<section class="panel" aria-labelledby="undo"><h2 id="undo">${say('import.last')}</h2>
<p class="hint">${say('import.last.hint', { days: undoDays })}</p>
<ul class="rows">${left.map(({ id, source, at, count }) => {
      const when = instantText(textLanguage, at, config.siteZone.id)
      const label = html`${say('events.undo')}<span class="unseen"> – ${source}, ${when}</span>`
      return html`<li><strong>${source}</strong> <span class="hint">${when}, ${say('import.written', { count })}</span> ${actionButton(call, undoPath, { label, fields: { id } })}</li>`
    })}</ul>
</section>`
  )
}

async function undo(call: OwnCall, form: DeskForm): Promise<DeskAnswer> {
  const { status, body, message } = await call.api.service<UndoneImport>({
    ...{ method: 'POST', path: `/imports/${encodeURIComponent(form.get('id'))}/undo` },
  })
  if (status !== 200) return importPage(call, { text: message })
  const { removed, restored, kept } = body
  const texts = [
    (removed > 0 || restored === 0) && call.say('import.undone', { count: removed }),
    restored > 0 && call.say('import.undone.restored', { count: restored }),
    kept > 0 && call.say('import.undone.kept', { count: kept }),
  ]
  return importPage(call, { text: texts.filter(Boolean).join(' ') })
}

function languageField(call: OwnCall, chosen?: string): Html {
  const { say, config, textLanguage } = call
  const choices = config.languages.map((one): Choice => [one, languageName(call, one)])
  const value = chosen ?? contentLanguageOf(config, textLanguage)
  return select({ name: 'language', label: say('import.language'), value, choices })
}

/** The form that imports what was tried. */
function carriedForm(call: OwnCall, { text, url, source, language }: ImportFile): Html {
  return html`<form method="post" class="import-now" action="${linkTo(call, path)}">
${csrfField(call)}${hidden('source', source)}${hidden('language', language)}${hidden('url', url)}
<textarea name="text" hidden>\n${text}</textarea>
<div class="buttons"><button name="to" value="import">${call.say('import.go')}</button></div>
</form>`
}

export function reportPart(call: OwnCall, result: ImportResult, isTrial: boolean): Html {
  const { say } = call
  const { refusal, problems, failed, table } = result
  if (refusal !== '')
    return html`<div class="faults" role="alert" tabindex="-1" autofocus><p>${say('import.refused', { reason: refusal })}</p></div>`
  const counts = (['created', 'changed', 'unchanged', 'failed'] as const).map(
    (name) => html`<li>${say(`import.${name}`, { count: result[name] })}</li>`,
  )
  return html`<section class="panel" aria-labelledby="result" tabindex="-1" autofocus><h2 id="result">${say(isTrial ? 'import.tried' : 'import.done')}</h2>
<ul class="counts">${counts}</ul>
${
  problems.length > 0 &&
  html`<h3>${say('import.problems')}</h3>
<ul class="problems">${problems.map((one) => html`<li><strong>${one.place}</strong> ${one.text}</li>`)}</ul>`
}
${isTrial && table ? tablePart(table) : failed > problems.length && html`<p class="hint">${say('import.more', { count: failed - problems.length })}</p>`}
${!isTrial && result.created + result.changed > 0 && html`<p><a href="${linkTo(call, tableAt(newest))}">${say('import.see')}</a></p>`}
</section>`
}

function tablePart({ head, rows, more }: NonNullable<ImportResult['table']>): Html {
  return html`<div class="table" tabindex="0" role="region" aria-label="${head.at(-1) ?? ''}"><table>
<thead><tr>${head.map((text) => html`<th scope="col">${text}</th>`)}</tr></thead>
<tbody>${rows.map(([title = '', ...others]) => html`<tr><th scope="row">${title}</th>${others.map((text) => html`<td>${text}</td>`)}</tr>`)}</tbody>
</table></div>
${more && html`<p class="hint">${more}</p>`}`
}

/** Returns the texts that the script shows, as JSON. Their numbers are filled in by the script. */
function scriptTexts(call: OwnCall): string {
  const { say } = call
  const names = [
    'tried',
    'done',
    'problems',
    'reading',
    'progress',
    'see',
    'importing',
    'broken',
    'busy',
    'signed-out',
    'too-long',
    'again',
    'refused',
    'stopped',
  ] as const
  const counted = ['created', 'changed', 'unchanged', 'failed'] as const
  return JSON.stringify({
    newest: linkTo(call, tableAt(newest)),
    ...Object.fromEntries(names.map((name) => [name, say(`import.${name}`)])),
    ...Object.fromEntries(
      counted.map((name) => [
        name,
        [say(`import.${name}`, { count: 0 }), say(`import.${name}`, { count: 1 }), say(`import.${name}`, { count: 2 })],
      ]),
    ),
  })
}

/** Returns the file of a form, or why there is none. */
async function fileIn(call: OwnCall, form: DeskForm): Promise<ImportFile | string> {
  const { file } = form
  if (file?.isTooLong) return call.say('import.too-long')
  const text = file ? decodeText(await readFile(file.localFile)).replace(/^\ufeff/, '') : form.get('text')
  const typed = typedIn(call, form)
  if (text.trim() === '' && typed.url === '') return call.say('import.none')
  if (text.trim() !== '' && typed.url !== '') return call.say('import.both')
  const first = Number(/^[1-9]\d{0,8}$/.exec(form.get('first'))?.[0] ?? 1)
  // A part of a file is what its file is: its own first line may be a broken one.
  const kind = text.trim() === '' ? 'address' : (importKinds.find((one) => one === form.get('kind')) ?? kindOf(text))
  return { ...typed, text, kind, first }
}

function typedIn({ config }: OwnCall, form: DeskForm): Typed {
  const language = config.languages.find((one) => one === form.get('language')) ?? config.defaultLanguage
  return { source: form.get('source').trim() || 'files', language, url: form.get('url').trim() }
}

async function submit(call: OwnCall, form: DeskForm): Promise<DeskAnswer> {
  const file = await fileIn(call, form)
  const isTrial = form.get('to') !== 'import'
  const isScript = form.get('as') === 'data'
  if (typeof file === 'string') {
    return isScript
      ? { kind: 'data', status: 422, json: { refusal: file } }
      : importPage(call, { typed: typedIn(call, form), fault: file })
  }
  const result = await sendImport(call, file, isTrial)
  if (isScript) return { kind: 'data', status: result.refusal === '' ? 200 : 422, json: result }
  if (isTrial || result.refusal !== '')
    return importPage(call, { file, result, isTrial: isTrial && result.refusal === '' })
  const packed = packResult(call, path, { result, typed: typedIn(call, form) })
  // Many long problems do not fit into an address. The same file can be imported twice.
  return packed === undefined
    ? importPage(call, { file, result })
    : { kind: 'see', path: withParameters(path, { result: packed }) }
}

/** Shows the page, with what an import did if its address says so. */
async function show(call: OwnCall): Promise<DeskAnswer> {
  if (!call.query.has('result')) return importPage(call)
  const done = unpackResult(call, path, isDone)
  return done === undefined ? { kind: 'see', path } : importPage(call, done)
}

function isDone(value: unknown): value is Required<Pick<Shown, 'result' | 'typed'>> {
  const { result, typed } = membersOf(value)
  return isResult(result) && areTexts([typed], ['source', 'language', 'url'])
}

/** The page that imports files of other calendars. */
export const importRoutes: DeskRoutes = {
  [path]: {
    mayUse: mayEditOthers,
    submit,
    show,
    again: async (call, { form, notice: text }) => {
      if (form.get('as') === 'data') return { kind: 'data', status: 403, json: { csrf: call.me.csrf_token } }
      const file = await fileIn(call, form)
      return typeof file === 'string'
        ? importPage(call, { typed: typedIn(call, form), text })
        : importPage(call, { file, isTrial: true, text })
    },
  },
  [undoPath]: { mayUse: mayEditOthers, show: path, submit: undo },
}
