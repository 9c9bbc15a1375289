import { maySubscribe } from '../../access/auth/policy.ts'
import { languageParameterNames } from '../../access/http/addresses.ts'
import type { DeskKey } from '../../base/languages/catalogue.ts'
import { contentLanguageOf } from '../../base/languages/language.ts'
import { type Html, html } from '../../base/text/html.ts'
import { isoUtc } from '../../base/time/wire.ts'
import {
  failureText,
  MISSING_ACTIONS,
  SUBSCRIPTION_STATUSES,
  type SubscriptionFailure,
} from '../../exchange/calendars/subscription.ts'
import type { FetchedSubscription, Subscription } from '../api/answers.ts'
import { languageName } from '../events/language.names.ts'
import {
  type DeskAnswer,
  type DeskForm,
  type DeskPage,
  type DeskRoutes,
  formOfPairs,
  type OwnCall,
} from '../shell/desk.call.ts'
import { instantText } from '../shell/desk.dates.ts'
import { actionButton, type Faults, faultsOf, field, formPage, postForm, select } from '../shell/fields.ts'
import { reportPart } from './import.page.ts'
import { resultOfCalendar } from './import.send.ts'

const path = '/admin/subscriptions/'
const everyChoices = [15, 60, 360, 1440, 10_080] as const
/** What happens to the events of a subscription that ends. */
const endings = ['keep', 'cancel', 'trash'] as const

interface Shown {
  readonly form?: DeskForm
  readonly faults?: Faults
  readonly text?: string
  /** What a fetch did, or would do. */
  readonly fetched?: { readonly source: string; readonly outcome: FetchedSubscription }
}

async function subscriptionsPage(call: OwnCall, shown: Shown = {}): Promise<DeskPage> {
  const { say, api } = call
  const { faults = {}, text, fetched } = shown
  const { body: all } = await api.service<readonly Subscription[]>({ path: '/subscriptions' })
  const labels = {
    url: say('subscriptions.url'),
    source: say('import.source'),
    category: say('subscriptions.category'),
  }
  return formPage(
    call,
    {
      section: 'subscriptions',
      address: path,
      title: say('subscriptions.title'),
      text,
      faults,
      labels,
      isNarrow: false,
    },
    html`${fetched && outcomePart(call, fetched)}
${all.length > 0 && listPart(call, all)}
<section aria-labelledby="add"><h2 id="add">${say('subscriptions.add')}</h2>
${addForm(call, labels, shown)}</section>`,
  )
}

function listPart(call: OwnCall, all: readonly Subscription[]): Html {
  const { say } = call
  const columns = ['import.source', 'subscriptions.state', 'events.column.actions'] as const
  return html`<h2 id="all" class="unseen">${say('subscriptions.title')}</h2>
<div class="table" tabindex="0" role="region" aria-labelledby="all"><table>
<thead><tr>${columns.map((name) => html`<th scope="col">${say(name)}</th>`)}</tr></thead>
<tbody>${all.map((one) => row(call, one))}</tbody>
</table></div>`
}

function row(call: OwnCall, one: Subscription): Html {
  const { say } = call
  const { source, paused, failure, fetched_at, failing_since, next_at } = one
  const name = html`<span class="unseen"> – ${source}</span>`
  const button = (to: string, label: DeskKey) =>
    actionButton(call, path, { label: html`${say(label)}${name}`, fields: { to, source } })
  const state = paused ? 'paused' : failure ? 'failing' : fetched_at ? 'fine' : 'waiting'
  return html`<tr><th scope="row">${source}<br><span class="hint">${one.url}</span></th>
<td>${say(`subscriptions.${state}`)}${failure && html`<p class="hint">${say('today.subscription', { date: timeText(call, failing_since), reason: reasonOf(call, source, failure) })}</p>`}
${fetched_at && html`<p class="hint">${say('subscriptions.fetched', { time: timeText(call, fetched_at) })}</p>`}${next_at && html`<p class="hint">${say('subscriptions.next', { time: timeText(call, next_at) })}</p>`}</td>
<td><div class="buttons">${button('fetch', 'subscriptions.fetch')}${failure === 'fewer' && button('accept', 'subscriptions.accept')}${paused ? button('resume', 'subscriptions.resume') : button('pause', 'subscriptions.pause')}</div>
<details class="named"><summary>${say('subscriptions.end')}${name}</summary>${endForm(call, source)}</details></td></tr>`
}

