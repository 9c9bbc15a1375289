import type { Insertable, Kysely, Selectable, Transaction, Updateable } from 'kysely'
import type { contentTables } from './schema/schema.ts'
import type { ColumnsOf } from './schema/table.ts'

export type { Flag } from './schema/table.ts'

/** The pool, or an open transaction. Sufficient to read. */
export type Db = Kysely<Tables>
/** An open transaction. Required to write. `Db` is not assignable to it. */
export type Tx = Transaction<Tables>

type ContentTables = typeof contentTables

/** The tables that Kysely builds statements for. `schema/` describes them. */
export type Tables = { [Name in keyof ContentTables]: ColumnsOf<ContentTables[Name]> }

export type Row<Name extends keyof Tables> = Selectable<Tables[Name]>

export type RecordRow = Row<'records'>
export type NewRecordRow = Insertable<Tables['records']>
export type RecordChanges = Updateable<Tables['records']>
export type EventRow = Row<'events'>
export type TermRow = Row<'terms'>
export type AuditRow = Row<'audit'>
export type UserRow = Row<'users'>
export type KeyRow = Row<'application_passwords'>
export type MergedKind = Row<'merged_items'>['kind']
