import { presentPicture } from '../media/media.present.ts'
import { presentGlobalId, presentRecordMetadata, recordUrl } from '../records/record.present.ts'
import { presentTranslations } from '../translations/viewer.ts'
import type { DirectoryEntry, EntryView, Fields } from './directory.ts'

/** What stands before the name. */
export function presentEntryHead(entry: DirectoryEntry<Fields>, { addresses, siteZone }: EntryView) {
  return { id: entry.id as number, ...presentRecordMetadata(entry, siteZone), url: recordUrl(addresses, entry) }
}

/** What stands between the name and the fields of the kind. */
export function presentEntryTexts(entry: DirectoryEntry<Fields>, { addresses }: EntryView) {
  return {
    ...(entry.contentHtml === '' ? {} : { description: entry.contentHtml }),
    ...(entry.excerptHtml === '' ? {} : { excerpt: entry.excerptHtml }),
    slug: entry.slug,
    ...(entry.image ? { image: presentPicture(addresses, entry.image, entry.language) } : {}),
  }
}

/** What stands at the end. */
export function presentEntryTail(entry: DirectoryEntry<Fields>, { addresses }: EntryView) {
  return { ...presentGlobalId(addresses, entry), ...presentTranslations(addresses, entry) }
}
