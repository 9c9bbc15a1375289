import type { Addresses } from '../../access/http/addresses.ts'
import type { Zone } from '../../base/time/zone.ts'
import { presentPicture } from '../media/media.present.ts'
import { presentGlobalId, presentRecordMetadata, recordUrl } from '../records/record.present.ts'
import { presentTranslations } from '../translations/viewer.ts'
import type { Directory, DirectoryEntry, Fields } from './directory.ts'

/** A venue or organizer as clients read it, keys in the contract's order (venues-organizers.md §2). */
export function presentEntry<F extends Fields>(
  directory: Directory<F>,
  entry: DirectoryEntry<F>,
  addresses: Addresses,
  siteZone: Zone,
  { hasJsonLd = false } = {},
): object {
  return {
    id: entry.id,
    ...presentRecordMetadata(entry, siteZone),
    url: recordUrl(addresses, entry),
    [directory.kind]: entry.titleHtml,
    ...(entry.contentHtml === '' ? {} : { description: entry.contentHtml }),
    ...(entry.excerptHtml === '' ? {} : { excerpt: entry.excerptHtml }),
    slug: entry.slug,
    ...(entry.image ? { image: presentPicture(addresses, entry.image, entry.language) } : {}),
    ...directory.presentFields(entry.fields),
    ...(hasJsonLd ? { json_ld: directory.presentJsonLd(entry, addresses) } : {}),
    ...directory.presentFlags(entry.fields),
    ...presentGlobalId(addresses, entry),
    ...presentTranslations(addresses, entry),
  }
}

/** The texts that are not empty. Contract: `"0"` counts as empty (venues-organizers.md §2). */
export function withoutEmptyTexts(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '' && text !== '0'))
}
