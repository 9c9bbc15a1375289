import { mayCreate } from '../../access/auth/policy.ts'
import { contentLanguageOf } from '../../base/languages/language.ts'
import { type Html, html, raw } from '../../base/text/html.ts'
import { titleOf } from '../events/event.json.ts'
import { readRows, rowIn } from '../events/event.rows.ts'
import { languagesText, restoredIds, restoreVersions, withField } from '../events/event.versions.ts'
import {
  type DeskAnswer,
  type DeskPage,
  type DeskRoutes,
  linkTo,
  type OwnCall,
  withParameters,
} from '../shell/desk.call.ts'
import { whenText } from '../shell/desk.dates.ts'
import { csrfField, hidden } from '../shell/fields.ts'
import { pageIn, pager } from '../shell/pager.ts'
import { usedBy } from '../shell/shortcuts.ts'
import { tellAt } from '../shell/told.ts'
import { purgeChosen } from './purge.page.ts'
import { readRecords, recordKinds } from './record.kinds.ts'

const perPage = 25
const kinds = ['events', 'venues', 'organizers'] as const
type TrashKind = (typeof kinds)[number]

/** What is in the trash, on one page of the list. */
interface Trashed {
  readonly rows: readonly {
    readonly id: number
    readonly name: string
    readonly detail: string
    /** The series of which an event is a date. */
    readonly series?: number | undefined
    /** Its versions that went to the trash with it. */
    readonly others?: readonly number[]
  }[]
  readonly pages: number
}

async function readTrash(call: OwnCall, kind: TrashKind, page: number): Promise<Trashed> {
  const records = recordKinds.find(({ plural }) => plural === kind)
  if (records) {
    const { rows, pages } = await readRecords(call, records, { page, per_page: perPage, status: 'trash' })
    return { rows: rows.map(({ id, name, place }) => ({ id, name, detail: place })), pages }
  }
  const found = await readRows(call, {
    ...{ status: 'trash', start_date: '1000-01-01', end_date: '9999-12-31', page, per_page: perPage },
  })
  const own = contentLanguageOf(call.config, call.textLanguage)
  const rows = found.events.map((event) => {
    const gone = event.translations.filter((one) => one.status === 'trash')
    const shown = rowIn({ ...event, translations: gone }, own)
    const versions = [shown, ...shown.translations]
    const when = whenText(call.textLanguage, event)
    const languages = languagesText(
      call,
      versions.map(({ language }) => language),
    )
    return {
      ...{ id: shown.id, name: titleOf(call, shown), detail: `${when} · ${languages}` },
      ...{ series: event.series?.id, others: shown.translations.map(({ id }) => id) },
    }
  })
  return { rows, pages: found.total_pages }
}

async function trashPage(call: OwnCall): Promise<DeskPage> {
  const { say, query } = call
  const kind = kinds.find((one) => one === query.get('kind')) ?? 'events'
  const page = pageIn(query)
  const { rows, pages } = await readTrash(call, kind, page)
  const address = (number: number) => withParameters('/admin/trash/', { kind, page: number })
  return {
    ...{ kind: 'page', title: say('trash.title'), section: 'trash' },
    main: html`<h1 id="title">${say('trash.title')}</h1>
<nav aria-label="${say('trash.kinds')}"><ul class="tabs">${kinds.map(
      (one) =>
        html`<li><a href="${linkTo(call, withParameters('/admin/trash/', { kind: one }))}"${one === kind && raw(' aria-current="page"')}>${say(`${one}.title`)}</a></li>`,
    )}</ul></nav>
${
  rows.length === 0
    ? html`<p>${say('trash.none')}</p>`
    : html`<div class="panel"><ul class="rows trash">${rows.map((row) => trashRow(call, kind, row))}</ul></div>
<form method="post" id="purge" action="${linkTo(call, `/admin/trash/${kind}/delete/`)}">${csrfField(call)}<div class="buttons"><button class="quiet">${say('purge.chosen')}</button></div></form>`
}
${pager(call, { page, pages, address })}`,
  }
}

function trashRow(
  call: OwnCall,
  kind: TrashKind,
  { id, name, detail, series, others = [] }: Trashed['rows'][number],
): Html {
  const { say } = call
  const label = (key: 'events.restore' | 'purge.start' | 'purge.choose') =>
    say('events.of', { action: say(key), title: name })
  return html`<li><label class="check"><input type="checkbox" name="ids" value="${id}" form="purge"${usedBy('x')}><span class="unseen">${label('purge.choose')}</span></label>
<span class="what"><strong>${name}</strong>${detail !== '' && html`<br><span class="hint">${detail}</span>`}${series !== undefined && html` <a href="${linkTo(call, `/admin/series/${series}/`)}">${say('series.all')}<span class="unseen"> – ${name}</span></a>`}</span>
<form method="post" action="${linkTo(call, `/admin/trash/${kind}/${id}/restore/`)}">${csrfField(call)}${others.length > 0 && hidden(withField(id), others.join(','))}<button class="quiet" aria-label="${label('events.restore')}">${say('events.restore')}</button></form>
<button class="quiet" form="purge" name="only" value="${id}" aria-label="${label('purge.start')}">${say('purge.start')}</button></li>`
}

/** What was moved to the trash, the way back, and the way out. */
export const trashRoutes: DeskRoutes = {
  '/admin/trash/': { mayUse: mayCreate, show: trashPage },
  '/admin/trash/{kind}/{id}/restore/': {
    mayUse: mayCreate,
    show: '/admin/trash/',
    submit: async (call, form, ...[kind = '', id = '']): Promise<DeskAnswer> => {
      const isBack =
        kind === 'events'
          ? (await restoreVersions(call, restoredIds(form, id))) === 'restored'
          : (
              await call.api.service({
                ...{ method: 'POST', path: `/${kind}/${id}/restore`, headers: { 'if-match': '*' } },
              })
            ).status === 200
      const text = call.say(isBack ? 'trash.restored' : 'trash.refused')
      return tellAt(call, withParameters('/admin/trash/', { kind }), { text })
    },
  },
  '/admin/trash/{kind}/delete/': {
    mayUse: mayCreate,
    show: async (_call, kind = '') => ({ kind: 'see', path: withParameters('/admin/trash/', { kind }) }),
    submit: (call, form, kind = '') => purgeChosen(call, form, kind),
  },
}
