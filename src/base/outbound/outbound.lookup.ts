import { type LookupAddress, promises } from 'node:dns'
import type { LookupFunction } from 'node:net'

/** The lookup of each address family takes at most twice this time, then fails. */
const resolverTimeoutMs = 2000
const tries = 2

/** Names of this machine, which need no name server (RFC 6761, 6.3). */
const ownName = /^(?:.+\.)?localhost\.?$/i
const ownAddresses: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/**
 * Looks a name up at the name servers of this machine, without its hosts file, since only public names are fetched. The
 * system lookup would block one of the few threads that read files and fetch pictures, for as long as a hostile name
 * server wants.
 *
 * @param servers Name servers to use instead, as `address:port`.
 */
export const createLookup =
  (servers?: readonly string[]): LookupFunction =>
  (name, _options, done) => {
    if (ownName.test(name)) return done(null, [...ownAddresses])
    const resolver = new promises.Resolver({ timeout: resolverTimeoutMs, tries })
    if (servers) resolver.setServers(servers)
    const asked = [
      resolver.resolve4(name).then((found) => found.map((address) => ({ address, family: 4 }))),
      resolver.resolve6(name).then((found) => found.map((address) => ({ address, family: 6 }))),
    ]
    void Promise.allSettled(asked).then((outcomes) => {
      const found = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []))
      const failed = outcomes.find((outcome) => outcome.status === 'rejected')
      if (found.length === 0 && failed) done(failed.reason as Error, '')
      else done(null, found)
    })
  }
