import { memoizePerObject } from '../../../storage/database/derived.values.ts'
import type { CalendarRecord } from '../../records/record.ts'
import type { Term } from '../../terms/term.ts'
import { valueFields } from './event.fields.ts'
import type { LinkedEvent } from './event.ts'

/**
 * The maximum number of text characters in one list. An ordinary page of a hundred events has several hundred thousand.
 */
export const maxListCharacters = 16 * 1024 * 1024
/** The size of a linked item besides its texts. */
const linkOverhead = 500

const longFields = valueFields.properties.filter((name) => valueFields.fields[name].isLong)

/**
 * Returns the number of characters of an event in a list. This includes the linked items, which the list repeats for
 * each event.
 */
export function lengthInList(event: LinkedEvent): number {
  const { cost, customFields, venues, organizers, categories, tags } = event
  const values = longFields.reduce((sum, name) => sum + lengthOfTexts(event[name]), 0)
  const own = lengthOfRecord(event) + lengthOfTexts([cost, customFields]) + values
  const entries = [...venues, ...organizers].reduce((sum, entry) => sum + lengthOfEntry(entry), 0)
  return [...categories, ...tags].reduce((sum, term) => sum + lengthOfTerm(term), own + entries)
}

type MeasuredTexts = Pick<CalendarRecord, 'titleHtml' | 'slug' | 'contentHtml' | 'excerptHtml'>

function lengthOfRecord({ titleHtml, slug, contentHtml, excerptHtml }: MeasuredTexts): number {
  return titleHtml.length + slug.length + contentHtml.length + excerptHtml.length
}

const lengthOfEntry = memoizePerObject((entry: MeasuredTexts & { readonly fields: object }) => {
  return lengthOfRecord(entry) + lengthOfTexts(entry.fields) + linkOverhead
})

const lengthOfTerm = memoizePerObject(({ name, slug, description }: Term) => {
  return name.length + slug.length + description.length + linkOverhead
})

/** Returns the number of characters of all texts in a value, including property names. */
function lengthOfTexts(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.entries(value).reduce((sum, [name, inner]) => sum + name.length + lengthOfTexts(inner), 0)
}
