import { mayCreate } from '../../access/auth/policy.ts'
import type { DeskRoutes } from '../shell/desk.call.ts'
import { calendarPage } from './calendar.page.ts'
import { moveForm } from './move.page.ts'

/** The calendar of editors, by month and by week. */
export const calendarRoutes: DeskRoutes = {
  '/admin/calendar/': { mayUse: mayCreate, show: calendarPage },
  '/admin/calendar/{id}/move/': { mayUse: mayCreate, ...moveForm },
}
