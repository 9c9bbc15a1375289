import type { IncomingMessage } from 'node:http'
import { clientAddress, clientNetworkOf } from '../../base/limits/client.ts'
import type { RequestTrace } from '../../base/monitoring/request.trace.ts'
import type { Deps } from '../deps.ts'
import { type Coder, createCoder } from '../http/coder.ts'
import { type FindSite, siteFinder } from '../http/site.ts'
import { type Admission, createAdmission } from './admission.ts'
import type { Interface } from './dispatch.ts'
import { createResponseCache, type ResponseCache } from './response.cache.ts'
import { boundUnread, type Unread } from './unread.ts'

/** The parts from which a server is made. */
export interface ServerParts {
  readonly deps: Deps
  readonly api: Interface
  readonly findSite: FindSite
  readonly admission: Admission
  readonly cache: ResponseCache
  readonly unread: Unread
  /** Undefined if no response is coded. */
  readonly coder: Coder | undefined
  /** Returns the network of a client, for which the limits of memory and slots are counted. */
  readonly clientNetwork: (request: IncomingMessage) => string
  /** Traces of the requests that the framework handles. */
  readonly traces: WeakMap<IncomingMessage, RequestTrace>
}

export function createServerParts(deps: Deps, api: Interface): ServerParts {
  const { config } = deps
  const findSite = siteFinder(config)
  const clientNetwork = (request: IncomingMessage) => clientNetworkOf(clientAddress(config, request))
  const unread = boundUnread(clientNetwork)
  const coder = config.isCoding ? createCoder() : undefined
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
