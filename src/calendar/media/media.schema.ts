import Type, { type Static, type TSchema } from 'typebox'
import { count, dateTime, id, oneOf, recordOf, ref, text, url, withDescription } from '../../access/http/schema.ts'

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
  { $id: 'ImageSize', ...withDescription('ImageSize') },
)

/** A picture as records show it (venues-organizers.md §2.2). */
export const ImageSchema = Type.Object(
  {
    url: url('Image.url'),
    id: id('Image.id'),
    extension: text('Image.extension'),
    ...measures,
    filesize: count('Image.filesize'),
    sizes: Type.Optional(recordOf(ref(ImageSizeSchema), 'Image.sizes')),
    alt: Type.Optional(text('Image.alt')),
  },
  { $id: 'Image', ...withDescription('Image') },
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
    sizes: Type.Optional(recordOf(ref(ImageSizeSchema), 'Image.sizes')),
    title: text('media.title'),
    alt_text: text('Media.alt_text'),
    alt_texts: recordOf(Type.String(), 'Media.alt_texts'),
    decorative: Type.Boolean(withDescription('media.decorative')),
    'mime-type': text('ImageSize.mime-type'),
    author: Type.Integer(withDescription('Media.author')),
    date: dateTime('Media.date'),
    date_utc: dateTime('Media.date_utc'),
  },
  { $id: 'Media', ...withDescription('Media') },
)
export const MediaListSchema = Type.Array(ref(MediaSchema), { $id: 'MediaList', ...withDescription('MediaList') })
export const RemovedMediaSchema = Type.Object(removed(MediaSchema), {
  $id: 'RemovedMedia',
  ...withDescription('Removed'),
})

const AttachmentSizeSchema = Type.Object(
  {
    file: text('Attachment.file'),
    ...measures,
    filesize: count('Image.filesize'),
    mime_type: text('ImageSize.mime-type'),
    source_url: url('Image.url'),
  },
  { $id: 'AttachmentSize', ...withDescription('ImageSize') },
)

const attachmentDate = () =>
  Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$', ...withDescription('Media.date') })

/** The same with the keys that clients of the original interface read. */
export const AttachmentSchema = Type.Object(
  {
    id: id('Image.id'),
    date: attachmentDate(),
    date_gmt: attachmentDate(),
    status: oneOf(['inherit']),
    type: oneOf(['attachment']),
    link: url('Image.url'),
    author: Type.Integer(withDescription('Media.author')),
    title: Type.Object({ rendered: text('media.title') }),
    alt_text: text('Media.alt_text'),
    media_type: oneOf(['image']),
    mime_type: text('ImageSize.mime-type'),
    media_details: Type.Object({
      ...measures,
      file: text('Attachment.file'),
      filesize: count('Image.filesize'),
      sizes: recordOf(ref(AttachmentSizeSchema), 'Image.sizes'),
    }),
    source_url: url('Image.url'),
  },
  { $id: 'Attachment', ...withDescription('Media') },
)
export const AttachmentListSchema = Type.Array(ref(AttachmentSchema), {
  $id: 'AttachmentList',
  ...withDescription('MediaList'),
})
export const RemovedAttachmentSchema = Type.Object(removed(AttachmentSchema), {
  $id: 'RemovedAttachment',
  ...withDescription('Removed'),
})
