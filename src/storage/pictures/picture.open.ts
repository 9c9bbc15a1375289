import type { MediaLocation } from '../../base/config/media.ts'
import type { PictureStore } from './picture.store.ts'

/** Opens the picture store. Loads the modules of a kind of store only if it is used. */
export async function openPictureStore(place: MediaLocation): Promise<PictureStore> {
  if (place.kind === 's3') return (await import('./picture.s3.ts')).s3Store(place)
  return (await import('./picture.folder.ts')).folderStore(place.folder)
}
