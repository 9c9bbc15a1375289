import type { Deps } from '../../access/deps.ts'
import { Problem } from '../../base/problems.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import { findUndo, hasUndoBefore, removeUndosBefore } from './undo.repository.ts'
import { type Undo, type UndoOperation, undoDays } from './undo.ts'

const daySeconds = 86_400
const removedAtOnce = 10

/** Plans an operation and carries it out in one transaction, or only plans it. */
export async function planned<P extends object, R extends object>(
  { storage }: Pick<Deps, 'storage'>,
  isDry: boolean,
  { plan, carryOut }: { readonly plan: (db: Db) => Promise<P>; readonly carryOut: (tx: Tx, plan: P) => Promise<R> },
): Promise<P & Partial<R>> {
  if (isDry) return plan(storage.db)
  return storage.write(async (tx) => {
    const planned = await plan(tx)
    return { ...planned, ...(await carryOut(tx, planned)) }
  })
}

/** @throws rest_invalid_param if an operation means more events than it may change */
export function assertFew(parameter: 'where' | 'id', count: number, most: number): void {
  if (count <= most) return
  const values = { most: String(most), count: String(count) }
  throw new Problem('rest_invalid_param', { faults: { [parameter]: { text: 'fault.too-many-events', values } } })
}

/** Returns the last second of an operation of now that can be undone. */
export function undoableUntil(at: number): number {
  return at + undoDays * daySeconds
}

export function oldestUndoable(at: number): number {
  return at - undoDays * daySeconds
}

/** Returns an operation that can be undone. */
export async function findUndoable<D>(
  { db, at }: { readonly db: Db; readonly at: number },
  operation: UndoOperation,
  id: number,
): Promise<Undo<D> | undefined> {
  return findUndo(db, operation, { id, since: oldestUndoable(at) })
}

/** Whether there are operations that can no longer be undone. */
export async function hasOldUndos({ storage, now }: Deps): Promise<boolean> {
  return hasUndoBefore(storage.db, oldestUndoable(now()))
}

/** Removes a limited number of operations that can no longer be undone. @returns whether there may be more. */
export async function removeOldUndos({ storage, now }: Deps): Promise<boolean> {
  const removed = await storage.write((tx) => removeUndosBefore(tx, oldestUndoable(now()), removedAtOnce))
  return removed === removedAtOnce
}
