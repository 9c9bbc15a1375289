import { createReadStream } from 'node:fs'
import { copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { isStoredName, type PictureStore } from './picture.store.ts'

/** Stores picture files in a local folder. */
export function folderStore(folder: string): PictureStore {
  const pathOf = (name: string) => {
    if (!isStoredName(name)) throw new Error(`“${name}” is no name of a stored file.`)
    return join(folder, ...name.split('/'))
  }
  return {
    write: async (name, localFile) => {
      const path = pathOf(name)
      const firstMade = await mkdir(dirname(path), { recursive: true })
      // The first picture of a month creates folders for the month and maybe the year. They must survive a loss of
      // power too.
      if (firstMade !== undefined) {
        for (let made = dirname(path); made.length >= firstMade.length; made = dirname(made))
          await fsyncPath(dirname(made))
      }
      // The file gets its name once it is on the disk, so it is stored completely or not at all.
      const unfinished = `${path}.part`
      await copyFile(localFile, unfinished)
      await fsyncPath(unfinished)
      await rename(unfinished, path)
      await fsyncPath(dirname(path))
    },
    find: async (name) => {
      const path = pathOf(name)
      const found = await stat(path).catch(undefinedWhereMissing)
      if (!found?.isFile()) return undefined
      return {
        sizeBytes: found.size,
        read: async (range) => createReadStream(path, range ? { start: range.first, end: range.last } : {}),
      }
    },
    remove: (name) => rm(pathOf(name), { force: true }),
    list: async function* () {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(undefinedWhereMissing)
      for (const entry of entries ?? []) {
        const path = join(entry.parentPath, entry.name)
        const name = relative(folder, path).split(sep).join('/')
        const found = entry.isFile() && isStoredName(name) ? await stat(path).catch(undefinedWhereMissing) : undefined
        if (found) yield { name, storedAt: Math.floor(found.mtimeMs / 1000) }
      }
    },
  }
}

/** Waits until a file, or the directory entries of a folder, are on the disk. */
export async function fsyncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function undefinedWhereMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
  throw error
}
