import { type Html, html } from '../../base/text/html.ts'
import type { PurgedRecord } from '../api/answers.ts'
import { languageName } from '../events/language.names.ts'
import {
  type DeskAnswer,
  type DeskForm,
  type DeskPage,
  linkTo,
  type OwnCall,
  withParameters,
} from '../shell/desk.call.ts'
import { csrfField, formPage, hidden } from '../shell/fields.ts'
import { tellAt } from '../shell/told.ts'
import { plainName } from './record.kinds.ts'

/** More than a page of the trash shows. */
const maxAtOnce = 50

async function purge(call: OwnCall, { kind, id }: { readonly kind: string; readonly id: string }, isDry: boolean) {
  const { status, body, message } = await call.api.service<PurgedRecord>({
    ...{ method: 'DELETE', path: `/trash/${kind}/${id}`, headers: { 'if-match': '*' } },
    query: isDry ? { dry_run: 'true' } : {},
  })
  return status === 200 ? { id, ...body } : { id, message }
}

/** Returns the chosen ids of a form: those of the boxes, or that of the button of a row. */
function chosenIn(form: DeskForm): readonly string[] {
  const only = form.get('only')
  const ids = only === '' ? form.all('ids') : [only]
  return [...new Set(ids)].filter((id) => /^\d{1,15}$/.test(id)).slice(0, maxAtOnce)
}

/** Asks before records are deleted for good, and lists them. Then deletes them one by one. */
export async function purgeChosen(call: OwnCall, form: DeskForm, kind: string): Promise<DeskAnswer> {
  const ids = chosenIn(form)
  const { say } = call
  const tell = (text: string) => tellAt(call, withParameters('/admin/trash/', { kind }), { text })
  if (ids.length === 0) return tell(say('purge.unchosen'))
  if (form.get('sure') !== '1') return askPage(call, kind, ids)
  let deleted = 0
  for (const id of ids) if ('deleted' in (await purge(call, { kind, id }, false))) deleted += 1
  const kept = ids.length - deleted
  const text = say('purge.done', { count: deleted })
  return tell(kept > 0 ? `${text} ${say('purge.kept', { count: kept })}` : text)
}

async function askPage(call: OwnCall, kind: string, ids: readonly string[]): Promise<DeskPage> {
  const { say } = call
  const plans = await Promise.all(ids.map((id) => purge(call, { kind, id }, true)))
  const going = plans.flatMap((plan) => ('deleted' in plan ? [plan] : []))
  const kept = plans.flatMap((plan) => ('deleted' in plan ? [] : [plan.message]))
  const title = say('purge.title', { count: going.length })
  const back = linkTo(call, withParameters('/admin/trash/', { kind }))
  return formPage(
    call,
    { title, section: 'trash', address: withParameters('/admin/trash/', { kind }) },
    html`${kept.length > 0 && html`<div class="notice"><p>${say('purge.kept', { count: kept.length })} ${[...new Set(kept)].join(' ')}</p></div>`}
${going.length > 0 && html`<p>${say('purge.text')}</p>`}
<ul class="rows panel">${going.map((plan) => goingRow(call, plan))}</ul>
<form method="post" action="${linkTo(call, `/admin/trash/${kind}/delete/`)}">${csrfField(call)}${hidden('sure', '1')}${going.map(({ id }) => hidden('ids', id))}
<div class="buttons">${going.length > 0 && html`<button>${say('purge.submit')}</button>`}
<a class="button quiet" href="${back}">${say('cancel')}</a></div></form>`,
  )
}

function goingRow(call: OwnCall, { deleted, events }: PurgedRecord): Html {
  const { say } = call
  return html`<li><span>${deleted.map(
    ({ language, title }, place) =>
      html`${place > 0 && html`<br>`}<strong>${plainName(call, title)}</strong> <span class="hint">${languageName(call, language)}</span>`,
  )}${events > 0 && html`<br><span class="hint">${say('purge.events', { count: events })}</span>`}</span></li>`
}
