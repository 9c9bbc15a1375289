import type { EventPatch } from '../events/model/event.changes.ts'
import { argumentsOf } from '../events/model/fields.derived.ts'
import { eventStandingFields } from '../events/read/standing.repository.ts'

/** The field of each argument, by the names of `eventStandingFields`. */
const fieldOf = new Map(
  Object.entries(eventStandingFields).flatMap(([name, { args }]) => args.map((argument) => [argument, name] as const)),
)

/** Returns the fields that a patch sends. */
export function fieldsOf(patch: EventPatch): ReadonlySet<string> {
  const sent = Object.entries(argumentsOf(patch)).flatMap(([argument, value]) =>
    value === undefined ? [] : [argument],
  )
  return new Set(sent.flatMap((argument) => fieldOf.get(argument) ?? []))
}
