import Type, { type Static } from 'typebox'
import { byName, count, id, ref, said, text, url } from '../../access/http/schema.ts'

const measures = {
  width: count('Image.width'),
  height: count('Image.height'),
}

/** A picture in one of its sizes. */
export const ImageSizeSchema = Type.Object(
  {
    ...measures,
    'mime-type': text('ImageSize.mime-type'),
    filesize: count('Image.filesize'),
    url: url('Image.url'),
  },
  { $id: 'ImageSize', ...said('ImageSize') },
)

/** A picture as records show it (venues-organizers.md §2.2). */
export const ImageSchema = Type.Object(
  {
    url: url('Image.url'),
    id: id('Image.id'),
    extension: text('Image.extension'),
    ...measures,
    filesize: count('Image.filesize'),
    sizes: Type.Optional(byName(ref(ImageSizeSchema), 'Image.sizes')),
    alt: Type.Optional(text('Image.alt')),
  },
  { $id: 'Image', ...said('Image') },
)

export type ImageJson = Static<typeof ImageSchema>
