import { type Html, html, raw } from '../../base/text/html.ts'
import { type DeskForm, type DeskPage, linkTo, type OwnCall } from '../shell/desk.call.ts'
import { whenText } from '../shell/desk.dates.ts'
import { csrfField, type Faults, formPage, hidden } from '../shell/fields.ts'
import type { EventListJson } from './event.json.ts'
import { countsText, type DateCounts, SAVE_SCOPES, type SaveScope, scopeIn } from './series.counts.ts'

// Asks which dates of a series a change means, and shows what it would do before anything is written.

/** What a change would do if it meant these dates. */
export interface ScopeTrial {
  readonly scope: SaveScope
  readonly counts?: DateCounts | undefined
  /** Why the change cannot mean these dates. */
  readonly refusal?: string | undefined
  /** Dates that would go to the trash though they have changes or tickets of their own. */
  readonly inUse?: readonly number[] | undefined
  /** The number of other dates that keep what was changed on them. */
  readonly kept?: number
}

/** The question, and the form that is sent again with its answer. */
export interface ScopeQuestion {
  readonly title: string
  readonly text: string
  /** Where the form is sent. */
  readonly path: string
  readonly trials: readonly ScopeTrial[]
  readonly form: DeskForm
  /** Fields that have changed since the form was sent. */
  readonly fields?: Readonly<Record<string, string>>
  readonly submit: string
  readonly back: Html
  /** What changes if all dates are meant, those that have begun too; undefined if that is the same. */
  readonly past?: DateCounts | undefined
  /** Whether the question comes back because somebody has changed the series since. */
  readonly isChanged?: boolean
}

/** Fields that belong to the question itself. */
const ownFields = new Set(['csrf', 'scope', 'drop', 'past'])

/** Returns the page that asks. The form is carried along in hidden fields, so nothing typed is lost. */
export async function scopePage(call: OwnCall, question: ScopeQuestion): Promise<DeskPage> {
  const { say } = call
  const { title, text, path, trials, form, fields = {}, submit, back, past, isChanged = false } = question
  const pairs = form.pairs.filter(([name]) => !ownFields.has(name) && fields[name] === undefined)
  const inUse = [...new Set(trials.flatMap(({ inUse: ids = [] }) => ids))]
  const possible = trials.filter(({ refusal }) => refusal === undefined)
  const asked = scopeIn(form)
  const chosen = possible.find(({ scope }) => scope === asked) ?? possible[0]
  // The question comes back because the chosen dates would lose some.
  const isRefused = asked !== undefined && inUse.length > 0 && !isChanged
  const faults: Faults = {
    ...(isChanged ? { form: say('series.meanwhile') } : {}),
    ...(isRefused ? { drop: say('series.in-use.fault') } : {}),
  }
  const page = { title, section: 'events', address: path, faults, labels: { drop: say('series.in-use.drop') } } as const
  return formPage(
    call,
    { ...page, status: 200 },
    html`<p>${text}</p>
<form method="post" class="panel" action="${linkTo(call, path)}">
${csrfField(call)}${pairs.map(([name, value]) => hidden(name, value))}${Object.entries(fields).map(([name, value]) => hidden(name, value))}
<fieldset class="scopes"><legend>${say('series.scope')}</legend>
${trials.map((trial) => scopeChoice(call, trial, trial === chosen))}
${
  past &&
  html`<label class="check scope"><input type="checkbox" name="past" value="1" aria-describedby="h-past"> <span>${say('series.past')}</span></label>
<p class="hint" id="h-past">${countsText(call, past)}</p>`
}
</fieldset>
${inUse.length > 0 && (await inUseList(call, inUse))}
<div class="buttons"><button>${submit}</button> ${back}</div>
</form>`,
  )
}

/** A question whether dates may be removed. */
export interface Confirmation extends Pick<ScopeQuestion, 'title' | 'form' | 'path' | 'submit' | 'back'> {
  readonly counts: DateCounts | undefined
  /** Dates that would be removed though they have changes or tickets of their own. */
  readonly inUse: readonly number[] | undefined
  /** The version of the series for which the counts are right. */
  readonly version: string
  /** Whether the question comes back because somebody has changed the series since. */
  readonly isChanged: boolean
}

/** Returns the page that says how many dates a removal means, before it happens. */
export async function confirmPage(call: OwnCall, asked: Confirmation): Promise<DeskPage> {
  const { say } = call
  const { title, form, path, submit, back, counts, inUse, version, isChanged } = asked
  const pairs = form.pairs.filter(([name]) => !ownFields.has(name) && name !== 'asked' && name !== 'version')
  const isRefused = inUse !== undefined && form.get('asked') === '1' && !isChanged
  const faults: Faults = {
    ...(isChanged ? { form: say('series.meanwhile') } : {}),
    ...(isRefused ? { drop: say('series.in-use.fault') } : {}),
  }
  const page = { title, section: 'events', address: path, faults, labels: { drop: say('series.in-use.drop') } } as const
  return formPage(
    call,
    { ...page, status: inUse || isChanged ? 409 : 200 },
    html`${counts && html`<p>${say('series.would', { text: countsText(call, counts) })}</p>`}
<form method="post" class="panel" action="${linkTo(call, path)}">
${csrfField(call)}${hidden('asked', '1')}${hidden('version', version)}${pairs.map(([name, value]) => hidden(name, value))}
${inUse && (await inUseList(call, inUse))}
<div class="buttons"><button>${submit}</button> ${back}</div>
</form>`,
  )
}

function scopeChoice(call: OwnCall, { scope, counts, refusal, inUse, kept = 0 }: ScopeTrial, isOn: boolean): Html {
  const { say } = call
  const effect = refusal ?? (inUse ? say('series.in-use', { count: inUse.length }) : countsText(call, counts))
  return html`<label class="check scope"><input type="radio" name="scope" value="${scope}" required${isOn && raw(' checked')}${refusal !== undefined && raw(' disabled')} aria-describedby="h-scope-${scope}"> <span>${say(`series.scope.${scope}`)}</span></label>
<p class="hint" id="h-scope-${scope}">${effect}${kept > 0 && html` · ${say('series.kept', { count: kept })}`}</p>`
}

/** Returns the dates that would be lost, with the choice to lose them. */
async function inUseList(call: OwnCall, ids: readonly number[]): Promise<Html> {
  const { say, api, textLanguage } = call
  const { status, body } = await api.events<EventListJson>({
    path: '/events',
    query: {
      include: ids.slice(0, 50).join(','),
      per_page: 50,
      status: 'any',
      start_date: '0001-01-01',
      end_date: '9999-12-31',
    },
  })
  const events = status === 200 ? body.events : []
  return html`<section class="in-use" aria-labelledby="in-use"><h2 id="in-use">${say('series.in-use.title', { count: ids.length })}</h2>
<ul class="rows">${events.map((event) => html`<li><a href="${linkTo(call, `/admin/events/${event.id}/`)}">${whenText(textLanguage, event)}</a></li>`)}</ul>
<label class="check"><input type="checkbox" id="f-drop" name="drop" value="1"> <span>${say('series.in-use.drop')}</span></label></section>`
}

/** Returns the scopes for which a change is tried. */
export function scopesFor({ isRule }: { readonly isRule: boolean }): readonly SaveScope[] {
  return isRule ? SAVE_SCOPES.slice(1) : SAVE_SCOPES
}
