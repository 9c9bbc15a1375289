import type { TileArchive } from './tile.ts'

/** The archive that the settings name. */
export interface Streets {
  /**
   * Opens it when it is first needed, once.
   *
   * @throws ConfigError that says what is wrong with the file.
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

/** What reads archives is loaded where there is one. */
async function open(path: string): Promise<TileArchive> {
  const { openTileArchive } = await import('./tile.archive.ts')
  return openTileArchive(path)
}
