import { hasUser } from '../../access/auth/user.repository.ts'
import { failParameter } from '../../base/problems.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { hasPicture } from '../media/media.repository.ts'

/**
 * Checks, within a write, that whom and what it names is still there: since the request was read it may have been
 * removed for good.
 *
 * @throws rest_invalid_param (author, image)
 */
export async function assertReferencesExist(
  tx: Tx,
  { author, image }: { readonly author?: number | undefined; readonly image?: number | null | undefined },
): Promise<void> {
  if (author !== undefined && !(await hasUser(tx, author))) failParameter('author', 'fault.unknown-user')
  if (typeof image === 'number' && !(await hasPicture(tx, image))) failParameter('image', 'fault.unknown-image')
}
