import { html } from '../../publish/pages/html.ts'
import { type DeskAnswer, type DeskForm, linkTo, type OwnCall } from '../shell/desk.call.ts'
import { type EventVersion, languagesText, readVersions, trashVersions } from './event.versions.ts'
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

/**
 * Moves an event to the trash, in all its languages. If it is a date of a series, the form says which dates it means, or
 * the page asks.
 */
export async function trashEvent(call: OwnCall, form: DeskForm, id = ''): Promise<DeskAnswer> {
  const scope = scopeIn(form)
  const { api } = call
  const [{ body }, versions] = await Promise.all([
    api.events<TrashedJson>({ path: `/events/${id}`, query: { context: 'edit' } }),
    readVersions(call, id, form),
  ])
  const { series, status } = body
  if (series && scope === undefined) return askForTrash(call, form, { id, text: series.text ?? '', versions })
  if (!series || scope === 'this') return trashOne(call, form, { id, versions, isInTrash: status === 'trash' })
  const drop = form.get('drop') === '1' ? 'true' : undefined
  const done = await api.events<TrashedJson>({
    ...{ method: 'DELETE', path: `/events/${id}`, query: { scope, drop }, headers: { 'if-match': '*' } },
  })
  if (done.status === conflict && done.body.data?.event_ids) {
    const asked = await askForTrash(call, form, { id, text: series.text ?? '', versions })
    return asked.kind === 'page' ? { ...asked, status: conflict } : asked
  }
  // A form that is sent twice finds the event in the trash. The table shows it.
  if (done.status !== 200 && status === 'trash') return { kind: 'see', path: tableAt(form.get('back')) }
  if (done.status !== 200) return backToTable(form.get('back'), { done: 'not-trashed', id })
  const counts = countsOf(done.headers[countsHeader])
  if (scope === 'all') return { kind: 'see', path: `/admin/series/${series.id}/?done=trashed${countsQuery(counts)}` }
  if (counts === undefined) return backToTable(form.get('back'), { done: 'trashed', id })
  const path = tableAt(form.get('back'))
  return { kind: 'see', path: `${path}${path.includes('?') ? '&' : '?'}done=dates-trashed${countsQuery(counts)}` }
}

interface Meant {
  readonly id: string
  readonly versions: readonly EventVersion[]
}

/** Moves one event to the trash. Nothing happens by halves. */
async function trashOne(
  call: OwnCall,
  form: DeskForm,
  { id, versions, isInTrash }: Meant & { readonly isInTrash: boolean },
): Promise<DeskAnswer> {
  const back = form.get('back')
  const ids = versions.map((version) => String(version.id))
  const languages = versions.map(({ language }) => language)
  const refused = versions.length > 0 ? await trashVersions(call, versions) : { reason: 'other' as const, language: '' }
  if (refused === undefined) {
    return backToTable(back, { done: 'trashed', id: ids, ...(languages.length > 1 ? { languages } : {}) })
  }
  // A form that is sent twice finds the event in the trash. The table shows it.
  if (isInTrash) return { kind: 'see', path: tableAt(back) }
  const { reason, language } = refused
  // The language needs to be named only if the others could go.
  const isOther = reason === 'forbidden' && versions.length > 1
  if (isOther) return backToTable(back, { done: 'not-trashed-in', id, languages: [language] })
  return backToTable(back, { done: reason === 'changed' ? 'not-trashed-changed' : 'not-trashed', id })
}

async function askForTrash(
  call: OwnCall,
  form: DeskForm,
  { id, text, versions }: Meant & { readonly text: string },
): Promise<DeskAnswer> {
  const { say } = call
  const trials: ScopeTrial[] = []
  for (const scope of SAVE_SCOPES) {
    trials.push(scope === 'this' ? await trialOfOne(call, versions) : await trialOf(call, { id, scope }))
  }
  return scopePage(call, {
    ...{
      title: say('series.ask.trash'),
      text: `${say('series.ask.text', { text })}${inLanguages(call, versions)}`,
      form,
      trials,
    },
    path: `/admin/events/${id}/trash/`,
    submit: say('many.trash'),
    back: html`<a class="button quiet" href="${linkTo(call, tableAt(form.get('back')))}">${say('many.back')}</a>`,
  })
}

function inLanguages(call: OwnCall, versions: readonly EventVersion[]): string {
  if (versions.length < 2) return ''
  const languages = versions.map(({ language }) => language)
  return ` ${call.say('series.ask.trash.languages', { languages: languagesText(call, languages) })}`
}

/** Tries the removal of one date in all its languages. */
async function trialOfOne(call: OwnCall, versions: readonly EventVersion[]): Promise<ScopeTrial> {
  const scope = 'this'
  const refused = await trashVersions(call, versions, { isDry: true })
  return refused ? { scope, refusal: refused.message } : { scope, counts: { added: 0, dropped: 1, changed: 0 } }
}

/** Tries a removal without keeping it. The interface removes dates of a series in all their languages. */
async function trialOf(
  { api }: OwnCall,
  { id, scope }: { readonly id: string; readonly scope: Exclude<SaveScope, 'this'> },
): Promise<ScopeTrial> {
  const { body: answer, message } = await api.service<BatchJson>({
    ...{ method: 'POST', path: '/batch', query: { dry_run: 'true' } },
    json: { operations: [{ method: 'DELETE', path: `/events/${id}`, body: { scope }, if_match: '*' }] },
  })
  const [result] = answer.results ?? []
  if (result === undefined) return { scope, refusal: message }
  if (result.status < 300) return { scope, counts: datesIn([result]) ?? { added: 0, dropped: 1, changed: 0 } }
  const ids = result.body?.data?.event_ids
  return result.status === conflict && ids ? { scope, inUse: ids } : { scope, refusal: result.body?.message ?? '' }
}
