import type { Language } from '../../../base/languages/language.ts'
import { assertReferencesExist } from '../../records/record.references.ts'
import type { WriteContext } from '../../records/write.context.ts'
import type { EventDraft } from '../model/event.changes.ts'
import type { CalendarEvent } from '../model/event.ts'
import { createOne } from './create.service.ts'

/**
 * Creates the template of a series as an event is created. The counts of its terms do not include it.
 *
 * @throws rest_forbidden, rest_invalid_param
 */
export async function createTemplate(
  write: WriteContext,
  draft: EventDraft,
  language: Language,
): Promise<CalendarEvent> {
  const { authorId, imageId } = draft
  await assertReferencesExist(write.tx, { authorId, imageId })
  return createOne(write, draft, { language, kind: 'series' })
}
