import type { Addresses } from '../../access/http/addresses.ts'
import { jsonLdDescription, jsonLdName, jsonLdText } from '../../base/text/escape.ts'
import { defineDirectory } from '../directory/directory.definition.ts'
import { presentEntryHead, presentEntryTail, presentEntryTexts } from '../directory/directory.present.ts'
import type { DirectoryEntry, EntryView } from '../directory/directory.ts'
import { fieldStore } from '../directory/field.repository.ts'
import { fieldPresenter } from '../directory/field.ts'
import { pictureUrl } from '../media/media.present.ts'
import { thing } from '../records/structured.data.ts'
import { organizerFields } from './organizer.fields.ts'
import type { OrganizerJson, PersonJsonLd } from './organizer.schema.ts'
import type { OrganizerFields } from './organizer.ts'

const presentBody = fieldPresenter(organizerFields, 'body')

/** Returns an organizer as clients read it, with keys in the order of the contract (venues-organizers.md §2). */
function presentOrganizer(entry: DirectoryEntry<OrganizerFields>, view: EntryView): OrganizerJson {
  return {
    ...presentEntryHead(entry, view),
    organizer: entry.titleHtml,
    ...presentEntryTexts(entry, view),
    ...presentBody(entry.fields),
    ...(view.hasJsonLd ? { json_ld: presentPersonJsonLd(entry, view.addresses) } : {}),
    ...presentEntryTail(entry, view),
  }
}

/** Returns an organizer in schema.org terms (venues-organizers.md §2.1). */
function presentPersonJsonLd(entry: DirectoryEntry<OrganizerFields>, addresses: Addresses): PersonJsonLd {
  const { titleHtml, contentHtml, image, fields } = entry
  return thing('Person', {
    name: jsonLdName(titleHtml),
    description: jsonLdDescription(contentHtml),
    image: image && pictureUrl(addresses, image.file),
    url: fields.website,
    telephone: jsonLdText(fields.phone),
    email: jsonLdText(fields.email),
    sameAs: fields.website,
  })
}

/** Organizers among the kinds of records that events link to. */
export const organizers = defineDirectory({
  kind: 'organizer',
  plural: 'organizers',
  tag: 'Organizers',
  schemas: {
    one: async () => (await import('./organizer.schema.ts')).OrganizerSchema,
    list: async () => (await import('./organizer.schema.ts')).OrganizerListSchema,
    usage: async () => (await import('./organizer.schema.ts')).OrganizerUsageSchema,
    source: async () => (await import('./organizer.schema.ts')).OrganizerSourceSchema,
  },
  fields: organizerFields,
  store: fieldStore('organizers', organizerFields),
  declaredDefault: { default: null },
  change: (fields, sent) => ({ ...fields, ...sent }),
  present: presentOrganizer,
  presentJsonLd: presentPersonJsonLd,
})
