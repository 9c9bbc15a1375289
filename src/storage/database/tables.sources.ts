/** The import source of a record or a term. One of the two ids is set. */
export interface ImportedRecordTable {
  kind: 'event' | 'venue' | 'organizer' | 'category' | 'tag'
  /** Id that is the same for every reader of the source. */
  source: string
  record_id: number | null
  term_id: number | null
  /** SHA-256 of the imported data, hex. Unchanged data is skipped. */
  digest: string
  /** Whole days by which the import moved an event. */
  shift_days: number
  imported_at: number
  /** The source that has sent it over HTTP; null if the command line has imported it. */
  source_name: string | null
  /** Its page at the source. */
  url: string | null
  /** JSON: a digest of each field as it was stored after the last write of the source. */
  standing: string | null
  /** When the source last sent it, even if nothing had changed. */
  seen_at: number | null
  /** When the source removed it, or a sweep found that the source has it no longer. */
  gone_at: number | null
}

/** A source and the user who first wrote it. */
export interface SourceTable {
  name: string
  /** Null if the user was removed. */
  user_id: number | null
  created_at: number
}
