import { mayCreate } from '../../access/auth/policy.ts'
import type { DeskAnswer, DeskForm, DeskRoute, OwnCall } from '../shell/desk.call.ts'
import { copyRoute } from './copy.page.ts'
import { historyRoutes } from './editor.history.ts'
import { editorRoutes } from './editor.page.ts'
import { previewRoutes } from './editor.preview.ts'
import { restoredIds, restoreVersions } from './event.versions.ts'
import { eventsPage } from './events.page.ts'
import { manyRoutes } from './many.page.ts'
import { quickRoute } from './quick.page.ts'
import { searchPage } from './search.page.ts'
import { trashEvent } from './series.trash.ts'
import { backToTable, tableAt } from './table.place.ts'
import { viewRoutes } from './table.views.ts'
import { todayPage } from './today.page.ts'

/** Restores an event in the languages that the form names, as the interface does. */
async function restore(call: OwnCall, form: DeskForm, id = ''): Promise<DeskAnswer> {
  const done = await restoreVersions(call, restoredIds(form, id))
  // A form that is sent twice finds the event restored. The table shows it.
  if (done === 'was-back') return { kind: 'see', path: tableAt(form.get('back')) }
  return backToTable(form.get('back'), { done: done === 'restored' ? 'restored' : 'not-restored', id })
}

const toTable = async (): Promise<DeskAnswer> => ({ kind: 'see', path: '/admin/events/' })

/** The start page, the table of events, and what can be done in it. */
export const eventRoutes: readonly DeskRoute[] = [
  { route: '/admin/', pattern: /^\/admin\/$/, show: todayPage },
  { route: '/admin/search/', pattern: /^\/admin\/search\/$/, mayUse: mayCreate, show: searchPage },
  { route: '/admin/events/', pattern: /^\/admin\/events\/$/, mayUse: mayCreate, show: eventsPage },
  ...manyRoutes,
  ...viewRoutes,
  quickRoute,
  copyRoute,
  ...editorRoutes,
  ...previewRoutes,
  ...historyRoutes,
  {
    route: '/admin/events/{id}/trash/',
    pattern: /^\/admin\/events\/(\d{1,15})\/trash\/$/,
    mayUse: mayCreate,
    show: toTable,
    submit: trashEvent,
  },
  {
    route: '/admin/events/{id}/restore/',
    pattern: /^\/admin\/events\/(\d{1,15})\/restore\/$/,
    mayUse: mayCreate,
    show: toTable,
    submit: restore,
  },
]
