import { urlOf } from '../../access/http/arguments/argument.rules.ts'
import { decodeEntities } from '../../base/text/escape.ts'
import { plainText } from '../../base/text/sanitize.ts'
import { isLocalDateTime } from '../../base/time/local.date.time.ts'
import type { RecordStatus } from '../../calendar/records/record.ts'
import { isObject } from '../pull/pull.lists.ts'
import type { ImportText } from './import.texts.ts'
import { decodeRenderedEntities } from './rendered.ts'
import type { SourceOrigin } from './source.ts'
import type { TecEvent, TecOrganizer, TecVenue } from './tec.schema.ts'

export const pageSchemes = ['http:', 'https:']

// Parsers of values in recorded responses, for all kinds of records.

/** Converts an object, a list, or an empty value to a list. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return value === null || value === undefined || value === false ? [] : [value]
}

/** Returns `host?id=12`, or undefined for all other values. */
export function globalIdOf(raw: unknown): string | undefined {
  return /^[^?\s]+\?id=\d+$/.exec(trimmedText(raw))?.[0]
}

type TecRecord = TecEvent | TecVenue | TecOrganizer

/** Reads the fields that all records share. */
export function sharedFields(
  { id, global_id, slug, description, date: localDate, date_utc, modified_utc, image }: TecRecord,
  status: RecordStatus,
  { site, ...place }: SourceOrigin,
) {
  const date = trimmedText(date_utc)
  const local = trimmedText(localDate)
  return {
    ...place,
    source: globalIdOf(global_id) ?? `${site}?id=${id}`,
    slug: trimmedText(slug),
    description: decodeRenderedEntities(trimmedText(description)),
    status,
    dateUtc: isLocalDateTime(date) ? date : undefined,
    date: !isLocalDateTime(date) && isLocalDateTime(local) ? local : undefined,
    modifiedAt: trimmedText(modified_utc),
    hasImage: isObject(image) || (typeof image === 'string' && image !== ''),
  }
}

/**
 * Reads a website. The source stores typed text: `beltline.org` becomes an address, and text that is not an address is
 * left out. For a record without a website, the source shows the record's own page.
 */
export function readWebsite(raw: unknown, ownPage: unknown, schemes: readonly string[]) {
  const sent = decodeEntities(trimmedText(raw)).trim()
  if (sent === '') return { url: '', isOwnPage: false, remarks: [] }
  const isBareHost = /^[a-z\d-]+(\.[a-z\d-]+)+([/?#:]|$)/i.test(sent)
  const url = urlOf(isBareHost ? `http://${sent}` : sent, schemes) ?? ''
  const remarks: readonly ImportText[] = url === '' ? [{ key: 'import.website', values: { url: sent } }] : []
  return { url, isOwnPage: url !== '' && url === trimmedText(ownPage), remarks }
}

/** Returns the text that was sent, a number in digits, or `''` for null, false and undefined. */
export function trimmedText(raw: unknown): string {
  return typeof raw === 'string' || typeof raw === 'number' ? String(raw) : ''
}

export function singleLine(raw: unknown): string {
  return plainText(decodeEntities(trimmedText(raw)))
}
