import { mayCreate, mayEditOthers } from '../../access/auth/policy.ts'
import { languageParameterNames } from '../../access/http/addresses.ts'
import { html } from '../../base/text/html.ts'
import { type NamedJson, nameOf } from '../events/event.json.ts'
import { maxVersions } from '../events/event.versions.ts'
import {
  actorOf,
  type DeskAnswer,
  type DeskForm,
  type DeskPage,
  type DeskRoutes,
  linkTo,
  type OwnCall,
  type TypedAgain,
} from '../shell/desk.call.ts'
import { actionButton, faultsOf, formPage, gonePage } from '../shell/fields.ts'
import { tellAt } from '../shell/told.ts'
import { mergePage, mergeRecord, mergeTwo, undoMerge } from './merge.page.ts'
import { recordFormPage } from './record.form.ts'
import { plainName, type RecordKind, readRecordSource, recordKinds } from './record.kinds.ts'
import { recordListPage } from './record.list.page.ts'
import {
  newRecordState,
  type RecordState,
  recordFaults,
  recordParameters,
  recordState,
  recordValuesIn,
} from './record.values.ts'

const stateOf = (call: OwnCall, kind: RecordKind, id: string | undefined) =>
  id === undefined ? newRecordState(call, kind) : recordState(call, kind, id)

/** Returns the state with what was typed, and with the values with which the form was made. */
function typedState(
  { config }: OwnCall,
  kind: RecordKind,
  { state, form }: { readonly state: RecordState; readonly form: DeskForm },
): RecordState {
  const chosen = config.languages.find((one) => one === form.get('language'))
  const isNew = state.id === undefined && state.translates === undefined
  const typed = { values: recordValuesIn(kind, form), was: recordValuesIn(kind, form, 'was.') }
  return {
    ...state,
    ...typed,
    language: isNew ? (chosen ?? state.language) : state.language,
    version: form.get('version'),
  }
}

const show = (kind: RecordKind) => async (call: OwnCall, id?: string) => {
  const state = await stateOf(call, kind, id)
  return state ? recordFormPage(call, kind, { state }) : gonePage(call, 'records.gone')
}

const again =
  (kind: RecordKind) =>
  async (call: OwnCall, { form, notice }: TypedAgain, id?: string) => {
    const found = await stateOf(call, kind, id)
    if (!found) return gonePage(call, 'records.gone')
    return recordFormPage(call, kind, { state: typedState(call, kind, { state: found, form }), messages: { notice } })
  }

const save =
  (kind: RecordKind) =>
  async (call: OwnCall, form: DeskForm, id?: string): Promise<DeskAnswer> => {
    const found = await stateOf(call, kind, id)
    if (!found) return gonePage(call, 'records.gone')
    const state = typedState(call, kind, { state: found, form })
    const faults = await recordFaults(call, kind, state)
    if (Object.keys(faults).length > 0) return recordFormPage(call, kind, { state, messages: { faults } })
    const key = form.get('key')
    const answer = await call.api.events<NamedJson>({
      ...(id === undefined
        ? {
            method: 'POST',
            path: `/${kind.plural}`,
            query: { [languageParameterNames(call.config).language]: state.language },
          }
        : { method: 'PATCH', path: `/${kind.plural}/${id}` }),
      json: { ...recordParameters(call, kind, state), ...(form.get('to') === 'publish' ? { status: 'publish' } : {}) },
      headers: {
        // A second click sends the same key, and makes no second record.
        ...(/^[\w-]{1,100}$/.test(key) ? { 'idempotency-key': `"${key}"` } : {}),
        ...(id === undefined ? {} : { 'if-match': `"${state.version}"` }),
      },
    })
    if (answer.status === 412) return conflictPage(call, kind, state)
    if (answer.status >= 400) return recordFormPage(call, kind, { state, messages: { faults: faultsOf(answer) } })
    const text = call.say(`${kind.plural}.saved`, { name: nameOf(answer.body) })
    return tellAt(call, `/admin/${kind.plural}/${answer.body.id}/`, { text })
  }

/** Shows both versions of a record that somebody else has saved in the meantime, field by field. */
async function conflictPage(call: OwnCall, kind: RecordKind, mine: RecordState): Promise<DeskAnswer> {
  const theirs = mine.id === undefined ? undefined : await recordState(call, kind, mine.id)
  if (!theirs) return gonePage(call, 'records.gone')
  const names = kind.fields.map(({ name }) => name)
  const isMine = (name: string) => mine.values[name] !== mine.was[name]
  const values = Object.fromEntries(
    names.map((name) => [name, (isMine(name) ? mine.values[name] : theirs.values[name]) ?? '']),
  )
  const both = names.filter(
    (name) => isMine(name) && theirs.values[name] !== mine.was[name] && theirs.values[name] !== mine.values[name],
  )
  const saved = Object.fromEntries(both.map((name) => [name, theirs.values[name] ?? '']))
  return recordFormPage(call, kind, { state: { ...theirs, values }, messages: { saved } })
}

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
  const form = { mayUse: mayCreate, show: show(kind), again: again(kind), submit: save(kind) }
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
