import type { IncomingMessage } from 'node:http'
import { clientAddress, clientNetworkOf } from '../../base/limits/client.ts'
import type { RequestTrace } from '../../base/monitoring/request.trace.ts'
import type { Deps } from '../deps.ts'
import { type ContentEncoder, createContentEncoder } from '../http/answers/content.encoder.ts'
import { createSiteFinder, type FindSite } from '../http/site.ts'
import { type Admission, createAdmission } from './admission.ts'
import type { ApiDefinition } from './dispatch.ts'
import { createResponseCache, type ResponseCache } from './response.cache.ts'
import { limitUnread, type UnreadLimit } from './unread.limit.ts'

export interface ServerParts {
  readonly deps: Deps
  readonly api: ApiDefinition
  readonly findSite: FindSite
  readonly admission: Admission
  readonly cache: ResponseCache
  readonly unread: UnreadLimit
  /** Undefined if no response is coded. */
  readonly coder: ContentEncoder | undefined
  /** Returns the network of a client, for which the limits of memory and slots are counted. */
  readonly clientNetwork: (request: IncomingMessage) => string
  /** Traces of the requests that the framework handles. */
  readonly traces: WeakMap<IncomingMessage, RequestTrace>
}

export function createServerParts(deps: Deps, api: ApiDefinition): ServerParts {
  const { config } = deps
  const findSite = createSiteFinder(config)
  const clientNetwork = (request: IncomingMessage) => clientNetworkOf(clientAddress(config, request))
  const unread = limitUnread(clientNetwork)
  const coder = config.isCoding ? createContentEncoder() : undefined
  return {
    deps,
    api,
    findSite,
    admission: createAdmission(deps, findSite),
    cache: createResponseCache(deps, { findSite, unread, coder }),
    unread,
    coder,
    clientNetwork,
    traces: new WeakMap(),
  }
}
