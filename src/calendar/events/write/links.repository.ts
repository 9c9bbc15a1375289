import { sql } from 'kysely'
import { compiledStatement } from '../../../storage/database/statements/compiled.statement.ts'
import type { Db, RecordRow } from '../../../storage/database/tables.ts'
import type { DirectoryKind } from '../../directory/directory.ts'

/** A venue or an organizer that an event may link to. */
export interface LinkableEntry {
  readonly id: number
  readonly kind: DirectoryKind
  /** Id of the original of its translations: what a link names. */
  readonly groupId: number
  /** Whether any version of it is a draft or pending. */
  readonly isUnpublished: boolean
}

interface EntryRow {
  readonly id: number
  readonly kind: RecordRow['kind']
  readonly group_id: number | null
  readonly unpublished: number
}

/** Returns the venues and organizers with these ids. Runs one query. */
export async function listLinkableEntries(db: Db, ids: readonly number[]): Promise<readonly LinkableEntry[]> {
  // With a condition on the kind, SQLite would read all venues and organizers.
  return (await entryRows(db, { ids })).flatMap(({ id, kind, group_id, unpublished }) =>
    kind === 'venue' || kind === 'organizer'
      ? [{ id, kind, groupId: group_id ?? id, isUnpublished: unpublished > 0 }]
      : [],
  )
}

const entryRows = compiledStatement<{ readonly ids: readonly number[] }, EntryRow>(
  ({ ids }, dialect) => sql<EntryRow>`
    select given.id, given.kind, given.group_id,
      case when given.status in ('draft', 'pending') or exists (
        select 1 from records version where version.group_id = given.group_id and version.status in ('draft', 'pending')
      ) then 1 else 0 end as unpublished
    from records given where ${dialect.isAmong(sql.ref('given.id'), ids)}`,
)

/** Whether any version of a venue or organizer of these events is a draft or pending. Runs one query. */
export async function hasUnpublishedLinks(db: Db, eventIds: readonly number[]): Promise<boolean> {
  const { rows } = await sql`
    select 1 from (
      select venue_id as id from event_venues where event_id in (${sql.join(eventIds)})
      union select organizer_id from event_organizers where event_id in (${sql.join(eventIds)})
    ) linked
    join records given on given.id = linked.id
    join records version on version.id = given.id or version.group_id = given.group_id
    where version.status in ('draft', 'pending') limit 1`.execute(db)
  return rows.length > 0
}
