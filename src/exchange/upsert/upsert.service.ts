import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RawParameters } from '../../access/http/argument.ts'
import type { Config } from '../../base/config/config.ts'
import type { Language } from '../../base/languages/language.ts'
import { fail } from '../../base/problems.ts'
import type { WriteContext } from '../../calendar/records/write.context.ts'
import {
  listNamed,
  markGone,
  markSeen,
  type NamedRecord,
  type NewName,
  saveNames,
} from '../../calendar/sources/source.repository.ts'
import { claimSource } from '../../calendar/sources/source.service.ts'
import { changedFields, rememberedStanding } from '../../calendar/sources/standing.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db } from '../../storage/database/tables.ts'
import type { NewItem, SentValues, UpsertKind } from './upsert.kind.ts'

// Records that are written by the ids of their sources: docs/decisions/0053-names-of-senders.md.

/** A record as a source sends it. */
export interface SentItem extends NewItem {
  /** Digest of what was sent; '' if it must be written in any case. */
  readonly digest: string
}

/** The source of some records, and how they are written. */
export interface UpsertSource {
  readonly kind: UpsertKind
  readonly name: string
  /** The language of new records. */
  readonly language: Language
  /** Whether edits that were made here are overwritten. */
  readonly isForced: boolean
  readonly dialect: Dialect
}

/** What was done with a record. */
export interface UpsertResult {
  readonly id: number
  readonly outcome: 'created' | 'changed' | 'unchanged'
  /** The sent arguments that were not written, because they were edited here. */
  readonly kept: readonly string[]
}

const maxDepth = 20
/** Parameters that say nothing about the record. */
const notOfRecord = ['force', 'dry_run', 'source', 'external_id', 'kind']

/**
 * Returns the digest by which a source's next write is compared; '' if it contains a password, which could be guessed
 * from it.
 *
 * @throws rest_invalid_json, if the values are nested too deeply
 */
export function digestOfSent(sent: RawParameters, { languageParameter }: Pick<Config, 'languageParameter'>): string {
  const without = [...notOfRecord, languageParameter]
  const names = Object.keys(sent)
    .filter((name) => !without.includes(name))
    .toSorted()
  if (!names.every((name) => isShallow(sent[name], maxDepth))) fail('rest_invalid_json')
  if (names.includes('event_password')) return ''
  return hash('sha256', JSON.stringify(names.map((name) => [name, sent[name]])))
}

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.values(value).every((inner) => isShallow(inner, depth - 1))
}

/** Whether a record stays as it is, because its source sends the same again. */
export function isSentAgain(
  { digest }: Pick<SentItem, 'digest'>,
  known: NamedRecord | undefined,
  isForced: boolean,
): boolean {
  return known !== undefined && !isForced && !known.isGone && digest !== '' && known.digest === digest
}

/**
 * Creates or changes records, each named once, or leaves those alone that their source sends again.
 *
 * @throws source-of-another-user, and what the creation and the change of such a record throw
 */
export async function upsertItems(
  write: WriteContext,
  source: UpsertSource,
  items: readonly SentItem[],
): Promise<readonly UpsertResult[]> {
  const { tx, now } = write
  const { kind, name, isForced } = source
  await claimSource(write, name)
  const at = now()
  const names = { kind: kind.kind, name, at }
  const known = await listNamed(
    tx,
    names,
    items.map(({ externalId }) => externalId),
  )
  const results = new Map<string, UpsertResult>()
  const seen: string[] = []
  const added: SentItem[] = []
  for (const item of items) {
    const named = known.get(item.externalId)
    if (!named) {
      added.push(item)
    } else if (isSentAgain(item, named, isForced)) {
      seen.push(item.externalId)
      results.set(item.externalId, { id: named.id, outcome: 'unchanged', kept: [] })
    } else {
      // Requests that read do not wait for all of them.
      if (items.length > 1) await nextTurn()
      const result = await changeItem(write, source, { item, named })
      if (result.outcome === 'unchanged') seen.push(item.externalId)
      results.set(item.externalId, result)
    }
  }
  await markSeen(tx, names, seen)
  if (added.length > 0) {
    const ids = await kind.create(write, source, added)
    const standings = await kind.standings(tx, source.dialect, ids)
    const rows = added.map((item, place): NewName => {
      const id = ids[place] as number
      results.set(item.externalId, { id, outcome: 'created', kept: [] })
      return nameOf(item, { id, standing: standings.get(id) ?? {} })
    })
    await saveNames(tx, names, rows)
  }
  return items.map(({ externalId }) => results.get(externalId) as UpsertResult)
}

