import type { EventDoubles } from '../api/answers.ts'
import { inLanguage } from '../events/desk.field.ts'
import { timeParameters } from '../events/editor.dates.ts'
import { nameKey } from '../events/editor.named.ts'
import { titleOf } from '../events/event.json.ts'
import type { OwnCall } from '../shell/desk.call.ts'
import type { RowTimes } from './row.times.ts'

// Rows that were pasted twice, or entered before. This is a warning: two events may have one title and one start.

/** What a row looks like a double of. */
export interface RowDouble {
  /** The first row with its title and its start, if that is another one. */
  readonly row: number | undefined
  readonly events: readonly { readonly id: number; readonly title: string }[]
}

export type RowDoubles = ReadonlyMap<number, RowDouble>

/** As many as one request takes. */
const maxAsked = 200

/** The part of a row that is compared. */
interface TitledRow {
  readonly row: number
  readonly languages: readonly string[]
  readonly values: Readonly<Record<string, string>>
  readonly times: RowTimes
}

interface Named {
  readonly row: number
  readonly title: string
  readonly start: string
}

/** Finds what rows look like doubles of, by row. Sends one request for all of them. */
export async function findRowDoubles(call: OwnCall, rows: readonly TitledRow[]): Promise<RowDoubles> {
  const named = rows.flatMap(namesOf)
  const asked = named.slice(0, maxAsked)
  const existing = asked.length === 0 ? [] : await findExisting(call, asked)
  const firstRows = new Map<string, number>()
  for (const one of named) if (!firstRows.has(keyOf(one))) firstRows.set(keyOf(one), one.row)
  const doubles = rows.flatMap(({ row }) => {
    const own = named.filter((one) => one.row === row)
    const first = own.map((one) => firstRows.get(keyOf(one))).find((other) => other !== undefined && other !== row)
    // The languages of an event are found one by one, so one of them is enough.
    const events = own.map((one) => existing[asked.indexOf(one)] ?? []).find((some) => some.length > 0) ?? []
    return first === undefined && events.length === 0 ? [] : [[row, { row: first, events }] as const]
  })
  return new Map(doubles)
}

const keyOf = ({ title, start }: Named) => `${start} ${nameKey(title)}`

function namesOf({ row, languages, values, times }: TitledRow): readonly Named[] {
  if (times.startFault !== undefined) return []
  const { start_date: start = '' } = timeParameters(times)
  return languages.map((language) => ({ row, start, title: values[inLanguage('title', language)] ?? '' }))
}

async function findExisting(call: OwnCall, asked: readonly Named[]): Promise<readonly RowDouble['events'][]> {
  const events = asked.map(({ title, start }) => ({ title: title.slice(0, 1000), start_date: start }))
  const { body } = await call.api.service<EventDoubles>({ method: 'POST', path: '/events/doubles', json: { events } })
  return (body.results ?? []).map((one) => one.events.map((event) => ({ id: event.id, title: titleOf(call, event) })))
}
