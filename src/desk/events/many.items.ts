import type { RecordStatus } from '../../calendar/records/record.ts'
import { isStatus } from '../../calendar/records/record.ts'
import type { DeskForm } from '../shell/desk.call.ts'
import { membersOf } from '../shell/result.address.ts'
import type { RowJson } from './event.rows.ts'
import type { KnownVersion } from './event.versions.ts'

/** The form of the table in which events are selected. */
export const manyFormId = 'many'
/** As many as one batch of the interface has. */
export const maxItems = 200

/** An event as it was when it was selected. A change is only made if it still has this version. */
export interface ManyItem {
  readonly id: number
  readonly version: number
  readonly title: string
  readonly status: RecordStatus
  readonly start: string
  readonly end: string
  readonly venue: readonly number[]
  readonly organizer: readonly number[]
  readonly categories: readonly number[]
  /** Whether it is a date of a series. */
  readonly isDate: boolean
  readonly language: string
  /** The event in its other languages. */
  readonly others: readonly KnownVersion[]
}

/** Returns what a form remembers of an event. */
export function itemOf(row: RowJson): string {
  const { id, version, title, status, start_date: start, end_date: end, venue, organizer, categories, language } = row
  const ids = (linked: readonly { readonly id: number }[]) => linked.map((one) => one.id)
  const item: ManyItem = {
    ...{ id, version, title, status: status as RecordStatus, start, end },
    ...{ venue: ids(venue), organizer: ids(organizer), categories: ids(categories) },
    ...{ isDate: row.series !== undefined, language },
    others: row.translations.map((one) => ({
      ...{ id: one.id, version: one.version, language: one.language },
      ...(one.status === 'pending' ? { isPending: true } : {}),
    })),
  }
  return JSON.stringify(item)
}

const timePattern = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/
export const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
export const isIds = (value: unknown): value is readonly number[] => Array.isArray(value) && value.every(isId)
export const isTime = (value: unknown): value is string => typeof value === 'string' && timePattern.test(value)

export function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return membersOf(JSON.parse(text))
  } catch {
    return {}
  }
}

/** Returns the other versions of an event that a form remembers. */
export function othersFrom(value: unknown): readonly KnownVersion[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((one: Readonly<Record<string, unknown>> | null) => {
    const { id, version, language, isPending } = one ?? {}
    return isId(id) && isId(version) && typeof language === 'string'
      ? [{ id, version, language, isPending: isPending === true }]
      : []
  })
}

function itemFrom(text: string): ManyItem | undefined {
  const { id, version, title, status, start, end, venue, organizer, categories, isDate, language, others } =
    parsed(text)
  const isItem =
    isId(id) && isId(version) && typeof title === 'string' && isStatus(status) && isTime(start) && isTime(end)
  if (!isItem || !isIds(venue) || !isIds(organizer) || !isIds(categories)) return undefined
  if (typeof language !== 'string') return undefined
  const item = { id, version, title, status, start, end, venue, organizer, categories, isDate: isDate === true }
  return { ...item, language, others: othersFrom(others) }
}

/** Returns the selected events of a form. */
export function itemsIn(form: DeskForm): readonly ManyItem[] {
  const ids = [...new Set(form.all('ids'))]
  return ids.slice(0, maxItems + 1).flatMap((id) => itemFrom(form.get(`was.${id}`)) ?? [])
}
