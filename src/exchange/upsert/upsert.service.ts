import { hash } from 'node:crypto'
import type { RawParameters } from '../../access/http/arguments/argument.ts'
import { giveWay } from '../../base/concurrency/turns.ts'
import type { Config } from '../../base/config/config.ts'
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
import type { Db } from '../../storage/database/tables.ts'
import type { SentKind, SentValues, SourceItem, UpsertKind, UpsertSource } from './upsert.kind.ts'

// Records that are written by the ids of their sources: docs/decisions/0053-names-of-senders.md.

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
  { digest }: { readonly digest: string },
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
export async function upsertItems<V>(
  write: WriteContext,
  source: UpsertSource<V>,
  items: readonly SourceItem<V>[],
): Promise<readonly UpsertResult[]> {
  const { tx, now } = write
  const { kind, name } = source
  if (name !== undefined) await claimSource(write, name)
  const names = { kind: kind.kind, name, at: now() }
  const known = await listNamed(
    tx,
    kind.kind,
    items.map(({ key }) => key),
  )
  const results = new Map<string, UpsertResult>()
  const seen: string[] = []
  const rows: NewName[] = []
  const added: SourceItem<V>[] = []
  for (const item of items) {
    const named = known.get(item.key)
    if (!named) {
      added.push(item)
      continue
    }
    // Requests that read do not wait for all of them.
    if (items.length > 1) await giveWay()
    const { row, ...result } = await changeItem(write, source, { item, named })
    if (row) rows.push(row)
    else seen.push(item.key)
    results.set(item.key, result)
  }
  if (name !== undefined) await markSeen(tx, names, seen)
  if (added.length > 0) {
    const records = await kind.create(write, source, added)
    const standings = await kind.edits?.list(
      tx,
      records.map(({ id }) => id),
    )
    for (const [place, item] of added.entries()) {
      const { id, isAdopted, shiftDays = 0 } = records[place] as (typeof records)[number]
      results.set(item.key, { id, outcome: isAdopted ? 'unchanged' : 'created', kept: [] })
      rows.push({ ...nameOf(item, id), ...(standings && { standing: standings.get(id) ?? {} }), shiftDays })
    }
  }
  await saveNames(tx, names, rows)
  return items.map(({ key }) => results.get(key) as UpsertResult)
}

function nameOf<V>({ key, digest, values }: SourceItem<V>, id: number, url?: string): NewName {
  const { source_url: sentUrl = url } = values as { readonly source_url?: string }
  return { id, key, digest, ...(sentUrl !== undefined && { url: sentUrl }) }
}

/**
 * Changes a record, unless its source sends it again. What was edited here is kept, unless the source forces it.
 *
 * @returns with `row`, what to store if it was changed.
 */
async function changeItem<V>(
  write: WriteContext,
  source: UpsertSource<V>,
  { item, named }: { readonly item: SourceItem<V>; readonly named: NamedRecord },
): Promise<UpsertResult & { readonly row?: NewName }> {
  const { tx } = write
  const { kind, isForced = false } = source
  let { id } = named
  const unchanged = { id, outcome: 'unchanged', kept: [] } as const
  if (isSentAgain(item, named, isForced)) return unchanged
  const { status, isCanceled = false, modifiedAt = 0 } = (await kind.find?.(tx, id)) ?? { status: 'publish' }
  if (status === 'trash') {
    // An editor has put it there, and not its source.
    if (!named.isGone && !isForced) return { ...unchanged, kept: ['status'] }
    await kind.restore?.(write, id)
  }
  const isEdited = modifiedAt > named.importedAt && modifiedAt < (source.startedAt ?? 0)
  if (isEdited && !isForced) return { ...unchanged, kept: ['modified'] }
  const standingNow = async () => (await kind.edits?.list(tx, [id]))?.get(id) ?? {}
  const edited = new Set(changedFields(named.standing, await standingNow()))
  if (isForced && edited.size === 0 && status !== 'trash' && isSentAgain(item, named, false)) return unchanged
  const isReopened = named.isGone && isCanceled
  // A sweep has canceled it.
  if (isReopened) edited.delete('event_status')
  // It has ended a series there.
  else if (named.isGone && status !== 'trash') edited.delete('start_date')
  const reopened = isReopened ? { event_status: 'scheduled' } : {}
  const { written, kept } = withoutEdited({ ...reopened, ...item.values }, kind, isForced ? new Set() : edited)
  id = (await kind.change(write, named, written)) ?? id
  // What was sent by force is no longer an edit; what was not sent still is.
  const stillEdited = isForced ? new Set([...edited].filter((field) => !isSent(kind, field, item.values))) : edited
  const standing = kind.edits && { standing: rememberedStanding(named.standing, await standingNow(), stillEdited) }
  const row = { ...nameOf(item, id, named.url), ...standing, shiftDays: named.shiftDays }
  return { id, outcome: 'changed', kept, row }
}

function isSent<V>({ edits }: UpsertKind<V>, field: string, values: V): boolean {
  return edits?.fields[field]?.args.some((argument) => (values as SentValues)[argument] !== undefined) ?? false
}

/** Returns the values without those of fields that were edited here, and the names of these. */
function withoutEdited<V>(values: V, { edits }: UpsertKind<V>, edited: ReadonlySet<string>) {
  if (!edits) return { written: values, kept: [] }
  const names = new Set([...edited].flatMap((field) => edits.fields[field]?.args ?? []))
  const sent = Object.entries(values as SentValues).filter(([, value]) => value !== undefined)
  return {
    written: Object.fromEntries(sent.filter(([name]) => !names.has(name))) as V,
    kept: sent.flatMap(([name]) => (names.has(name) ? [name] : [])),
  }
}

/** @throws external-id-not-found */
export async function findNamedOrFail(db: Db, { kind }: Pick<SentKind, 'kind'>, key: string): Promise<NamedRecord> {
  return (await listNamed(db, kind, [key])).get(key) ?? fail('external-id-not-found')
}

/**
 * Moves a record to the trash, because its source has it no longer. Doing it again has no effect.
 *
 * @throws external-id-not-found, rest_forbidden
 */
export async function removeItem(write: WriteContext, kind: SentKind, key: string): Promise<{ readonly id: number }> {
  const { tx, now } = write
  const { id } = await findNamedOrFail(tx, kind, key)
  if ((await kind.find(tx, id)).status !== 'trash') await kind.trash(write, id)
  await markGone(tx, { kind: kind.kind, at: now() }, [key])
  return { id }
}
