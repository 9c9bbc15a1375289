import type { Media, MediaUsage } from '../api/answers.ts'
import type { OwnCall } from './desk.call.ts'

/** A picture with what shows it. */
export type PictureJson = MediaUsage['items'][number]

/** Reads a page of the library. */
export async function readPictures(
  { api }: Pick<OwnCall, 'api'>,
  query: Readonly<Record<string, string | number | undefined>>,
): Promise<MediaUsage> {
  const { status, body } = await api.service<MediaUsage>({ path: '/media/usage', query })
  return status === 200 ? body : { items: [], total: 0, total_pages: 0 }
}

/** Returns the address of the small form of a picture. */
export function thumbnailOf({ sizes, url }: Pick<Media, 'sizes' | 'url'>): string {
  return sizes?.thumbnail?.url ?? url
}
