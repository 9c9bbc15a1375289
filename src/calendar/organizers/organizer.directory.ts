import { anyTextSchema, websiteSchema } from '../../access/http/argument.schema.ts'
import type { Arguments } from '../../access/http/argument.ts'
import { jsonLdDescription, jsonLdName, jsonLdText } from '../../base/text/escape.ts'
import { withoutEmptyTexts } from '../directory/directory.present.ts'
import type { Directory } from '../directory/directory.ts'
import { pictureUrl } from '../media/media.present.ts'
import { lineTextRule, websiteRule } from '../records/record.arguments.ts'
import { organizerStore } from './organizer.repository.ts'
import { blankOrganizer, type OrganizerFields } from './organizer.ts'

/** The fields of an organizer, in the order of the index. */
const organizerArguments = {
  phone: { read: lineTextRule('phone'), description: 'phone', schema: anyTextSchema, type: 'string', default: null },
  website: {
    read: websiteRule,
    description: 'website.organizer',
    schema: websiteSchema,
    type: 'string',
    default: null,
  },
  email: { read: lineTextRule('email'), description: 'email', schema: anyTextSchema, type: 'string', default: null },
} as const satisfies Arguments

/** Organizers among the kinds of records that events link to. */
export const organizers: Directory<OrganizerFields> = {
  kind: 'organizer',
  plural: 'organizers',
  tag: 'Organizers',
  schemas: {
    one: async () => (await import('./organizer.schema.ts')).OrganizerSchema,
    list: async () => (await import('./organizer.schema.ts')).OrganizerListSchema,
  },
  blank: blankOrganizer,
  store: organizerStore,
  sharedFields: ['phone', 'email'],
  arguments: organizerArguments,
  declaredDefault: { default: null },
  change: (fields, sent) => ({ ...fields, ...sent }),
  searchable: ({ phone, website, email }) => [phone, website, email],
  presentFields: ({ phone, website, email }) => withoutEmptyTexts({ phone, website, email }),
  presentFlags: () => ({}),
  presentJsonLd: ({ titleHtml, contentHtml, image, fields }, addresses) => ({
    '@type': 'Person',
    name: jsonLdName(titleHtml),
    description: jsonLdDescription(contentHtml),
    ...(image ? { image: pictureUrl(addresses, image.file) } : {}),
    url: fields.website,
    telephone: jsonLdText(fields.phone),
    email: jsonLdText(fields.email),
    sameAs: fields.website,
  }),
}
