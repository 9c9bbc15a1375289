import { urlOf } from '../../access/http/rules.ts'
import { decodeEntities } from '../../base/text/escape.ts'
import { plainText } from '../../base/text/sanitize.ts'
import { isWall, type Wall } from '../../base/time/wall.ts'
import type { Status } from '../../calendar/records/record.ts'
import { unrendered } from './rendered.ts'
import type { Place } from './source.ts'
import type { TecEvent, TecOrganizer, TecVenue } from './tec.schema.ts'

export const pageSchemes = ['http:', 'https:']

// What values of recorded answers mean, whatever they belong to.

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** One, several or none: an object, a list, or an empty form. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return value === null || value === undefined || value === false ? [] : [value]
}

/** `host?id=12`, or undefined for all else. */
export function globalIdOf(raw: unknown): string | undefined {
  return /^[^?\s]+\?id=\d+$/.exec(textOf(raw))?.[0]
}

type TecRecord = TecEvent | TecVenue | TecOrganizer

/** What all records share. */
export function shared(
  { id, global_id, slug, description, date: localDate, date_utc, modified_utc, image }: TecRecord,
  status: Status,
  site: string,
  place: Place,
) {
  const date = textOf(date_utc)
  const local = textOf(localDate)
  return {
    ...place,
    source: globalIdOf(global_id) ?? `${site}?id=${id}`,
    slug: textOf(slug),
    description: unrendered(textOf(description)),
    status,
    publishedAt: isWall(date) ? date : (undefined as Wall | undefined),
    draftedAt: !isWall(date) && isWall(local) ? local : (undefined as Wall | undefined),
    modifiedAt: textOf(modified_utc),
    hasImage: isObject(image) || (typeof image === 'string' && image !== ''),
  }
}

/**
 * A website as we keep it. The source keeps what was typed: `beltline.org` is read as an address, and what is none is
 * left out. Where there is none it shows the record's own page.
 */
export function readWebsite(raw: unknown, ownPage: unknown, schemes: readonly string[]) {
  const sent = decodeEntities(textOf(raw)).trim()
  if (sent === '') return { url: '', isOwnPage: false, remarks: [] }
  const isBareHost = /^[a-z\d-]+(\.[a-z\d-]+)+([/?#:]|$)/i.test(sent)
  const url = urlOf(isBareHost ? `http://${sent}` : sent, schemes) ?? ''
  const remarks = url === '' ? [`the website “${sent}” is not a web address and was left out`] : []
  return { url, isOwnPage: url !== '' && url === textOf(ownPage), remarks }
}

/** The text that was sent, a number in digits, or `''` for null, false and nothing. */
export function textOf(raw: unknown): string {
  return typeof raw === 'string' || typeof raw === 'number' ? String(raw) : ''
}

export function lineOf(raw: unknown): string {
  return plainText(decodeEntities(textOf(raw)))
}
