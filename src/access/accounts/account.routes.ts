import type { AddRoute } from '../http/service.ts'
import { keyRoutes } from './key.routes.ts'
import { sessionRoutes } from './session.routes.ts'
import { userRoutes } from './user.routes.ts'

/** Users, their keys and their sessions, in the service’s own namespace. */
export function accountRoutes(add: AddRoute): void {
  userRoutes(add)
  keyRoutes(add)
  sessionRoutes(add)
}
