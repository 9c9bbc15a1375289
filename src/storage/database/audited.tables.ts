/**
 * How the audit log shows a stored value: as it is, as a boolean, as the JSON that it is, as a time, or only that there
 * is one.
 */
export type AuditFormat = 'plain' | 'flag' | 'json' | 'instant' | 'secret'

/** A column of which the audit log shows the changes. */
export interface AuditedColumn {
  readonly column: string
  readonly format: AuditFormat
}

/** The audited columns of a table by the names that they have in the audit log. */
export type AuditedColumns = Readonly<Record<string, AuditedColumn>>

/** A table each row of which is one of several parts of an item, such as a venue of an event. */
export interface AuditedParts {
  /** The name of all parts together in the audit log. */
  readonly field: string
  /**
   * `links`: ids in the order of their places, always written all anew. `ids` and `labels`: only those rows that were
   * added, removed or renewed, by id, or by id and label.
   */
  readonly shownAs: 'links' | 'ids' | 'labels'
}

/**
 * What the audit log shows of each table. Storage itself knows no fields: whoever opens a database says what they are.
 * What is not named here is not shown, so that a forgotten column discloses nothing.
 */
export interface AuditedTables {
  readonly items: Readonly<Record<string, AuditedColumns>>
  readonly parts: Readonly<Record<string, AuditedParts>>
}

export const nothingAudited: AuditedTables = { items: {}, parts: {} }
