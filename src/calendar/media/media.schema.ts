import Type, { type Static, type TSchema } from 'typebox'
import { byName, count, dateTime, id, ref, said, text, url, word } from '../../access/http/schema.ts'

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

const removed = <S extends TSchema>(schema: S) => ({
  deleted: Type.Literal(true),
  previous: ref(schema, 'Removed.previous'),
})

/** A picture as its own resource. */
export const MediaSchema = Type.Object(
  {
    url: url('Image.url'),
    id: id('Image.id'),
    extension: text('Image.extension'),
    ...measures,
    filesize: count('Image.filesize'),
    sizes: Type.Optional(byName(ref(ImageSizeSchema), 'Image.sizes')),
    title: text('media.title'),
    alt_text: text('Media.alt_text'),
    alt_texts: byName(Type.String(), 'Media.alt_texts'),
    decorative: Type.Boolean(said('media.decorative')),
    'mime-type': text('ImageSize.mime-type'),
    author: Type.Integer(said('Media.author')),
    date: dateTime('Media.date'),
    date_utc: dateTime('Media.date_utc'),
  },
  { $id: 'Media', ...said('Media') },
)
export const MediaListSchema = Type.Array(ref(MediaSchema), { $id: 'MediaList', ...said('MediaList') })
export const RemovedMediaSchema = Type.Object(removed(MediaSchema), { $id: 'RemovedMedia', ...said('Removed') })

const AttachmentSizeSchema = Type.Object(
  {
    file: text('Attachment.file'),
    ...measures,
    filesize: count('Image.filesize'),
    mime_type: text('ImageSize.mime-type'),
    source_url: url('Image.url'),
  },
  { $id: 'AttachmentSize', ...said('ImageSize') },
)

const attachmentDate = () =>
  Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$', ...said('Media.date') })

/** The same with the keys that clients of the original interface read. */
export const AttachmentSchema = Type.Object(
  {
    id: id('Image.id'),
    date: attachmentDate(),
    date_gmt: attachmentDate(),
    status: word(['inherit']),
    type: word(['attachment']),
    link: url('Image.url'),
    author: Type.Integer(said('Media.author')),
    title: Type.Object({ rendered: text('media.title') }),
    alt_text: text('Media.alt_text'),
    media_type: word(['image']),
    mime_type: text('ImageSize.mime-type'),
    media_details: Type.Object({
      ...measures,
      file: text('Attachment.file'),
      filesize: count('Image.filesize'),
      sizes: byName(ref(AttachmentSizeSchema), 'Image.sizes'),
    }),
    source_url: url('Image.url'),
  },
  { $id: 'Attachment', ...said('Media') },
)
export const AttachmentListSchema = Type.Array(ref(AttachmentSchema), { $id: 'AttachmentList', ...said('MediaList') })
export const RemovedAttachmentSchema = Type.Object(removed(AttachmentSchema), {
  $id: 'RemovedAttachment',
  ...said('Removed'),
})
