import type { Storage } from '../../src/storage/database/storage.ts'

/** The same storage by handles that are new each time: nothing that was read before is kept for them. */
export function withoutReadCache(storage: Storage): Storage {
  return {
    ...storage,
    get db() {
      return storage.db.withoutPlugins()
    },
    forRequest: (request) => withoutReadCache(storage.forRequest(request)),
  }
}
