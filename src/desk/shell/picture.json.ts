import type { OwnCall } from './desk.call.ts'

/** A picture with what shows it. */
export interface PictureJson {
  readonly media: {
    readonly id: number
    readonly url: string
    readonly title: string
    readonly width: number
    readonly height: number
    readonly author: number
    readonly alt_texts: Readonly<Record<string, string>>
    readonly decorative: boolean
    readonly sizes?: Readonly<Record<string, { readonly url: string } | undefined>>
  }
  readonly version: number
  readonly uses: number
  readonly used_by: readonly {
    readonly id: number
    readonly kind: string
    readonly title: string
    readonly status: string
  }[]
}

export interface PicturesJson {
  readonly items: readonly PictureJson[]
  readonly total: number
  readonly total_pages: number
}

/** Reads a page of the library. */
export async function readPictures(
  { api }: Pick<OwnCall, 'api'>,
  query: Readonly<Record<string, string | number | undefined>>,
): Promise<PicturesJson> {
  const { status, body } = await api.service<PicturesJson>({ path: '/media/usage', query })
  return status === 200 ? body : { items: [], total: 0, total_pages: 0 }
}

/** Returns the address of the small form of a picture. */
export function thumbnailOf({ sizes, url }: Pick<PictureJson['media'], 'sizes' | 'url'>): string {
  return sizes?.thumbnail?.url ?? url
}
