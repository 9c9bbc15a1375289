import type { Actor } from '../../access/auth/actor.ts'
import { mayManage } from '../../access/auth/policy.ts'
import { html } from '../../base/text/html.ts'
import type { MergedRecord, TermUsage } from '../api/answers.ts'
import {
  type DeskAnswer,
  type DeskForm,
  type DeskPage,
  type DeskRoutes,
  linkTo,
  type OwnCall,
} from '../shell/desk.call.ts'
import { csrfField, type Faults, formPage, gonePage, hidden, select } from '../shell/fields.ts'
import { tellAt } from '../shell/told.ts'
import { entryRoute } from './entry.form.ts'
import { tellMerged, undoMerge } from './merge.page.ts'
import { moveCategory } from './term.move.ts'
import {
  indented,
  termFormPage,
  termListPage,
  termParameters,
  termState,
  termValuesIn,
  withoutBranch,
} from './term.pages.ts'
import { isVersionOf, readTerms, type TermPlural } from './term.read.ts'

const formOf = (plural: TermPlural) =>
  entryRoute({
    ...{ plural, main: 'name' },
    read: (call, id) => termState(call, plural, id),
    typed: (form) => ({ values: termValuesIn(form), was: {} }),
    page: (call, shown) => termFormPage(call, plural, shown),
    parameters: (call, state) => termParameters(call, plural, state),
    saved: (call, _entry, { values }) =>
      tellAt(call, `/admin/${plural}/`, { text: call.say('terms.saved', { name: values.name ?? '' }) }),
  })

/** The page that asks where the events of a term go, and then shows what would happen. */
async function removePage(
  call: OwnCall,
  plural: TermPlural,
  { id, into, fault }: { readonly id: string; readonly into?: string; readonly fault?: string },
): Promise<DeskPage> {
  const { say, api } = call
  const [usage, rows] = await Promise.all([
    api.service<TermUsage>({ path: `/${plural}/${id}/usage` }),
    readTerms(call, plural),
  ])
  const own = rows.find((row) => isVersionOf(row, Number(id)))
  if (usage.status !== 200 || !own) return gonePage(call, 'records.gone')
  const { name } = own
  const target = rows.find((row) => String(row.id) === into)
  const title =
    into === undefined
      ? say('terms.remove.title', { name })
      : target
        ? say('merge.preview.title', { from: name, into: target.name })
        : say('terms.delete.title', { name })
  const { events, children } = usage.body
  const path = linkTo(call, `/admin/${plural}/${id}/remove/`)
  const uses = html`${say('terms.uses', { count: events })}${children > 0 && html` ${say('terms.children', { count: children })}`}`
  const ask = html`<p>${uses}</p>
<form method="post" action="${path}" class="panel">${csrfField(call)}
${select({ name: 'into', label: say('terms.into'), hint: say('terms.into.hint'), choices: [['', say('terms.nowhere')], ...withoutBranch(rows, Number(id)).map(indented)] })}
<div class="buttons"><button>${say('merge.preview')}</button>
<a class="button quiet" href="${linkTo(call, `/admin/${plural}/`)}">${say('cancel')}</a></div></form>`
  const moves = target
    ? html`${say('merge.moves', { count: events, into: target.name })}${children > 0 && html` ${say('terms.moves.children', { count: children, into: target.name })}`}`
    : html`${say('terms.loses', { count: events })}${children > 0 && html` ${say('terms.rises.children', { count: children })}`}`
  const confirm = html`<p>${moves} ${say(target ? 'terms.undoable' : 'terms.final', { name })}</p>
<form method="post" action="${path}">${csrfField(call)}${hidden('into', into ?? '')}${hidden('sure', '1')}${hidden('name', name)}
<div class="buttons"><button>${say(target ? 'merge.submit' : 'delete')}</button>
<a class="button quiet" href="${path}">${say('terms.back')}</a></div></form>`
  const faults: Faults = fault === undefined ? {} : { into: fault }
  const page = { title, section: 'records', address: `/admin/${plural}/${id}/remove/` } as const
  return formPage(call, { ...page, faults, labels: { into: say('terms.into') } }, into === undefined ? ask : confirm)
}

/** Shows what would happen, and does it when the user has confirmed. */
const remove =
  (plural: TermPlural) =>
  async (call: OwnCall, form: DeskForm, id = ''): Promise<DeskAnswer> => {
    const into = /^\d{1,15}$/.test(form.get('into')) ? form.get('into') : ''
    if (form.get('sure') !== '1') return removePage(call, plural, { id, into })
    if (into !== '') {
      const { status, body, faults, message } = await call.api.service<MergedRecord>({
        ...{ method: 'POST', path: `/${plural}/${id}/merge`, headers: { 'if-match': '*' } },
        json: { into: Number(into), per_page: 1 },
      })
      if (status === 200) {
        const rows = await readTerms(call, plural)
        const nameOf = (one: string) => rows.find((row) => isVersionOf(row, Number(one)))?.name ?? ''
        return tellMerged(call, plural, { merged: body, names: { from: form.get('name'), into: nameOf(into) } })
      }
      return removePage(call, plural, { id, fault: faults.into ?? faults.id ?? message })
    }
    const row = (await readTerms(call, plural)).find((one) => isVersionOf(one, Number(id)))
    for (const version of row?.versions ?? []) {
      const { status, message } = await call.api.events({
        ...{ method: 'DELETE', path: `/${plural}/${version.id}`, headers: { 'if-match': '*' } },
      })
      if (status >= 400) return removePage(call, plural, { id, fault: message })
    }
    return tellAt(call, `/admin/${plural}/`, { text: call.say('terms.deleted', { name: row?.name ?? '' }) })
  }

function routesOf(plural: TermPlural): DeskRoutes {
  const at = `/admin/${plural}/`
  const mayUse = (actor: Actor) => mayManage(actor, plural === 'tags' ? 'tag' : 'category')
  const form = { mayUse, ...formOf(plural) }
  return {
    [at]: { mayUse, show: (call) => termListPage(call, plural) },
    [`${at}new/`]: form,
    [`${at}{id}/`]: form,
    [`${at}{id}/remove/`]: {
      mayUse,
      ...{ show: (call, id = '') => removePage(call, plural, { id }), submit: remove(plural) },
    },
    ...(plural === 'categories'
      ? {
          [`${at}{id}/move/`]: { mayUse, show: at, submit: moveCategory },
        }
      : {}),
    [`${at}merge/undo/`]: { mayUse, show: at, submit: (call, form) => undoMerge(call, { plural }, form) },
  }
}

/** The pages of categories and tags. */
export const termRoutes: DeskRoutes = { ...routesOf('categories'), ...routesOf('tags') }
