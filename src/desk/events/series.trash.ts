import { html } from '../../publish/pages/html.ts'
import { type DeskAnswer, type DeskForm, linkTo, type OwnCall } from '../shell/desk.call.ts'
import { countsHeader, countsOf, countsQuery, datesIn, SAVE_SCOPES, type SaveScope, scopeIn } from './series.counts.ts'
import { type ScopeTrial, scopePage } from './series.scope.ts'
import { backToTable, tableAt } from './table.place.ts'

interface TrashedJson {
  readonly status?: string
  readonly series?: { readonly id: number; readonly text?: string }
  readonly data?: { readonly event_ids?: readonly number[] }
}

interface BatchJson {
  readonly results?: readonly {
    readonly status: number
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: { readonly message?: string; readonly data?: TrashedJson['data'] }
  }[]
}

const conflict = 409

/** Moves an event to the trash. If it is a date of a series, the form says which dates it means, or the page asks. */
export async function trashEvent(call: OwnCall, form: DeskForm, id = ''): Promise<DeskAnswer> {
  const scope = scopeIn(form)
  const { api } = call
  const { body } = await api.events<TrashedJson>({ path: `/events/${id}`, query: { context: 'edit' } })
  const { series, status } = body
  if (series && scope === undefined) return askForTrash(call, form, { id, text: series.text ?? '' })
  const drop = form.get('drop') === '1' ? 'true' : undefined
  const query = series && scope !== 'this' ? { scope, drop } : {}
  const done = await api.events<TrashedJson>({
    ...{ method: 'DELETE', path: `/events/${id}`, query, headers: { 'if-match': '*' } },
  })
  if (done.status === conflict && done.body.data?.event_ids && series) {
    const asked = await askForTrash(call, form, { id, text: series.text ?? '' })
    return asked.kind === 'page' ? { ...asked, status: conflict } : asked
  }
  // A form that is sent twice finds the event in the trash. The table shows it.
  if (done.status !== 200 && status === 'trash') return { kind: 'see', path: tableAt(form.get('back')) }
  if (done.status !== 200) return backToTable(form.get('back'), { done: 'not-trashed', id })
  const counts = countsOf(done.headers[countsHeader])
  if (series && scope === 'all')
    return { kind: 'see', path: `/admin/series/${series.id}/?done=trashed${countsQuery(counts)}` }
  if (counts === undefined) return backToTable(form.get('back'), { done: 'trashed', id })
  const path = tableAt(form.get('back'))
  return { kind: 'see', path: `${path}${path.includes('?') ? '&' : '?'}done=dates-trashed${countsQuery(counts)}` }
}

async function askForTrash(
  call: OwnCall,
  form: DeskForm,
  { id, text }: { readonly id: string; readonly text: string },
): Promise<DeskAnswer> {
  const { say } = call
  const trials: ScopeTrial[] = []
  for (const scope of SAVE_SCOPES) trials.push(await trialOf(call, { id, scope }))
  return scopePage(call, {
    ...{ title: say('series.ask.trash'), text: say('series.ask.text', { text }), form, trials },
    path: `/admin/events/${id}/trash/`,
    submit: say('many.trash'),
    back: html`<a class="button quiet" href="${linkTo(call, tableAt(form.get('back')))}">${say('many.back')}</a>`,
  })
}

/** Tries a removal without keeping it. */
async function trialOf(
  { api }: OwnCall,
  { id, scope }: { readonly id: string; readonly scope: SaveScope },
): Promise<ScopeTrial> {
  const body = scope === 'this' ? {} : { scope }
  const { body: answer, message } = await api.service<BatchJson>({
    ...{ method: 'POST', path: '/batch', query: { dry_run: 'true' } },
    json: { operations: [{ method: 'DELETE', path: `/events/${id}`, body, if_match: '*' }] },
  })
  const [result] = answer.results ?? []
  if (result === undefined) return { scope, refusal: message }
  if (result.status < 300) return { scope, counts: datesIn([result]) ?? { added: 0, dropped: 1, changed: 0 } }
  const ids = result.body?.data?.event_ids
  return result.status === conflict && ids ? { scope, inUse: ids } : { scope, refusal: result.body?.message ?? '' }
}
