/** A link with which a person chooses a password. */
export interface AccessLinkTable {
  user_id: number
  kind: string
  /** SHA-256 of the secret in the link, hex. */
  digest: string
  expires_at: number
  used_at: number | null
}
