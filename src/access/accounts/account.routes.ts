import type { Route } from '../http/route.ts'
import { keyRoutes } from './key.routes.ts'
import { linkRoutes } from './link.routes.ts'
import { sessionRoutes } from './session.routes.ts'
import { userRoutes } from './user.routes.ts'

/** Users, their keys and their sessions, in the service’s own namespace. */
export const accountRoutes: readonly Route[] = [...userRoutes, ...keyRoutes, ...sessionRoutes, ...linkRoutes]
