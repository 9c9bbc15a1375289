import type { Storage, StorageRequest } from '../storage.ts'

/** Returns the storage with `beforeWrite` run at the start of each write. */
export function withBeforeWrite(storage: Storage, beforeWrite: StorageRequest['beforeWrite']): Storage {
  if (!beforeWrite) return storage
  return withWrites(
    storage,
    (write) => (work) =>
      write(async (tx) => {
        await beforeWrite(tx)
        return work(tx)
      }),
  )
}

/** Returns the storage with other writes. Its `db` may change while a write is held (`held.write.ts`), so it is not copied. */
export function withWrites(storage: Storage, change: (write: Storage['write']) => Storage['write']): Storage {
  return {
    ...storage,
    get db() {
      return storage.db
    },
    write: change(storage.write),
    writeWithoutRevision: change(storage.writeWithoutRevision),
  }
}
