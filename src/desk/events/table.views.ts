import { mayCreate } from '../../access/auth/policy.ts'
import { type Html, html, raw } from '../../base/text/html.ts'
import type { SavedView } from '../api/answers.ts'
import { statuses } from '../api/statuses.ts'
import {
  type DeskAnswer,
  type DeskForm,
  type DeskPage,
  type DeskRoutes,
  linkTo,
  type OwnCall,
  withParameters,
} from '../shell/desk.call.ts'
import { csrfField, type Faults, field, formPage, hidden } from '../shell/fields.ts'
import { tellAt } from '../shell/told.ts'
import { tableAt, withoutDone } from './table.place.ts'

// Views that a user keeps: the filters of the table under a name. They are links beside the tabs.

const viewsPath = '/admin/events/views/'
const pageOfViews = { section: 'events', address: viewsPath } as const
const longestName = 60

/** Reads the views of the user: nothing if that fails, because the table works without them. */
export async function readViews({ api }: OwnCall): Promise<readonly SavedView[]> {
  const { status, body } = await api.service<readonly SavedView[]>({ path: '/saved-views' })
  return status === 200 ? body : []
}

/** Returns the filters in an address in a fixed order, without its page. Two addresses of one list are then the same. */
function filterIn(query: URLSearchParams): string {
  const kept = new URLSearchParams(withoutDone(query))
  kept.delete('page')
  kept.sort()
  return kept.toString()
}

/** Returns the views beside the tabs, and what can be done with the list that is shown. */
export function viewsPart(call: OwnCall, views: readonly SavedView[]): Html {
  const { say, query } = call
  const own = filterIn(query)
  const current = views.find((view) => filterIn(new URLSearchParams(view.query)) === own)
  const links = views.map(
    (view) =>
      html`<li><a href="${linkTo(call, tableAt(view.query))}"${view === current && raw(' aria-current="page"')}>${view.name}</a></li>`,
  )
  const keep =
    own !== '' &&
    !current &&
    html`<details class="keep-view"><summary>${say('views.keep')}</summary>
<form method="post" action="${linkTo(call, viewsPath)}">${csrfField(call)}${hidden('query', own)}
${field({ name: 'name', label: say('views.name'), isRequired: true, maxLength: longestName, autocomplete: 'off' })}
<button class="quiet">${say('views.save')}</button></form></details>`
  const manage =
    views.length > 0 &&
    html`<a href="${linkTo(call, withParameters(viewsPath, { back: own || undefined }))}">${say('views.manage')}</a>`
  if (views.length === 0 && keep === false) return html``
  return html`<div class="views">
${views.length > 0 && html`<nav aria-label="${say('views.title')}"><ul class="tabs">${links}</ul></nav>`}
<div class="view-tools">${keep}${manage}</div>
</div>`
}

interface Shown {
  readonly back: string
  readonly faults?: Faults
  /** What was typed, by field. */
  readonly typed?: DeskForm
  readonly text?: string
  readonly status?: number
}

const nameField = (id: number) => `name.${id}`

/** The page on which views are renamed and deleted. */
async function viewsPage(call: OwnCall, { back, faults = {}, typed, text, status }: Shown): Promise<DeskPage> {
  const { say } = call
  const views = await readViews(call)
  const labels = Object.fromEntries(views.map((view) => [nameField(view.id), view.name]))
  return formPage(
    call,
    { ...pageOfViews, title: say('views.title'), status, text, faults, labels },
    html`${views.length === 0 && html`<p>${say('views.none')}</p>`}
${views.map((view) => viewForm(call, view, { back, fault: faults[nameField(view.id)], typed: typed?.get(nameField(view.id)) }))}
<p><a class="button quiet" href="${linkTo(call, tableAt(back))}">${say('many.back')}</a></p>`,
  )
}

interface ViewForm {
  readonly back: string
  readonly fault: string | undefined
  readonly typed: string | undefined
}

