import { mayCreate } from '../../access/auth/policy.ts'
import type { DeskRoute } from '../shell/desk.call.ts'
import { calendarPage } from './calendar.page.ts'
import { moveForm } from './move.page.ts'

/** The calendar of editors, by month and by week. */
export const calendarRoutes: readonly DeskRoute[] = [
  { route: '/admin/calendar/', pattern: /^\/admin\/calendar\/$/, mayUse: mayCreate, show: calendarPage },
  {
    route: '/admin/calendar/{id}/move/',
    pattern: /^\/admin\/calendar\/(\d{1,15})\/move\/$/,
    mayUse: mayCreate,
    ...moveForm,
  },
]
