import { hasUser } from '../../access/auth/user.repository.ts'
import { failParameter } from '../../base/problems.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { hasPicture } from '../media/media.repository.ts'

/**
 * Checks in a write that the user and the picture that it names still exist. They may have been deleted since the
 * request was read.
 *
 * @throws rest_invalid_param (author, image)
 */
export async function assertReferencesExist(
  tx: Tx,
  { authorId, imageId }: { readonly authorId: number | undefined; readonly imageId: number | null | undefined },
): Promise<void> {
  if (authorId !== undefined && !(await hasUser(tx, authorId))) failParameter('author', 'fault.unknown-user')
  if (typeof imageId === 'number' && !(await hasPicture(tx, imageId))) failParameter('image', 'fault.unknown-image')
}
