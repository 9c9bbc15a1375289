import { fail } from '../../base/problems.ts'
import { rehearse } from '../../storage/database/writes/held.write.ts'
import type { PictureStore } from '../../storage/pictures/picture.store.ts'
import type { Deps } from '../deps.ts'
import { boolean } from './arguments/argument.rules.ts'
import type { Argument } from './arguments/argument.ts'
import type { EndpointResult } from './route.ts'

/** Name of the parameter of every write of our own namespace. */
export const dryRunName = 'dry_run'

export const dryRunArgument = {
  read: boolean(dryRunName),
  schema: { type: 'boolean' },
  description: dryRunName,
  type: 'boolean',
} as const satisfies Argument<boolean>

/** The header of an answer to a write that was only tried. */
const dryRunHeader = { 'X-Dry-Run': 'true' } as const

/**
 * Answers a write without its effect: everything is checked, written and derived, and then rolled back. Pictures are
 * encoded but not stored.
 */
export function dryRun(deps: Deps, answer: (dry: Deps) => Promise<EndpointResult>): Promise<EndpointResult> {
  return rehearse(deps.storage, (storage) => {
    // Other writers wait once the transaction is open, so nothing slow may follow: one picture is fetched, before it.
    const fetchOutbound: Deps['fetchOutbound'] = (...request) =>
      storage.isOpen() ? fail('picture-not-fetched') : deps.fetchOutbound(...request)
    return answer({ ...deps, storage, fetchOutbound, pictures: { ...deps.pictures, store: unchanged(deps) } })
  })
}

/** Returns the answer to a write that was only tried. */
export function markedDry<R extends EndpointResult>(answer: R): R {
  const { 'Set-Cookie': _, ...headers } = answer.headers ?? {}
  return { ...answer, headers: { ...headers, ...dryRunHeader } }
}

/** Returns the store of the pictures, which adds and removes nothing. */
function unchanged({ pictures: { store } }: Deps): PictureStore {
  return { find: (name) => store.find(name), list: () => store.list(), write: async () => {}, remove: async () => {} }
}
