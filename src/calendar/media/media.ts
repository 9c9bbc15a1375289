import type { TextAlternatives } from './alt.text.ts'

/** A picture and its sizes. Files are paths below the uploads folder. */
export interface Picture extends TextAlternatives {
  readonly id: number
  readonly file: string
  readonly mimeType: string
  readonly extension: string
  readonly width: number
  readonly height: number
  readonly sizeBytes: number
  readonly sizes: Readonly<Record<string, PictureSize>>
}

export interface PictureSize {
  readonly file: string
  readonly mimeType: string
  readonly width: number
  readonly height: number
  readonly sizeBytes: number
}

export interface MediaItem extends Picture {
  readonly title: string
  readonly authorId: number
  /** Whole seconds since 1970, UTC. */
  readonly createdAt: number
  readonly version: number
}

export function filesOf({ file, sizes }: Pick<Picture, 'file' | 'sizes'>): readonly string[] {
  return [file, ...Object.values(sizes).map((size) => size.file)]
}
