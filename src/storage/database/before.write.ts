import type { Storage, StorageRequest } from './storage.ts'

/** The storage with each of its writes begun by this. */
export function begunBy(storage: Storage, beforeWrite: StorageRequest['beforeWrite']): Storage {
  if (!beforeWrite) return storage
  const within =
    (write: Storage['write']): Storage['write'] =>
    (work) =>
      write(async (tx) => {
        await beforeWrite(tx)
        return work(tx)
      })
  return { ...storage, write: within(storage.write), writeAside: within(storage.writeAside) }
}
