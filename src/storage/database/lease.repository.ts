import { sql } from 'kysely'
import type { Db, Tx } from './tables.ts'

// The table `leases` says which process runs a job on behalf of all processes, and until when, and which user has an
// event open. It is not content, and a copy of the content omits it.

/** The right of one process to run a job, or a user who has something open. */
export interface Lease {
  /** Name of the job, or of what is open. */
  readonly name: string
  /** Id of the process, which is unique, or name of the user. */
  readonly holder: string
}

/**
 * Whether another process holds the lease now. This only reads: a caller that finds no lease takes it with
 * `acquireLease`.
 */
export async function isLeasedByOther(db: Db, { name, holder }: Lease, now: number): Promise<boolean> {
  const { rows } = await sql`select 1 from leases
    where name = ${name} and holder <> ${holder} and expires_at > ${now}`.execute(db)
  return rows.length > 0
}

/**
 * Takes or extends the lease, unless another process holds one that has not expired.
 *
 * @returns Whether the lease is now held by this process.
 */
export async function acquireLease(
  tx: Tx,
  { name, holder }: Lease,
  { now, expiresAt }: { readonly now: number; readonly expiresAt: number },
): Promise<boolean> {
  const { rows } = await sql`
    insert into leases (name, holder, expires_at) values (${name}, ${holder}, ${expiresAt})
    on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
      where leases.holder = excluded.holder or leases.expires_at <= ${now}
    returning name`.execute(tx)
  return rows.length > 0
}

/** Releases the lease if this process still holds it. */
export async function releaseLease(tx: Tx, { name, holder }: Lease): Promise<void> {
  await sql`delete from leases where name = ${name} and holder = ${holder}`.execute(tx)
}

/** Returns the leases that have not expired, whose names begin with a text that ends in a blank. */
export async function listLeases(
  db: Db,
  start: string,
  now: number,
): Promise<readonly (Lease & { readonly expiresAt: number })[]> {
  const { rows } = await sql<{ name: string; holder: string; expires_at: number }>`
    select name, holder, expires_at from leases
    where name >= ${start} and name < ${after(start)} and expires_at > ${now} order by name`.execute(db)
  return rows.map(({ name, holder, expires_at: expiresAt }) => ({ name, holder, expiresAt: Number(expiresAt) }))
}

/** Removes leases that have expired, whose names begin with a text that ends in a blank. */
export async function removeExpiredLeases(tx: Tx, start: string, now: number): Promise<void> {
  await sql`delete from leases
    where name >= ${start} and name < ${after(start)} and expires_at <= ${now}`.execute(tx)
}

/** The character after a blank is the exclamation mark. */
const after = (start: string) => `${start.slice(0, -1)}!`
