import type { Storage } from '../../src/storage/database/storage.ts'

/** Returns the same storage with new handles for each access, so that the data cache has no entry for them. */
export function withoutReadCache(storage: Storage): Storage {
  return {
    ...storage,
    get db() {
      return storage.db.withoutPlugins()
    },
    forRequest: (request) => withoutReadCache(storage.forRequest(request)),
  }
}
