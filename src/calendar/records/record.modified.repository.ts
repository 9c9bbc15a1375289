import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { dateFilter } from '../../access/http/arguments/argument.rules.ts'
import { dateSchema } from '../../access/http/arguments/argument.schema.ts'
import type { Arguments } from '../../access/http/arguments/argument.ts'
import { utcZone } from '../../base/time/zone.ts'
import { instantOf } from './record.date.ts'

/** The times between which records were changed, both excluded, in whole seconds since 1970. */
export interface ModifiedRange {
  readonly after: number | undefined
  readonly before: number | undefined
}

/** A date that does not depend on the current day. */
export const fixedDate = /^\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?(?:Z|[+-]\d\d:?\d\d)?$/

/** The filters of lists by the time of the last change, which `modified_utc` shows. They are never widened to a day. */
export const modifiedArguments = {
  modified_after: { read: dateFilter, description: 'modified_after', schema: dateSchema, isExtension: true },
  modified_before: { read: dateFilter, description: 'modified_before', schema: dateSchema, isExtension: true },
} as const satisfies Arguments

/**
 * Returns the range that a list asks for. A text without an offset is in UTC.
 *
 * @param now Called only if a text depends on the time.
 */
export function modifiedRangeOf(
  sent: { readonly modified_after: string | undefined; readonly modified_before: string | undefined },
  now: () => number,
): ModifiedRange | undefined {
  const { modified_after: after, modified_before: before } = sent
  if (after === undefined && before === undefined) return undefined
  const read = (text: string | undefined) =>
    text === undefined ? undefined : instantOf(text, utcZone, fixedDate.test(text) ? 0 : now())
  return { after: read(after), before: read(before) }
}

export function modifiedConditions({ after, before }: ModifiedRange): readonly RawBuilder<SqlBool>[] {
  return [
    ...(after === undefined ? [] : [sql<SqlBool>`records.modified_at > ${after}`]),
    ...(before === undefined ? [] : [sql<SqlBool>`records.modified_at < ${before}`]),
  ]
}
