import type { Storage, StorageRequest } from './storage.ts'

/** Returns the storage with `beforeWrite` run at the start of each write. */
export function withBeforeWrite(storage: Storage, beforeWrite: StorageRequest['beforeWrite']): Storage {
  if (!beforeWrite) return storage
  const within =
    (write: Storage['write']): Storage['write'] =>
    (work) =>
      write(async (tx) => {
        await beforeWrite(tx)
        return work(tx)
      })
  return { ...storage, write: within(storage.write), writeWithoutRevision: within(storage.writeWithoutRevision) }
}
