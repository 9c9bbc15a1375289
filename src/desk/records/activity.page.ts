import { mayReadAudit } from '../../access/auth/policy.ts'
import { contentLanguageOf } from '../../base/languages/language.ts'
import { type Html, html } from '../../base/text/html.ts'
import type { AuditPage, Names } from '../api/answers.ts'
import { titleOf } from '../events/event.json.ts'
import { readEventsIn } from '../events/event.reads.ts'
import { type DeskPage, type DeskRoutes, linkTo, type OwnCall, withParameters } from '../shell/desk.call.ts'
import { instantText } from '../shell/desk.dates.ts'
import { type Choice, field, select } from '../shell/fields.ts'
import { plainName } from './record.kinds.ts'

const perPage = 50
const longestValue = 300
const kinds = ['event', 'venue', 'organizer', 'category', 'tag', 'media', 'user', 'cancellation', 'audit'] as const
type Kind = (typeof kinds)[number]
const actions = ['create', 'upload', 'update', 'trash', 'restore', 'delete', 'prune'] as const

/** The pages on which an item can be changed, by kind. */
const pages: Readonly<Partial<Record<string, string>>> = {
  ...{ event: 'events', venue: 'venues', organizer: 'organizers', category: 'categories', tag: 'tags' },
}

type Entry = AuditPage['entries'][number]
type Change = Readonly<Record<'before' | 'after', unknown>>

async function activityPage(call: OwnCall): Promise<DeskPage> {
  const { say, api, query } = call
  const kind = kinds.find((one) => one === query.get('kind'))
  const actor = (query.get('actor') ?? '').trim().slice(0, 100) || undefined
  const to = /^\d{4}-\d\d-\d\d$/.test(query.get('to') ?? '') ? (query.get('to') ?? undefined) : undefined
  const cursor = /^\d{1,12}-\d{1,15}$/.test(query.get('cursor') ?? '') ? (query.get('cursor') ?? undefined) : undefined
  const { status, body } = await api.service<AuditPage>({
    path: '/audit',
    query: { kind, actor, cursor, per_page: perPage, to: to && `${to}T23:59:59Z` },
  })
  const { entries, next_cursor } = status === 200 ? body : { entries: [], next_cursor: null }
  const names = await namesOf(call, entries)
  const choices = kinds.map((one): Choice => [one, say(`activity.kind.${one}`)])
  const columns = ['when', 'who', 'what', 'changes'] as const
  return {
    ...{ kind: 'page', title: say('activity.title'), section: 'activity' },
    main: html`<h1 id="title">${say('activity.title')}</h1>
<form class="filter-bar" action="${linkTo(call, '/admin/activity/')}" aria-label="${say('events.filters')}">
${select({ name: 'kind', label: say('activity.what'), value: kind ?? '', choices: [['', say('events.any')], ...choices] })}
${field({ name: 'actor', label: say('activity.who'), value: actor ?? '', maxLength: 100, autocomplete: 'off' })}
${field({ name: 'to', type: 'date', label: say('events.to'), value: to ?? '' })}
<div class="field"><button class="quiet">${say('events.filter')}</button></div>
</form>
${
  entries.length === 0
    ? html`<p>${say('activity.none')}</p>`
    : html`<div class="table" role="region" aria-labelledby="title" tabindex="0">
<table class="activity">
<thead><tr>${columns.map((name) => html`<th scope="col">${say(`activity.${name}`)}</th>`)}</tr></thead>
<tbody>${entries.map((entry) => entryRow(call, entry, names.get(`${entry.kind} ${entry.item_id}`)))}</tbody>
</table>
</div>`
}
${next_cursor && html`<nav class="pager" aria-label="${say('pages.label')}"><a class="button quiet" href="${linkTo(call, withParameters('/admin/activity/', { kind, actor, to, cursor: next_cursor }))}">${say('activity.older')}</a></nav>`}`,
  }
}

/** Returns the names of the items that exist, by kind and id: those of events in the language of the page if they have it. */
async function namesOf(call: OwnCall, entries: readonly Entry[]): Promise<ReadonlyMap<string, string>> {
  const { api, config, textLanguage } = call
  const idsOf = (kind: Kind) => [...new Set(entries.filter((one) => one.kind === kind).map((one) => one.item_id))]
  const names = new Map<string, string>()
  const linked = { venue: 'venues', organizer: 'organizers', category: 'categories', tag: 'tags' } as const
  const json = Object.fromEntries(Object.entries(linked).map(([kind, plural]) => [plural, idsOf(kind as Kind)]))
  if (Object.values(json).some((ids) => ids.length > 0)) {
    const { status, body } = await api.service<Names>({ method: 'POST', path: '/names', json })
    for (const [kind, plural] of status === 200 ? Object.entries(linked) : [])
      for (const { id, name } of body[plural]) names.set(`${kind} ${id}`, plainName(call, name))
  }
  for (const language of new Set([contentLanguageOf(config, textLanguage), config.defaultLanguage])) {
    const wanted = idsOf('event').filter((id) => !names.has(`event ${id}`))
    for (const event of await readEventsIn(
      call,
      wanted.map((id) => ({ id, language })),
    ))
      for (const id of [event.id, ...event.versions]) names.set(`event ${id}`, titleOf(call, event))
  }
  return names
}

function entryRow(call: OwnCall, { at, actor, kind, item_id: id, action, changes }: Entry, name?: string): Html {
  const { say, textLanguage, config } = call
  const fields = Object.entries(changes as Readonly<Record<string, Change>>)
  const known = kinds.find((one): one is Kind => one === kind)
  const did = actions.find((one) => one === action)
  const what = `${known ? say(`activity.kind.${known}`) : kind} ${id}`
  const page = pages[kind]
  const isGone = name === undefined && (action === 'trash' || action === 'delete')
  return html`<tr>
<td>${instantText(textLanguage, at, config.siteZone.id)}</td>
<td>${actor.name ?? say('activity.nobody')}</td>
<th scope="row">${did ? say(`activity.action.${did}`) : action}${say('colon')}${page && !isGone ? html`<a href="${linkTo(call, `/admin/${page}/${id}/`)}">${name ?? what}</a>${name !== undefined && html` <span class="hint">${what}</span>`}` : what}</th>
<td>${fields.length > 0 && html`<details><summary>${say('activity.fields', { count: fields.length })}<span class="unseen">, ${what}</span></summary><dl class="changes">${fields.map(([name, change]) => changeRow(call, name, change))}</dl></details>`}</td>
</tr>`
}

function changeRow(call: OwnCall, name: string, { before, after }: Change): Html {
  const value = (stored: unknown) => {
    const text = typeof stored === 'string' ? stored : stored === null ? '' : JSON.stringify(stored)
    return text === ''
      ? call.say('editor.conflict.empty')
      : text.length > longestValue
        ? `${text.slice(0, longestValue)}…`
        : text
  }
  return html`<dt>${name}</dt><dd><del>${value(before)}</del> <ins>${value(after)}</ins></dd>`
}

/** Who changed what, for administrators. */
export const activityRoutes: DeskRoutes = { '/admin/activity/': { mayUse: mayReadAudit, show: activityPage } }
