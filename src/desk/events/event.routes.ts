import { mayCreate } from '../../access/auth/policy.ts'
import type { DeskAnswer, DeskForm, DeskRoutes, OwnCall } from '../shell/desk.call.ts'
import { copyRoutes } from './copy.page.ts'
import { historyRoutes } from './editor.history.ts'
import { editorRoutes } from './editor.page.ts'
import { previewRoutes } from './editor.preview.ts'
import { restoredIds, restoreVersions } from './event.versions.ts'
import { eventsPage } from './events.page.ts'
import { manyRoutes } from './many.page.ts'
import { quickRoutes } from './quick.page.ts'
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

/** The start page, the table of events, and what can be done in it. */
export const eventRoutes: DeskRoutes = {
  '/admin/': { show: todayPage },
  '/admin/search/': { mayUse: mayCreate, show: searchPage },
  '/admin/events/': { mayUse: mayCreate, show: eventsPage },
  ...manyRoutes,
  ...viewRoutes,
  ...quickRoutes,
  ...copyRoutes,
  ...editorRoutes,
  ...previewRoutes,
  ...historyRoutes,
  '/admin/events/{id}/trash/': { mayUse: mayCreate, show: '/admin/events/', submit: trashEvent },
  '/admin/events/{id}/restore/': { mayUse: mayCreate, show: '/admin/events/', submit: restore },
}
