import { mayUpload } from '../auth/policy.ts'
import type { Rule } from '../http/argument.ts'
import { accepted, refused, wholeNumberOf, wrongType } from '../http/rules.ts'
import { findPictureBySource, hasPicture } from './media.repository.ts'

/** What the empty forms of `image` mean: refused, or no picture. */
export interface ImageRuleOptions {
  readonly canClear: boolean
  readonly isNullClear: boolean
}

/**
 * A picture by its id (a number or digits), or by an address it was fetched from before, for those who may upload.
 * The value null stands for no picture.
 */
export function imageRule({ canClear, isNullClear }: ImageRuleOptions): Rule<number | null> {
  return async (raw, { db, actor }) => {
    if (raw === null) return isNullClear ? accepted(null) : wrongType('image', 'string')
    if (canClear && (raw === '' || raw === '0' || raw === 0)) return accepted(null)
    const id = wholeNumberOf(raw)
    if (id !== undefined) return (await hasPicture(db, id)) ? accepted(id) : refused('fault.unknown-image')
    const known = typeof raw === 'string' && mayUpload(actor) ? await findPictureBySource(db, raw) : undefined
    return known === undefined ? refused('fault.unknown-image') : accepted(known)
  }
}
