import type { ProblemCode } from '../../base/problems.ts'
import { html } from '../../base/text/html.ts'
import { statuses } from '../api/statuses.ts'
import { type DeskAnswer, type DeskForm, linkTo, type OwnCall } from '../shell/desk.call.ts'
import type { EventJson } from './event.json.ts'
import { type EventVersion, languagesText, readVersions, refusalText, trashVersions } from './event.versions.ts'
import { countsHeader, countsOf, countsQuery, SAVE_SCOPES, type SaveScope, scopeIn } from './series.counts.ts'
import { readSeries } from './series.json.ts'
import { datesInUse, type SeriesRemoval, sendRemoval } from './series.removal.ts'
import { type ScopeTrial, scopePage } from './series.scope.ts'
import { backToTable, tableAt } from './table.place.ts'

interface TrashedJson extends Pick<EventJson, 'series'> {
  /** What kind of failure an answer is. */
  readonly code?: string
}

const inTrash: ProblemCode = 'event-no-longer-available'
/** The version of the series to which the numbers of the question belong. */
const versionOfSeries = 'series_version'

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
  const { series, code } = body
  // A form that is sent twice finds the event in the trash. The table shows it.
  if (code === inTrash) return { kind: 'see', path: tableAt(form.get('back')) }
  if (!series || scope === 'this') return trashOne(call, form, { id, versions })
  if (scope === undefined) return askForTrash(call, form, { id, series, versions })
  const sent = { version: form.get(versionOfSeries), drop: form.get('drop') === '1' }
  const done = await sendRemoval(call, removalOf({ id, series, scope }), sent)
  const isChanged = done.status === statuses.preconditionFailed
  if (isChanged || datesInUse(done)) {
    const asked = await askForTrash(call, form, { id, series, versions, isChanged })
    return asked.kind === 'page' ? { ...asked, status: statuses.conflict } : asked
  }
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
async function trashOne(call: OwnCall, form: DeskForm, { id, versions }: Meant): Promise<DeskAnswer> {
  const back = form.get('back')
  const ids = versions.map((version) => String(version.id))
  const languages = versions.map(({ language }) => language)
  const refused = versions.length > 0 ? await trashVersions(call, versions) : { reason: 'other' as const, language: '' }
  if (refused === undefined) {
    return backToTable(back, { done: 'trashed', id: ids, ...(languages.length > 1 ? { languages } : {}) })
  }
  const { reason, language } = refused
  if (reason === 'language') return backToTable(back, { done: 'not-trashed-in', id, languages: [language] })
  return backToTable(back, { done: reason === 'changed' ? 'not-trashed-changed' : 'not-trashed', id })
}

interface AskedFor extends Meant {
  readonly series: NonNullable<EventJson['series']>
  readonly isChanged?: boolean
}

async function askForTrash(
  call: OwnCall,
  form: DeskForm,
  { id, series, versions, isChanged = false }: AskedFor,
): Promise<DeskAnswer> {
  const { say } = call
  const { text = '' } = series
  const { version = '' } = await readSeries(call, series.id)
  const trials: ScopeTrial[] = []
  for (const scope of SAVE_SCOPES) {
    trials.push(
      scope === 'this' ? await trialOfOne(call, versions) : await trialOf(call, { id, series, scope }, version),
    )
  }
  return scopePage(call, {
    ...{
      title: say('series.ask.trash'),
      text: `${say('series.ask.text', { text })}${inLanguages(call, versions)}`,
      ...{ form, trials, isChanged, fields: { [versionOfSeries]: version } },
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

const oneDate = { added: 0, dropped: 1, changed: 0 }

/** Tries the removal of one date in all its languages. */
async function trialOfOne(call: OwnCall, versions: readonly EventVersion[]): Promise<ScopeTrial> {
  const scope = 'this'
  const refused = await trashVersions(call, versions, { isDry: true })
  return refused ? { scope, refusal: refusalText(call, refused) } : { scope, counts: oneDate }
}

interface SeveralDates extends Pick<AskedFor, 'id' | 'series'> {
  readonly scope: Exclude<SaveScope, 'this'>
}

function removalOf({ id, series, scope }: SeveralDates): SeriesRemoval {
  return { id: series.id, from: scope === 'following' ? Number(id) : undefined }
}

/** Tries a removal without keeping it. */
async function trialOf(call: OwnCall, dates: SeveralDates, version: string): Promise<ScopeTrial> {
  const { scope } = dates
  const tried = await sendRemoval(call, removalOf(dates), { version, drop: false, isTrial: true })
  if (tried.status === 200) return { scope, counts: countsOf(tried.headers[countsHeader]) ?? oneDate }
  const inUse = datesInUse(tried)
  return inUse ? { scope, inUse } : { scope, refusal: tried.message }
}
