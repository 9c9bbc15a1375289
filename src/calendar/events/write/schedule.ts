import { findActor } from '../../../access/auth/user.repository.ts'
import type { Deps } from '../../../access/deps.ts'
import { listDueRecords, updateRecord } from '../../records/record.repository.ts'
import type { RecordId } from '../../records/record.ts'
import { findEvent } from '../event.repository.ts'
import { publishLinkedDrafts, setPublication } from './event.service.ts'

const batchSize = 100

/** Whether a record is due for publication. Costs one index lookup. */
export async function hasDueRecords({ storage, now }: Deps): Promise<boolean> {
  return (await listDueRecords(storage.db, now(), 1)).length > 0
}

/** Publishes records that are due, up to a fixed number. @returns whether more are due. */
export async function publishBatch(deps: Deps): Promise<boolean> {
  return (await publishDue(deps)) === batchSize
}

/**
 * Publishes records that are due, a fixed number in each transaction.
 *
 * @returns how many were published.
 */
export async function publishDue({ config, storage, now }: Deps): Promise<number> {
  const due = await listDueRecords(storage.db, now(), batchSize)
  if (due.length === 0) return 0
  return storage.write(async (tx) => {
    // Reads the due records again in the transaction, because another process may have published some of them.
    const still = await listDueRecords(tx, now(), batchSize)
    for (const { id, kind } of still) {
      if (kind === 'event') {
        const event = await findEvent(tx, id)
        if (!event) continue
        await setPublication({ tx, now }, event, { ...event, status: 'publish' })
        // This write has no caller. The author of the event decides which linked drafts may go live with it.
        const actor = await findActor(tx, event.authorId)
        await publishLinkedDrafts({ tx, actor, config, now }, { ...event, status: 'publish' })
      } else {
        await updateRecord(tx, id as RecordId, { status: 'publish', modified_at: now() })
      }
    }
    return still.length
  })
}
