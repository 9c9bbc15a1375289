/**
 * How the audit log shows a stored value: unchanged, as a boolean, as the stored JSON, as a time, or only as present.
 */
export type AuditFormat = 'plain' | 'flag' | 'json' | 'instant' | 'secret'

/** A column whose changes the audit log shows. */
export interface AuditedColumn {
  readonly column: string
  readonly format: AuditFormat
}

/** The audited columns of a table, by their names in the audit log. */
export type AuditedColumns = Readonly<Record<string, AuditedColumn>>

/** A table whose rows are each one of several parts of an item, such as a venue of an event. */
export interface AuditedParts {
  /** The name of all parts together in the audit log. */
  readonly field: string
  /**
   * `links`: ids in the order of their positions. A write always replaces all of them. `ids` and `labels`: only the
   * rows that were added, removed or renewed, by id, or by id and label.
   */
  readonly shownAs: 'links' | 'ids' | 'labels'
}

/**
 * What the audit log shows of each table. Storage itself knows no fields, so the caller that opens a database provides
 * them. Anything not listed here is not shown, so a forgotten column discloses nothing.
 */
export interface AuditedTables {
  readonly items: Readonly<Record<string, AuditedColumns>>
  readonly parts: Readonly<Record<string, AuditedParts>>
}
