import type { MediaLocation } from '../../base/config/media.ts'
import type { PictureStore } from './picture.store.ts'

/** Opens where pictures are. What a kind of store needs is loaded only where it is used. */
export async function openPictureStore(place: MediaLocation): Promise<PictureStore> {
  if (place.kind === 's3') return (await import('./picture.s3.ts')).s3Store(place)
  return (await import('./picture.folder.ts')).folderStore(place.folder)
}
