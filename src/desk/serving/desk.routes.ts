import { accountRoutes } from '../accounts/account.page.ts'
import { keyRoutes } from '../accounts/keys.page.ts'
import { linkRoute } from '../accounts/link.page.ts'
import { settingRoutes } from '../accounts/settings.page.ts'
import { signInRoute } from '../accounts/sign.in.page.ts'
import { userRoutes } from '../accounts/users.page.ts'
import { calendarRoutes } from '../calendar/calendar.routes.ts'
import { eventRoutes } from '../events/event.routes.ts'
import { importRoutes } from '../imports/import.page.ts'
import { pictureRoutes } from '../pictures/picture.routes.ts'
import { activityRoutes } from '../records/activity.page.ts'
import { recordRoutes } from '../records/record.routes.ts'
import { termRoutes } from '../records/term.routes.ts'
import { trashRoutes } from '../records/trash.page.ts'
import { rowRoutes } from '../rows/rows.routes.ts'
import type { DeskRoute, OpenRoute } from '../shell/desk.call.ts'

/** The pages that need no session. */
export const openRoutes: readonly OpenRoute[] = [signInRoute, linkRoute]

/** The pages for those who have signed in. The first one whose pattern matches answers. */
export const ownRoutes: readonly DeskRoute[] = [
  ...[
    ...eventRoutes,
    ...rowRoutes,
    ...calendarRoutes,
    ...importRoutes,
    ...pictureRoutes,
    ...recordRoutes,
    ...termRoutes,
    ...trashRoutes,
    ...activityRoutes,
  ],
  ...[...accountRoutes, ...keyRoutes, ...userRoutes, ...settingRoutes],
]
