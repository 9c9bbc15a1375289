import { madeOnce } from '../../storage/database/kept.ts'
import type { CalendarRecord } from '../records/record.ts'
import type { Term } from '../terms/term.ts'
import { valueFields } from './event.fields.ts'
import type { LinkedEvent } from './event.ts'

/** Most characters of texts that one list tells. An ordinary page of a hundred events has several hundred thousand. */
export const maxListCharacters = 16 * 1024 * 1024
/** What anything linked takes beside its texts. */
const linkOverhead = 500

const longFields = valueFields.properties.filter((name) => valueFields.fields[name].isLong)

/** How many characters a list tells of an event, those of what it links to included, which each event tells anew. */
export function lengthInList(event: LinkedEvent): number {
  const { cost, customFields, venues, organizers, categories, tags } = event
  const own = lengthOfRecord(event) + lengthOfTexts([cost, customFields, ...longFields.map((name) => event[name])])
  const entries = [...venues, ...organizers].reduce((sum, entry) => sum + lengthOfEntry(entry), 0)
  return [...categories, ...tags].reduce((sum, term) => sum + lengthOfTerm(term), own + entries)
}

type MeasuredTexts = Pick<CalendarRecord, 'titleHtml' | 'slug' | 'contentHtml' | 'excerptHtml'>

function lengthOfRecord({ titleHtml, slug, contentHtml, excerptHtml }: MeasuredTexts): number {
  return titleHtml.length + slug.length + contentHtml.length + excerptHtml.length
}

const lengthOfEntry = madeOnce((entry: MeasuredTexts & { readonly fields: object }) => {
  return lengthOfRecord(entry) + lengthOfTexts(entry.fields) + linkOverhead
})

const lengthOfTerm = madeOnce(({ name, slug, description }: Term) => {
  return name.length + slug.length + description.length + linkOverhead
})

/** Of all texts in a value, names in it included. */
function lengthOfTexts(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.entries(value).reduce((sum, [name, inner]) => sum + name.length + lengthOfTexts(inner), 0)
}
