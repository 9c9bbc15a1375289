import type { TileArchive } from './tile.ts'

/** The tile archive that the settings name. */
export interface Streets {
  /**
   * Opens the archive on first use, once.
   *
   * @throws ConfigError with a message that says what is wrong with the file.
   */
  archive(): Promise<TileArchive | undefined>
  close(): Promise<void>
}

export function createStreets({ mapPmtiles: file }: { readonly mapPmtiles: string | undefined }): Streets {
  let opened: Promise<TileArchive> | undefined
  return {
    archive: async () => {
      if (file === undefined) return undefined
      opened ??= open(file).catch((error: unknown) => {
        opened = undefined
        throw error
      })
      return opened
    },
    close: async () => {
      const archive = await opened?.catch(() => undefined)
      opened = undefined
      await archive?.close()
    },
  }
}

/** Loads the archive reader only if an archive is configured. */
async function open(path: string): Promise<TileArchive> {
  const { openTileArchive } = await import('./tile.archive.ts')
  return openTileArchive(path)
}