function endForm(call: OwnCall, source: string): Html {
  const { say } = call
  const choices = endings.map((one) => [one, say(`subscriptions.end.${one}`)] as const)
  const content = html`<div class="field"><label for="f-events-${source}">${say('subscriptions.end.events')}</label>
<select id="f-events-${source}" name="events">${choices.map(([value, label]) => html`<option value="${value}">${label}</option>`)}</select></div>
<button class="quiet">${say('subscriptions.end')}</button>`
  return postForm(call, path, { fields: { to: 'end', source }, content })
}

function addForm(
  call: OwnCall,
  labels: Readonly<Record<string, string>>,
  { form = formOfPairs([]), faults = {} }: Shown,
): Html {
  const { say, config, textLanguage } = call
  const typed = (name: string, label = labels[name] ?? '') => ({
    name,
    label,
    value: form.get(name),
    fault: faults[name],
  })
  const chosen = (
    name: string,
    label: DeskKey,
    { value = '', choices }: Pick<Parameters<typeof select>[0], 'value' | 'choices'>,
  ) => select({ ...typed(name, say(label)), value: form.get(name) || value, choices })
  const content = html`${field({ ...typed('url'), hint: say('subscriptions.url.hint'), isRequired: true, autocomplete: 'off', maxLength: 2048 })}
${field({ ...typed('source'), hint: say('subscriptions.source.hint'), isRequired: true, autocomplete: 'off', maxLength: 64 })}
${chosen('language', 'import.language', { choices: config.languages.map((one) => [one, languageName(call, one)]), value: contentLanguageOf(config, textLanguage) })}
${field({ ...typed('category'), hint: say('subscriptions.category.hint'), autocomplete: 'off' })}
${chosen('every_minutes', 'subscriptions.every', { choices: everyChoices.map((one) => [String(one), say(`subscriptions.every.${one}`)]), value: '360' })}
${chosen('status', 'subscriptions.status', { choices: SUBSCRIPTION_STATUSES.map((one) => [one, say(`status.${one}`)]) })}
${chosen('missing', 'subscriptions.missing', { choices: MISSING_ACTIONS.map((one) => [one, say(`subscriptions.end.${one}`)]) })}
<button name="to" value="try">${say('subscriptions.try')}</button>`
  return postForm(call, path, { className: 'panel narrow', content })
}

/** Returns what a fetch did. After a trial, a button begins the subscription. */
function outcomePart(call: OwnCall, { source, outcome }: NonNullable<Shown['fetched']>): Html {
  const { say } = call
  const { failure, report, dry_run: isTrial, removed } = outcome
  if (failure) {
    const reason = reasonOf(call, source, failure)
    return html`<div class="faults" role="alert" tabindex="-1" autofocus><p>${say('import.refused', { reason })}</p></div>`
  }
  return html`${report && reportPart(call, resultOfCalendar(call, report), isTrial)}
${removed > 0 && html`<p>${say('subscriptions.removed', { count: removed })}</p>`}
${isTrial && actionButton(call, path, { label: say('subscriptions.begin'), fields: { to: 'resume', source } })}`
}

const reasonOf = ({ textLanguage }: OwnCall, source: string, failure: string) =>
  failureText(textLanguage, { source, failure: failure as SubscriptionFailure })

const timeText = ({ textLanguage, config }: OwnCall, at: string | null) =>
  at === null ? '–' : instantText(textLanguage, at, config.siteZone.id)

