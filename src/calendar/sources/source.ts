import type { RecordKind } from '../records/record.ts'

// Sources are other systems that name records by their own ids: docs/decisions/0053-names-of-senders.md.

/** A record by the id that its source gives it. */
export interface SourceName {
  readonly kind: RecordKind
  readonly name: string
  readonly externalId: string
}

/** The maximum length of an external id. */
export const maxExternalId = 255

export function isSourceName(text: string): boolean {
  return /^[a-z0-9-]{1,64}$/.test(text)
}

/** Whether a text may be an external id: visible and well-formed, with spaces only inside. */
export function isExternalId(text: string): boolean {
  return (
    text !== '' && text.length <= maxExternalId && text.isWellFormed() && text.trim() === text && !/\p{Cc}/u.test(text)
  )
}

/** Returns the key of a name. The importer has keys such as `host?id=12`, which contain no space. */
export function sourceKey({ name, externalId }: Pick<SourceName, 'name' | 'externalId'>): string {
  return `${name} ${externalId}`
}

export function externalIdOf(key: string): string {
  return key.slice(key.indexOf(' ') + 1)
}

/** Returns the site of a key: the host that the importer has read, or the name of the source. */
export function siteOfSource(key: string): string {
  return /^[^? ]*/.exec(key)?.[0] ?? ''
}
