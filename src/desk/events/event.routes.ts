import { mayCreate } from '../../access/auth/policy.ts'
import type { DeskAnswer, DeskForm, DeskRoutes, OwnCall } from '../shell/desk.call.ts'
import { tellAt } from '../shell/told.ts'
import { copyRoutes } from './copy.page.ts'
import { historyRoutes } from './editor.history.ts'
import { editorRoutes } from './editor.page.ts'
import { previewRoutes } from './editor.preview.ts'
import { type EventJson, titleOf } from './event.json.ts'
import { restoredIds, restoreVersions } from './event.versions.ts'
import { eventsAnswer } from './events.page.ts'
import { manyRoutes } from './many.page.ts'
import { quickRoutes } from './quick.page.ts'
import { searchPage } from './search.page.ts'
import { trashEvent } from './series.trash.ts'
import { tableAt } from './table.place.ts'
import { viewRoutes } from './table.views.ts'
import { todayPage } from './today.page.ts'

/** Restores an event in the languages that the form names, as the interface does. */
async function restore(call: OwnCall, form: DeskForm, id = ''): Promise<DeskAnswer> {
  const done = await restoreVersions(call, restoredIds(form, id))
  // A form that is sent twice finds the event restored. The table shows it.
  const back = tableAt(form.get('back'))
  if (done === 'was-back') return { kind: 'see', path: back }
  if (done === 'refused') return tellAt(call, back, { text: call.say('events.not-restored') })
  const { body } = await call.api.events<EventJson>({ path: `/events/${id}`, query: { context: 'edit' } })
  return tellAt(call, back, { text: call.say('events.restored', { title: titleOf(call, body) }) })
}

/** The start page, the table of events, and what can be done in it. */
export const eventRoutes: DeskRoutes = {
  '/admin/': { show: (call) => todayPage(call), submit: (call) => todayPage(call, true) },
  '/admin/search/': { mayUse: mayCreate, show: searchPage },
  '/admin/events/': { mayUse: mayCreate, show: eventsAnswer },
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
