import Type from 'typebox'
import { count, oneOf, text, url, withDescription } from '../../access/http/schema.ts'

/** The oEmbed representation of an event, for pages of other sites (oembed.com, 2.3). */
export const OembedSchema = Type.Object(
  {
    version: oneOf(['1.0']),
    provider_name: text(),
    provider_url: url(),
    title: text(),
    type: oneOf(['rich']),
    width: count('Image.width'),
    height: count('Image.height'),
    html: text('Oembed.html'),
    thumbnail_url: Type.Optional(url()),
    thumbnail_width: Type.Optional(count('Image.width')),
    thumbnail_height: Type.Optional(count('Image.height')),
  },
  { $id: 'Oembed', ...withDescription('Oembed') },
)
