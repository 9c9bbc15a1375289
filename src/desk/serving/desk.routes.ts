import { accountRoutes } from '../accounts/account.page.ts'
import { keyRoutes } from '../accounts/keys.page.ts'
import { linkRoutes } from '../accounts/link.page.ts'
import { settingRoutes } from '../accounts/settings.page.ts'
import { signInRoutes } from '../accounts/sign.in.page.ts'
import { userRoutes } from '../accounts/users.page.ts'
import { calendarRoutes } from '../calendar/calendar.routes.ts'
import { eventRoutes } from '../events/event.routes.ts'
import { importRoutes } from '../imports/import.page.ts'
import { subscriptionDeskRoutes } from '../imports/subscriptions.page.ts'
import { pictureRoutes } from '../pictures/picture.routes.ts'
import { activityRoutes } from '../records/activity.page.ts'
import { recordRoutes } from '../records/record.routes.ts'
import { termRoutes } from '../records/term.routes.ts'
import { trashRoutes } from '../records/trash.page.ts'
import { rowRoutes } from '../rows/rows.routes.ts'
import { seriesRoutes } from '../series/series.page.ts'
import type { DeskRoutes, OpenRoute } from '../shell/desk.call.ts'

/** The forms of parts of addresses, by name. All others are numbers. */
const partPatterns: Readonly<Record<string, string>> = { secret: '[\\w-]{1,100}', kind: 'events|venues|organizers' }

/** Returns the pages of a table with the patterns of their addresses. The first one that matches answers. */
function routesOf<R extends object>(table: Readonly<Record<string, R>>) {
  return Object.entries(table).map(([route, one]) => ({
    ...{ ...one, route },
    pattern: new RegExp(`^${route.replace(/\{(\w+)\}/g, (_, part) => `(${partPatterns[part] ?? '\\d{1,15}'})`)}$`),
  }))
}

/** The pages that need no session. */
export const openRoutes = routesOf<OpenRoute>({ ...signInRoutes, ...linkRoutes })

/** The pages for those who have signed in. */
export const ownRoutes = routesOf<DeskRoutes[string]>({
  ...{ ...eventRoutes, ...seriesRoutes, ...rowRoutes, ...calendarRoutes, ...importRoutes, ...pictureRoutes },
  ...{ ...recordRoutes, ...termRoutes, ...trashRoutes, ...activityRoutes },
  ...{ ...subscriptionDeskRoutes, ...accountRoutes, ...keyRoutes, ...userRoutes, ...settingRoutes },
})
