import { hasUser } from '../auth/user.repository.ts'
import { hasPicture } from '../media/media.repository.ts'
import { failParameter } from '../problems.ts'
import type { Tx } from '../storage/tables.ts'

/**
 * Checks, within a write, that whom and what it names is still there: since the request was read it may have been
 * removed for good.
 *
 * @throws rest_invalid_param (author, image)
 */
export async function assertNamed(
  tx: Tx,
  { author, image }: { readonly author?: number | undefined; readonly image?: number | null | undefined },
): Promise<void> {
  if (author !== undefined && !(await hasUser(tx, author))) failParameter('author', 'fault.unknown-user')
  if (typeof image === 'number' && !(await hasPicture(tx, image))) failParameter('image', 'fault.unknown-image')
}
