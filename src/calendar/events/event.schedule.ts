import { findActor } from '../../access/auth/user.repository.ts'
import type { Deps } from '../../access/deps.ts'
import { listDueRecords, updateRecord } from '../records/record.repository.ts'
import type { RecordId } from '../records/record.ts'
import { findEvent } from './event.repository.ts'
import { publishLinkedDrafts, setPublication } from './event.service.ts'

const batchSize = 100

/** Whether there is a record whose time has come. It costs one search in an index. */
export async function hasDueRecords({ storage, now }: Deps): Promise<boolean> {
  return (await listDueRecords(storage.db, now(), 1)).length > 0
}

/** Publishes the records whose time has come, up to a bounded number. @returns whether there are more. */
export async function publishBatch(deps: Deps): Promise<boolean> {
  return (await publishDue(deps)) === batchSize
}

/**
 * Publishes the records whose time has come, a bounded number per transaction.
 *
 * @returns how many were published.
 */
export async function publishDue({ config, storage, now }: Deps): Promise<number> {
  const due = await listDueRecords(storage.db, now(), batchSize)
  if (due.length === 0) return 0
  return storage.write(async (tx) => {
    // Asked again inside: another process may have been quicker.
    const still = await listDueRecords(tx, now(), batchSize)
    for (const { id, kind } of still) {
      if (kind === 'event') {
        const event = await findEvent(tx, id)
        if (!event) continue
        await setPublication({ tx, now }, event, { ...event, status: 'publish' })
        // Nobody asks now: what goes live with it is what its author may change.
        const actor = await findActor(tx, event.authorId)
        await publishLinkedDrafts({ tx, actor, config, now }, { ...event, status: 'publish' })
      } else {
        await updateRecord(tx, id as RecordId, { status: 'publish', modified_at: now() })
      }
    }
    return still.length
  })
}
