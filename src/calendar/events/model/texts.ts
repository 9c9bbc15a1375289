import { failParameter } from '../../../base/problems.ts'
import { searchedText } from '../../../base/text/fold.ts'
import { renderArticle, renderExcerpt, renderTitle } from '../../../base/text/render.ts'
import { sanitizeArticle, sanitizeTitle } from '../../../base/text/sanitize.ts'
import { events } from '../../../storage/database/schema/events.ts'
import { searchedColumns } from '../../../storage/database/schema/table.ts'
import type { FieldValues } from '../../records/field.ts'
import { comparableTitle } from '../../records/record.name.ts'
import type { EventPatch } from './event.changes.ts'
import { valueFields } from './event.fields.ts'
import { type ReadTitle, titleWithoutStatus } from './state.titles.ts'

export type EventTexts = Readonly<Record<'title' | 'content' | 'excerpt', string>>

const searched = valueFields.stored.filter(({ column }) => searchedColumns(events).includes(column))

/**
 * Returns the texts and the values derived from them. They are derived on write, so that reads are fast.
 *
 * @param own The other fields of the event: a search covers some of them too.
 */
export function renderTexts({ title, content, excerpt }: EventTexts, own: FieldValues<typeof valueFields.fields>) {
  return {
    title,
    titleHtml: renderTitle(title),
    content,
    contentHtml: renderArticle(content),
    excerpt,
    excerptHtml: renderExcerpt(excerpt),
    searchText: searchedText([title, excerpt, content, ...searched.map(({ storedIn }) => String(storedIn(own) ?? ''))]),
  }
}

export function textColumns(texts: EventTexts, own: FieldValues<typeof valueFields.fields>) {
  const { titleHtml, contentHtml, excerptHtml, searchText } = renderTexts(texts, own)
  return {
    ...texts,
    title_folded: comparableTitle(texts.title),
    title_html: titleHtml,
    content_html: contentHtml,
    excerpt_html: excerptHtml,
    search_text: searchText,
  }
}

/** Texts as answers show them. */
type ShownTexts = Pick<ReturnType<typeof renderTexts>, 'titleHtml' | 'contentHtml' | 'excerptHtml'>

/**
 * Returns the texts of an event after a change. Undefined if they stay the same. A text that is sent as it is shown stays as
 * it was written (rulings.md 44).
 *
 * @param statuses The statuses that a sent title may tell.
 * @throws rest_invalid_param if the sanitized title is empty
 */
export function changedTexts(
  { title, content, excerpt, titleHtml, contentHtml, excerptHtml }: EventTexts & ShownTexts,
  patch: Pick<EventPatch, 'title' | 'content' | 'excerpt'>,
  statuses: ReadTitle['statuses'] = [],
): EventTexts | undefined {
  const texts = {
    title:
      patch.title === undefined || patch.title === titleHtml
        ? title
        : sanitizedTitle(patch.title, { statuses, stored: title }),
    content: patch.content === undefined || patch.content === contentHtml ? content : sanitizeArticle(patch.content),
    excerpt: patch.excerpt === undefined || patch.excerpt === excerptHtml ? excerpt : sanitizeArticle(patch.excerpt),
  }
  const isChanged = texts.title !== title || texts.content !== content || texts.excerpt !== excerpt
  return isChanged ? texts : undefined
}

/**
 * Returns a title as it is stored.
 *
 * @throws rest_invalid_param if the sanitized title is empty
 */
export function sanitizedTitle(sent: string, read: ReadTitle = { statuses: [] }): string {
  const title = titleWithoutStatus(sanitizeTitle(sent), read)
  return title === '' ? failParameter('title', 'fault.blank') : title
}
