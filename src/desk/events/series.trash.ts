import type { ProblemCode } from '../../base/problems.ts'
import { html } from '../../base/text/html.ts'
import { statuses } from '../api/statuses.ts'
import { type DeskAnswer, type DeskForm, linkTo, type OwnCall, type Told } from '../shell/desk.call.ts'
import { tellAt } from '../shell/told.ts'
import { type EventJson, titleOf } from './event.json.ts'
import {
  type EventVersion,
  languagesText,
  readVersions,
  refusalText,
  trashVersions,
  withField,
} from './event.versions.ts'
import { countsHeader, countsOf, SAVE_SCOPES, type SaveScope, scopeIn, withCounts } from './series.counts.ts'
import { readSeries } from './series.json.ts'
import { datesInUse, type SeriesRemoval, sendRemoval } from './series.removal.ts'
import { type ScopeTrial, scopePage } from './series.scope.ts'
import { tableAt } from './table.place.ts'

interface TrashedJson extends Pick<EventJson, 'series'>, Partial<Pick<EventJson, 'title'>> {
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
  const { api, say } = call
  const back = tableAt(form.get('back'))
  const [{ body }, versions] = await Promise.all([
    api.events<TrashedJson>({ path: `/events/${id}`, query: { context: 'edit' } }),
    readVersions(call, id, form),
  ])
  const { series, code, title = '' } = body
  // A form that is sent twice finds the event in the trash. The table shows it.
  if (code === inTrash) return { kind: 'see', path: back }
  if (!series || scope === 'this') return trashOne(call, form, { id, versions, title: titleOf(call, { title }) })
  if (scope === undefined) return askForTrash(call, form, { id, series, versions })
  const sent = { version: form.get(versionOfSeries), drop: form.get('drop') === '1' }
  const done = await sendRemoval(call, removalOf({ id, series, scope }), sent)
  const isChanged = done.status === statuses.preconditionFailed
  if (isChanged || datesInUse(done)) {
    const asked = await askForTrash(call, form, { id, series, versions, isChanged })
    return asked.kind === 'page' ? { ...asked, status: statuses.conflict } : asked
  }
  if (done.status !== 200) return tellAt(call, back, { text: done.message || say('events.not-trashed') })
  const counts = countsOf(done.headers[countsHeader])
  return scope === 'all'
    ? tellAt(call, `/admin/series/${series.id}/`, { text: withCounts(call, say('series.trashed'), counts) })
    : tellAt(call, back, { text: withCounts(call, say('series.trashed-dates'), counts) })
}

interface Meant {
  readonly id: string
  readonly versions: readonly EventVersion[]
}

/** Moves one event to the trash. Nothing happens by halves. */
async function trashOne(
  call: OwnCall,
  form: DeskForm,
  { id, versions, title }: Meant & { readonly title: string },
): Promise<DeskAnswer> {
  const { say } = call
  const back = form.get('back')
  const tell = (text: string, undo?: Told['undo']) => tellAt(call, tableAt(back), { text, undo })
  if (versions.length === 0) return tell(say('events.not-trashed'))
  const refused = await trashVersions(call, versions)
  if (refused)
    return tell(refused.reason === 'changed' ? say('events.not-trashed.changed') : refusalText(call, refused))
  const others = versions.slice(1).map((version) => version.id)
  const languages = languagesText(
    call,
    versions.map(({ language }) => language),
  )
  return tell(say(others.length > 0 ? 'events.trashed.in' : 'events.trashed', { title, languages }), {
    path: `/admin/events/${id}/restore/`,
    fields: { back, ...(others.length > 0 ? { [withField(Number(id))]: others.join(',') } : {}) },
  })
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
    submit: say('events.trash'),
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