function viewForm(call: OwnCall, { id, name, query, version }: SavedView, { back, fault, typed }: ViewForm): Html {
  const { say } = call
  const label = say('views.name')
  return html`<form method="post" class="panel view" action="${linkTo(call, `${viewsPath}${id}/`)}">
${csrfField(call)}${hidden('version', String(version))}${hidden('back', back)}
${field({ name: nameField(id), label, value: typed || name, fault, isRequired: true, maxLength: longestName, autocomplete: 'off' })}
<div class="buttons"><button name="to" value="rename" class="quiet">${say('views.rename')}<span class="unseen"> – ${name}</span></button>
<button name="to" value="delete" class="quiet" formnovalidate>${say('delete')}<span class="unseen"> – ${name}</span></button>
<a class="button quiet" href="${linkTo(call, tableAt(query))}">${say('views.show')}<span class="unseen"> – ${name}</span></a></div>
</form>`
}

/** Keeps the list that is shown under a name. */
async function create(call: OwnCall, form: DeskForm): Promise<DeskAnswer> {
  const [query, name] = [filterIn(new URLSearchParams(form.get('query'))), form.get('name')]
  const { status, message, faults } = await call.api.service({
    ...{ method: 'POST', path: '/saved-views', json: { name, query } },
  })
  if (status < 300) return { kind: 'see', path: tableAt(query) }
  const reason = Object.values(faults)[0] ?? message
  return namePage(call, { query, name, reason })
}

/** Asks for another name. */
function namePage(
  call: OwnCall,
  {
    query,
    name,
    reason,
    text,
  }: { readonly query: string; readonly name: string; readonly reason?: string; readonly text?: string },
): DeskPage {
  const { say } = call
  const faults: Faults = reason === undefined ? {} : { name: reason }
  return formPage(
    call,
    { ...pageOfViews, title: say('views.keep'), text, faults, labels: { name: say('views.name') } },
    html`<form method="post" class="panel" action="${linkTo(call, viewsPath)}">${csrfField(call)}${hidden('query', query)}
${field({ name: 'name', label: say('views.name'), value: name, fault: reason, isRequired: true, maxLength: longestName, autocomplete: 'off' })}
<div class="buttons"><button>${say('views.save')}</button> <a class="button quiet" href="${linkTo(call, tableAt(query))}">${say('many.back')}</a></div></form>`,
  )
}

/** Renames or deletes a view, if nobody has changed it in another window. */
async function change(call: OwnCall, form: DeskForm, id = ''): Promise<DeskAnswer> {
  const back = form.get('back')
  const isDeleted = form.get('to') === 'delete'
  const field = nameField(Number(id))
  const { status, message, faults } = await call.api.service({
    ...{ method: isDeleted ? 'DELETE' : 'PATCH', path: `/saved-views/${id}` },
    ...(isDeleted ? {} : { json: { name: form.get(field) } }),
    headers: { 'if-match': `"${form.get('version')}"` },
  })
  if (status < 300) {
    const text = call.say(isDeleted ? 'views.removed' : 'views.saved')
    return tellAt(call, withParameters(viewsPath, { back: back || undefined }), { text })
  }
  if (status === statuses.preconditionFailed) {
    return viewsPage(call, { back, typed: form, text: call.say('views.meanwhile'), status: 409 })
  }
  return viewsPage(call, { back, typed: form, faults: { [field]: Object.values(faults)[0] ?? message } })
}

/** Keeping, renaming and deleting views. */
export const viewRoutes: DeskRoutes = {
  [viewsPath]: {
    mayUse: mayCreate,
    submit: create,
    show: async (call) => viewsPage(call, { back: call.query.get('back') ?? '' }),
    again: async (call, { form, notice: text }) =>
      namePage(call, { query: filterIn(new URLSearchParams(form.get('query'))), name: form.get('name'), text }),
  },
  [`${viewsPath}{id}/`]: {
    mayUse: mayCreate,
    show: viewsPath,
    submit: change,
    again: async (call, { form, notice: text }) => viewsPage(call, { back: form.get('back'), typed: form, text }),
  },
}
