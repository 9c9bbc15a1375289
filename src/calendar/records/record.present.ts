import { type Addresses, globalId, pageUrl } from '../../access/http/addresses.ts'
import { zeroDateTime } from '../../base/time/wire.ts'
import { localDateTimeAt, utcZone, type Zone } from '../../base/time/zone.ts'
import type { RecordKind, RenderedRecord } from './record.ts'

const typeSuffix: Record<RecordKind, string> = { event: 'events', venue: 'venue', organizer: 'organizer' }

/** Returns the author, status and dates of a record, as all kinds show them (venues-organizers.md §2). */
export function presentRecordMetadata(record: RenderedRecord, siteZone: Zone) {
  return {
    author: String(record.authorId),
    status: record.status,
    date: localDateTimeAt(record.datedAt, siteZone) as string,
    date_utc: record.isDated ? (localDateTimeAt(record.datedAt, utcZone) as string) : zeroDateTime,
    modified: localDateTimeAt(record.modifiedAt, siteZone) as string,
    modified_utc: localDateTimeAt(record.modifiedAt, utcZone) as string,
  }
}

/** Returns the page of a record. A published record has its slug in the address, any other record its id. */
export function recordUrl(
  addresses: Addresses,
  record: RenderedRecord & { readonly path?: string | undefined },
): string {
  return record.status === 'publish' || record.status === 'private'
    ? pageUrl(addresses, `/${record.kind}/${record.path ?? record.slug}/`, record.language)
    : pageUrl(
        addresses,
        `/?post_type=${addresses.vendorWord}_${typeSuffix[record.kind]}&p=${record.id}`,
        record.language,
      )
}

export function presentGlobalId(addresses: Addresses, record: RenderedRecord) {
  const id = globalId(addresses, record.id)
  return { global_id: id, global_id_lineage: [id] }
}
