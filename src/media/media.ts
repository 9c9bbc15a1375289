/** A picture and the sizes it was made in. Files are paths below the uploads folder. */
export interface Picture {
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