/** Adds a paused subscription, and shows what its first fetch would do. What cannot be fetched is not added. */
async function tryNew(call: OwnCall, form: DeskForm): Promise<DeskAnswer> {
  const { api, say, config } = call
  const names = ['url', 'source', 'category', 'status', 'missing'] as const
  const { url = '', source = '', ...others } = Object.fromEntries(names.map((name) => [name, form.get(name).trim()]))
  const { body: all } = await api.service<readonly Subscription[]>({ path: '/subscriptions' })
  const known = all.find((one) => one.source === source)
  // A trial may be repeated, and no subscription that works is changed.
  if (known && !(known.paused && known.fetched_at === null)) {
    return subscriptionsPage(call, { form, faults: { source: say('subscriptions.taken') } })
  }
  const json = { url, source, ...others, every_minutes: Number(form.get('every_minutes')), paused: true }
  const query = { [languageParameterNames(config).language]: form.get('language') }
  const added = await api.service<Subscription>({ method: 'POST', path: '/subscriptions', query, json })
  if (added.status >= 400) return subscriptionsPage(call, { form, faults: faultsOf(added, 'url') })
  const { status, body, message } = await fetchNow(call, source, { dry_run: true })
  if (status < 400 && !body.failure) return subscriptionsPage(call, { fetched: { source, outcome: body } })
  await api.service({ method: 'DELETE', path: addressOf(source) })
  const fault = status < 400 ? reasonOf(call, source, body.failure ?? '') : message
  return subscriptionsPage(call, { form, faults: { url: fault } })
}

const addressOf = (source: string) => `/subscriptions/${encodeURIComponent(source)}`

const fetchNow = ({ api }: OwnCall, source: string, json: object) =>
  api.service<FetchedSubscription>({ method: 'POST', path: `${addressOf(source)}/fetch`, json })

async function end(call: OwnCall, source: string, form: DeskForm): Promise<DeskAnswer> {
  const { api, say, now } = call
  const ended = await api.service({ method: 'DELETE', path: addressOf(source) })
  if (ended.status >= 400) return subscriptionsPage(call, { text: ended.message })
  const action = endings.find((one) => one === form.get('events')) ?? 'keep'
  let removed = 0
  for (let hasMore = action !== 'keep'; hasMore; ) {
    const json = { action, seen_since: isoUtc(now) }
    const { status, body, message } = await api.service<{ readonly count: number; readonly has_more: boolean }>({
      ...{ method: 'POST', path: `/sources/${encodeURIComponent(source)}/sweep`, json },
    })
    if (status >= 400) return subscriptionsPage(call, { text: message })
    removed += body.count
    hasMore = body.has_more && body.count > 0
  }
  const texts = [
    say('subscriptions.ended', { source }),
    removed > 0 && say('subscriptions.removed', { count: removed }),
  ]
  return subscriptionsPage(call, { text: texts.filter(Boolean).join(' ') })
}

async function submit(call: OwnCall, form: DeskForm): Promise<DeskAnswer> {
  const [to, source] = [form.get('to'), form.get('source').trim()]
  if (to === 'try') return tryNew(call, form)
  if (to === 'end') return end(call, source, form)
  if (to === 'fetch' || to === 'accept') {
    const { status, body, message } = await fetchNow(call, source, { accept: to === 'accept' })
    if (status >= 400) return subscriptionsPage(call, { text: message })
    const isSame = body.result === 'unchanged'
    return subscriptionsPage(
      call,
      isSame ? { text: call.say('subscriptions.same') } : { fetched: { source, outcome: body } },
    )
  }
  const json = { paused: to === 'pause' }
  const { status, message } = await call.api.service({ method: 'PATCH', path: addressOf(source), json })
  return subscriptionsPage(call, { text: status >= 400 ? message : call.say('subscriptions.saved', { source }) })
}

/** The page of subscriptions to calendars of others, for administrators. */
export const subscriptionDeskRoutes: DeskRoutes = {
  [path]: {
    mayUse: maySubscribe,
    show: (call) => subscriptionsPage(call),
    again: (call, { form, notice: text }) => subscriptionsPage(call, { form, text }),
    submit,
  },
}
