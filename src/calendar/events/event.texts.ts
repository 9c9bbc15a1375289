import { failParameter } from '../../base/problems.ts'
import { searchedText } from '../../base/text/fold.ts'
import { renderArticle, renderExcerpt, renderTitle } from '../../base/text/render.ts'
import { sanitizeArticle, sanitizeTitle } from '../../base/text/sanitize.ts'
import { comparableTitle } from '../records/record.repository.ts'
import type { EventChanges } from './event.changes.ts'

/** Texts of an event, cleaned. */
export interface EventTexts {
  readonly title: string
  readonly content: string
  readonly excerpt: string
}

/** The texts and what is made of them once, when they are written, so that no reader waits for it. */
export function renderTexts({ title, content, excerpt }: EventTexts) {
  return {
    title,
    titleHtml: renderTitle(title),
    content,
    contentHtml: renderArticle(content),
    excerpt,
    excerptHtml: renderExcerpt(excerpt),
    searchText: searchedText([title, excerpt, content]),
  }
}

export function textColumns(texts: EventTexts) {
  const { titleHtml, contentHtml, excerptHtml, searchText } = renderTexts(texts)
  return {
    ...texts,
    title_folded: comparableTitle(texts.title),
    title_html: titleHtml,
    content_html: contentHtml,
    excerpt_html: excerptHtml,
    search_text: searchText,
  }
}

/**
 * The texts of an event after a change; undefined where they stay as they are.
 *
 * @throws rest_invalid_param where nothing is left of the title
 */
export function changedTexts(
  { title, content, excerpt }: EventTexts,
  sent: Pick<EventChanges, 'title' | 'description' | 'excerpt'>,
): EventTexts | undefined {
  const texts = {
    title: sent.title === undefined ? title : sanitizedTitle(sent.title),
    content: sent.description === undefined ? content : sanitizeArticle(sent.description),
    excerpt: sent.excerpt === undefined ? excerpt : sanitizeArticle(sent.excerpt),
  }
  const isChanged = texts.title !== title || texts.content !== content || texts.excerpt !== excerpt
  return isChanged ? texts : undefined
}

/**
 * A title as it is stored.
 *
 * @throws rest_invalid_param where nothing is left of it
 */
export function sanitizedTitle(sent: string): string {
  const title = sanitizeTitle(sent)
  return title === '' ? failParameter('title', 'fault.blank') : title
}