function nameOf(
  { externalId, digest, values }: SentItem,
  { id, standing, url = '' }: Pick<NewName, 'id' | 'standing'> & { readonly url?: string },
): NewName {
  return { id, externalId, digest, standing, url: (values.source_url as string | undefined) ?? url }
}

/** Changes a record. What was edited here is kept, unless the source forces it. */
async function changeItem(
  write: WriteContext,
  source: UpsertSource,
  { item, named }: { readonly item: SentItem; readonly named: NamedRecord },
): Promise<UpsertResult> {
  const { tx, now } = write
  const { kind, name, isForced, dialect } = source
  const { id } = named
  const { status, isCanceled } = await kind.find(tx, id)
  if (status === 'trash') {
    // An editor has put it there, and not its source.
    if (!named.isGone && !isForced) return { id, outcome: 'unchanged', kept: ['status'] }
    await kind.restore(write, id)
  }
  const standing = (await kind.standings(tx, dialect, [id])).get(id) ?? {}
  const edited = new Set(changedFields(named.standing, standing))
  if (isForced && edited.size === 0 && status !== 'trash' && isSentAgain(item, named, false)) {
    return { id, outcome: 'unchanged', kept: [] }
  }
  const isReopened = named.isGone && isCanceled
  // A sweep has canceled it.
  if (isReopened) edited.delete('event_status')
  const reopened = isReopened ? { event_status: 'scheduled' } : {}
  const { written, kept } = withoutEdited({ ...reopened, ...item.values }, kind, isForced ? new Set() : edited)
  await kind.change(write, id, written)
  const after = (await kind.standings(tx, dialect, [id])).get(id) ?? {}
  // What was sent by force is no longer an edit; what was not sent still is.
  const stillEdited = isForced ? new Set([...edited].filter((field) => !isSent(kind, field, item.values))) : edited
  const row = nameOf(item, { id, standing: rememberedStanding(named.standing, after, stillEdited), url: named.url })
  await saveNames(tx, { kind: kind.kind, name, at: now() }, [row])
  return { id, outcome: 'changed', kept }
}

function isSent({ fields }: UpsertKind, field: string, values: SentValues): boolean {
  return fields[field]?.args.some((argument) => values[argument] !== undefined) ?? false
}

/** Returns the values without those of fields that were edited here, and the names of these. */
function withoutEdited(values: SentValues, { fields }: UpsertKind, edited: ReadonlySet<string>) {
  const names = new Set([...edited].flatMap((field) => fields[field]?.args ?? []))
  const sent = Object.entries(values).filter(([, value]) => value !== undefined)
  return {
    written: Object.fromEntries(sent.filter(([name]) => !names.has(name))),
    kept: sent.flatMap(([name]) => (names.has(name) ? [name] : [])),
  }
}

/** The name of one record. */
type OneName = Pick<UpsertSource, 'kind' | 'name'> & { readonly externalId: string }

/** @throws external-id-not-found */
export async function findNamedOrFail(db: Db, { kind, name, externalId }: OneName): Promise<NamedRecord> {
  const found = await listNamed(db, { kind: kind.kind, name }, [externalId])
  return found.get(externalId) ?? fail('external-id-not-found')
}

/**
 * Moves a record to the trash, because its source has it no longer. Doing it again has no effect.
 *
 * @throws external-id-not-found, rest_forbidden
 */
export async function removeItem(write: WriteContext, one: OneName): Promise<{ readonly id: number }> {
  const { tx, now } = write
  const { kind, name, externalId } = one
  const { id } = await findNamedOrFail(tx, one)
  if ((await kind.find(tx, id)).status !== 'trash') await kind.trash(write, id)
  await markGone(tx, { kind: kind.kind, name, at: now() }, [externalId])
  return { id }
}
