import { html } from '../../base/text/html.ts'
import type { PurgedRecord } from '../api/answers.ts'
import { statuses } from '../api/statuses.ts'
import { titleOf } from '../events/event.json.ts'
import { languageName } from '../events/language.names.ts'
import { readSeries } from '../events/series.json.ts'
import { type DeskAnswer, type DeskForm, linkTo, type OwnCall } from '../shell/desk.call.ts'
import { csrfField, type Faults, formPage, hidden } from '../shell/fields.ts'
import { tellAt } from '../shell/told.ts'
import { placeIn, seriesAt } from './series.place.ts'

/** Deletes a series in the trash for good, after a question that lists its texts and counts its dates. It cannot be undone. */
export async function purgeSeries(
  call: OwnCall,
  form: DeskForm,
  id: string,
): Promise<DeskAnswer | { readonly faults: Faults }> {
  if (form.get('sure') !== '1') return askPage(call, form, { id, isChanged: false })
  const { status, body, message } = await send(call, id, { version: form.get('version') })
  if (status === statuses.preconditionFailed) return askPage(call, form, { id, isChanged: true })
  if (status >= 400) return { faults: { form: message } }
  return tellAt(call, '/admin/trash/', { text: call.say('series.purged', { count: body.dates ?? 0 }) })
}

function send(
  { api }: OwnCall,
  id: string,
  { version, isDry }: { readonly version: string; readonly isDry?: boolean },
) {
  return api.service<PurgedRecord>({
    ...{ method: 'DELETE', path: `/trash/series/${id}`, headers: { 'if-match': `"${version}"` } },
    query: { dry_run: isDry ? 'true' : undefined },
  })
}

async function askPage(
  call: OwnCall,
  form: DeskForm,
  { id, isChanged }: { readonly id: string; readonly isChanged: boolean },
): Promise<DeskAnswer | { readonly faults: Faults }> {
  const { say } = call
  const { version = '' } = await readSeries(call, Number(id))
  const { status, body, message } = await send(call, id, { version, isDry: true })
  if (status >= 400) return { faults: { form: message } }
  const title = say('series.purge')
  const path = `/admin/series/${id}/`
  const back = linkTo(call, seriesAt(id, placeIn(new URLSearchParams(form.get('back')))))
  const faults: Faults = isChanged ? { form: say('series.meanwhile') } : {}
  return formPage(
    call,
    { title, section: 'trash', address: path, status: isChanged ? 409 : 200, faults },
    html`<p>${say('series.purge.dates', { count: body.dates ?? 0 })} ${say('purge.text')}</p>
<ul class="rows panel">${body.deleted.map((one) => html`<li><span><strong>${titleOf(call, one)}</strong> <span class="hint">${languageName(call, one.language)}</span></span></li>`)}</ul>
<form method="post" action="${linkTo(call, path)}">${csrfField(call)}${hidden('sure', '1')}${hidden('to', 'purge')}${hidden('version', version)}${hidden('back', form.get('back'))}
<div class="buttons"><button>${say('purge.submit')}</button> <a class="button quiet" href="${back}">${say('cancel')}</a></div></form>`,
  )
}
