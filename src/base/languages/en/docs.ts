/** The texts of the API reference page around its console. `{name}` is replaced by a value. */
export const docsTexts = {
  title: '{site}: API reference',
  models: 'Schemas',
  'sign-in-type': 'Type: {type}',
  document: 'OpenAPI document',
  'service-document': 'OpenAPI document of the service',
  events: 'Events',
  service: 'Accounts, media, audit',
  copy: 'Copy',
  menu: 'More options',
  index: 'Index',
  'no-script': 'This page needs JavaScript. Without it, the interface is described here:',
} as const

export type DocsKey = keyof typeof docsTexts
export type DocsTexts = Readonly<Record<DocsKey, string>>
