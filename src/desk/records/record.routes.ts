import { mayCreate, mayEditOthers } from '../../access/auth/policy.ts'
import { html } from '../../base/text/html.ts'
import { nameOf } from '../events/event.json.ts'
import { maxVersions } from '../events/event.versions.ts'
import {
  actorOf,
  type DeskAnswer,
  type DeskForm,
  type DeskPage,
  type DeskRoutes,
  linkTo,
  type OwnCall,
} from '../shell/desk.call.ts'
import { actionButton, formPage, gonePage } from '../shell/fields.ts'
import { tellAt } from '../shell/told.ts'
import { entryRoute } from './entry.form.ts'
import { mergePage, mergeRecord, mergeTwo, undoMerge } from './merge.page.ts'
import { recordFormPage } from './record.form.ts'
import { plainName, type RecordKind, readRecordSource, recordKinds } from './record.kinds.ts'
import { recordListPage } from './record.list.page.ts'
import { type RecordState, recordFaults, recordParameters, recordState, recordValuesIn } from './record.values.ts'

const formOf = (kind: RecordKind) =>
  entryRoute<RecordState>({
    plural: kind.plural,
    read: (call, id) => recordState(call, kind, id),
    typed: (form) => ({ values: recordValuesIn(kind, form), was: recordValuesIn(kind, form, 'was.') }),
    page: (call, shown) => recordFormPage(call, kind, shown),
    check: (call, state) => recordFaults(call, kind, state),
    parameters: (call, state, form) => ({
      ...recordParameters(call, kind, state),
      ...(form.get('to') === 'publish' ? { status: 'publish' } : {}),
    }),
    saved: (call, entry) => {
      const text = call.say(`${kind.plural}.saved`, { name: nameOf(entry) })
      return tellAt(call, `/admin/${kind.plural}/${entry.id}/`, { text })
    },
  })

/** Moves a record in all its languages to the trash. If events show it, the desk asks first where they move. */
const trash =
  (kind: RecordKind) =>
  async (call: OwnCall, form: DeskForm, id = ''): Promise<DeskAnswer> => {
    const { plural } = kind
    const source = await readRecordSource(call, kind, id)
    if (!source || source.status === 'trash') return { kind: 'see', path: `/admin/${plural}/` }
    if (source.events > 0 && form.get('anyway') !== '1') return usedPage(call, kind, source)
    const trashed: string[] = []
    for (const one of [source.id, ...source.translations.map((version) => version.id)]) {
      const { status } = await call.api.events({
        ...{ method: 'DELETE', path: `/${plural}/${one}`, headers: { 'if-match': '*' } },
      })
      if (status === 200) trashed.push(String(one))
    }
    if (trashed.length === 0) return { kind: 'see', path: `/admin/${plural}/` }
    const undo = { path: `/admin/${plural}/restore/`, fields: { ids: trashed.join(',') } }
    const text = call.say(`${plural}.trashed`, { name: plainName(call, source.name) })
    return tellAt(call, `/admin/${plural}/`, { text, undo })
  }

function usedPage(
  call: OwnCall,
  { plural }: RecordKind,
  { id, name, events }: { readonly id: number; readonly name: string; readonly events: number },
): DeskPage {
  const { say } = call
  const title = say('records.used.title', { name: plainName(call, name) })
  return formPage(
    call,
    { title, section: 'records', address: `/admin/${plural}/${id}/` },
    html`<p>${say(`${plural}.used.text`, { count: events })}</p>
<div class="buttons">
${mayEditOthers(actorOf(call.me)) && html`<a class="button" href="${linkTo(call, `/admin/${plural}/${id}/merge/`)}">${say('records.used.move')}</a>`}
${actionButton(call, `/admin/${plural}/${id}/trash/`, { label: say('records.used.anyway'), fields: { anyway: 1 } })}
<a class="button quiet" href="${linkTo(call, `/admin/${plural}/`)}">${say('cancel')}</a>
</div>`,
  )
}

/** Takes the versions of a record out of the trash. */
const restore =
  (kind: RecordKind) =>
  async (call: OwnCall, form: DeskForm): Promise<DeskAnswer> => {
    const ids = form
      .get('ids')
      .split(',')
      .filter((id) => /^\d{1,15}$/.test(id))
    const statuses: number[] = []
    for (const id of ids.slice(0, maxVersions)) {
      const answer = await call.api.service({
        ...{ method: 'POST', path: `/${kind.plural}/${id}/restore`, headers: { 'if-match': '*' } },
      })
      statuses.push(answer.status)
    }
    const at = `/admin/${kind.plural}/`
    return statuses.includes(200)
      ? tellAt(call, at, { text: call.say(`${kind.plural}.restored`) })
      : { kind: 'see', path: at }
  }

function routesOf(kind: RecordKind): DeskRoutes {
  const { plural } = kind
  const at = `/admin/${plural}/`
  const form = { mayUse: mayCreate, ...formOf(kind) }
  return {
    [at]: { mayUse: mayCreate, show: (call) => recordListPage(call, kind) },
    [`${at}new/`]: form,
    [`${at}restore/`]: { mayUse: mayCreate, show: at, submit: restore(kind) },
    [`${at}{id}/`]: form,
    [`${at}{id}/trash/`]: { mayUse: mayCreate, show: at, submit: trash(kind) },
    [`${at}{id}/merge/`]: {
      mayUse: mayEditOthers,
      show: async (call, id = '') => (await mergePage(call, kind, id)) ?? gonePage(call, 'records.gone'),
      submit: async (call, form, id = '') =>
        (await mergeRecord(call, kind, { form, id })) ?? gonePage(call, 'records.gone'),
    },
    [`${at}merge/`]: { mayUse: mayEditOthers, show: (call) => mergeTwo(call, kind) },
    [`${at}merge/undo/`]: {
      mayUse: mayEditOthers,
      show: at,
      submit: (call, form) => undoMerge(call, kind, form),
    },
  }
}

/** The pages of venues and organizers. */
export const recordRoutes: DeskRoutes = Object.assign({}, ...recordKinds.map(routesOf))
