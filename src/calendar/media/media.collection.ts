import type { Deps } from '../../access/deps.ts'
import { listFilesInUse, listUnusedPictures, removeMedia } from './media.repository.ts'
import { filesOf } from './media.ts'

/** The result of a collection. Unless it was a dry run, the items are removed. */
export interface CollectionResult {
  /** Pictures that no record shows. */
  readonly pictures: number
  /** Their files, and files that belong to no picture. */
  readonly files: number
}

export interface CollectionOptions {
  /** Younger items are kept, because somebody may be about to use them. */
  readonly graceSeconds: number
  readonly isDry: boolean
  readonly onFile?: (name: string) => void
}

const batchSize = 100

/** Removes pictures that no record shows, and files that interrupted uploads left. */
export async function collectUnused(
  deps: Deps,
  { graceSeconds, isDry, onFile }: CollectionOptions,
): Promise<CollectionResult> {
  const before = deps.now() - graceSeconds
  const remove = async (name: string) => {
    onFile?.(name)
    if (!isDry) await deps.pictures.store.remove(name)
  }
  let pictures = 0
  let files = 0
  let lastId = 0
  for (;;) {
    const unused = await listUnusedPictures(deps.storage.db, { before, afterId: lastId, limit: batchSize })
    const last = unused.at(-1)
    if (!last) break
    lastId = last.id
    for (const picture of unused) {
      const isRemoved = isDry || (await deps.storage.write((tx) => removeMedia(tx, picture.id, { isUnused: true })))
      if (!isRemoved) continue
      pictures += 1
      for (const name of filesOf(picture)) {
        await remove(name)
        files += 1
      }
    }
  }
  for await (const names of storedFileBatches(deps, before)) {
    const known = await listFilesInUse(deps.storage.db, names.map(originalOf))
    for (const name of names) {
      if (known.has(originalOf(name))) continue
      await remove(name)
      files += 1
    }
  }
  return { pictures, files }
}

async function* storedFileBatches({ pictures }: Deps, before: number): AsyncGenerator<readonly string[]> {
  let batch: string[] = []
  for await (const { name, storedAt } of pictures.store.list()) {
    if (storedAt >= before) continue
    batch.push(name)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  yield batch
}

/** Returns the original file of this size, or the name itself if it is an original. */
function originalOf(name: string): string {
  return name.replace(/-\d+x\d+(?=\.\w+$)/, '')
}
