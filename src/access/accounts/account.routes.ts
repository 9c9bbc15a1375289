import type { ServiceRoute } from '../http/service.ts'
import { keyRoutes } from './key.routes.ts'
import { linkRoutes } from './link.routes.ts'
import { sessionRoutes } from './session.routes.ts'
import { userRoutes } from './user.routes.ts'

/** Users, their keys and their sessions, in the service’s own namespace. */
export const accountRoutes: readonly ServiceRoute[] = [...userRoutes, ...keyRoutes, ...sessionRoutes, ...linkRoutes]
