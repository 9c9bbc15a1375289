import { id, instant, numbered, table, text } from './table.ts'

export const users = table(
  {
    id: numbered(),
    name: text().audited('name'),
    /** Lower-case name. Names are compared case-insensitively. */
    name_folded: text().unique(),
    email: text().audited('email'),
    role: text().audited('role'),
    created_at: instant(),
    /** Number of the last write that the user requested. 0 on engines without replicas. */
    last_revision: id().optional(0),
  },
  { indexes: { email: '(email)' } },
)

/** Keys of programs. */
export const application_passwords = table(
  {
    id: numbered(),
    user_id: id().references('users.id', 'cascade'),
    label: text(),
    scope: text<'read' | 'plan' | 'write'>().optional('write'),
    /** SHA-256 of the normalised secret, hex. */
    digest: text(),
    created_at: instant(),
    /** Null: never. */
    expires_at: instant().nullable().optional(),
    /** Accurate to a few minutes. Null: not used since this is recorded. */
    last_used_at: instant().nullable().optional(),
    /** Digest of the secret before the last rotation, and the time when it expires. */
    previous_digest: text().nullable().optional(),
    previous_until: instant().nullable().optional(),
    /**
     * Ids of the keys that led to this key, in order, each between blanks: ` 4 12 `. They may be gone. Null: no key did,
     * or this key was made before this was recorded.
     */
    makers: text().nullable().optional(),
  },
  {
    indexes: { user: '(user_id, digest)' },
    // A token comes without a user name, so its digest alone identifies the user.
    uniqueIndexes: { digest: '(digest)', previous_digest: '(previous_digest)' },
  },
)

/** Passwords for signing in with a browser. */
export const account_passwords = table({
  user_id: id().key().references('users.id', 'cascade'),
  /** PHC string of the password. */
  hash: text().audited('account_password'),
  changed_at: instant(),
})

/** Signed-in sessions of browsers. */
export const sessions = table(
  {
    id: numbered(),
    user_id: id().references('users.id', 'cascade'),
    /** SHA-256 of the token that the browser holds, hex. */
    digest: text().unique(),
    created_at: instant(),
    /** Accurate to a few minutes. */
    last_seen_at: instant(),
    /** Expiry time, regardless of activity. */
    expires_at: instant(),
  },
  { indexes: { user: '(user_id, id)', expiry: '(expires_at)' } },
)

/** Links with which people choose their password: at most one for each user. */
export const access_links = table({
  user_id: id().key().references('users.id', 'cascade'),
  kind: text(),
  /** SHA-256 of the secret in the link, hex. */
  digest: text().unique().audited('password_link'),
  expires_at: instant(),
  used_at: instant().nullable(),
})

/** Filters of lists that people keep. */
export const saved_views = table(
  {
    id: numbered(),
    user_id: id().references('users.id', 'cascade'),
    name: text(),
    /** The filter, as a query string. */
    query: text(),
    /** Number of changes of the view. */
    change_count: id().optional(0),
    modified_at: instant(),
  },
  { unique: { name: ['user_id', 'name'] } },
)

/** Writes that users have requested under idempotency keys. */
export const idempotency_keys = table(
  {
    user_id: id().references('users.id', 'cascade'),
    /** SHA-256 of the key. */
    digest: text(),
    /** SHA-256 of everything that the write depended on. */
    request: text(),
    /** JSON: what is needed to show the result again. */
    result: text(),
    used_at: instant(),
  },
  { key: ['user_id', 'digest'], indexes: { used: '(used_at)' } },
)
