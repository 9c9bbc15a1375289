import type { LinkedEvent } from './event.ts'

/** Most characters of texts that one list tells. An ordinary page of a hundred events has some hundred thousand. */
export const longestList = 16 * 1024 * 1024
/** What anything linked takes beside its texts. */
const lengthOfLink = 500

/** How many characters a list tells of an event, those of what it links to included, which each event tells anew. */
export function lengthInList({ contentHtml, excerptHtml, ...linked }: LinkedEvent): number {
  const { venues, organizers, categories, tags } = linked
  const entries = [...venues, ...organizers].map((entry) => entry.contentHtml.length + entry.excerptHtml.length)
  const terms = [...categories, ...tags].map(({ description }) => description.length)
  return [...entries, ...terms].reduce(
    (sum, length) => sum + length + lengthOfLink,
    contentHtml.length + excerptHtml.length,
  )
}
