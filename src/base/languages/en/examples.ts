/** The description of each example of the OpenAPI document, by its name. */
export const exampleTexts = {
  'one-route': 'One route of the index',
  'unknown-namespace': 'A namespace that this service does not have',
  'version-only': 'Only the version of OpenAPI',

  'first-page': 'The first page',
  'between-dates': 'Events between two dates',
  'near-a-place': 'Events near a place',
  'words-sought': 'A search for words',
  'used-only': 'Only those used by published events',
  'in-french': 'In French',
  'not-public': 'Drafts and private records, for those who may read them',
  'page-too-far': 'A page that does not exist',
  'invalid-value': 'A value that is not allowed',

  minimal: 'Only what is required',
  'all-day': 'An all-day event',
  rich: 'With everything that is usually given',
  'with-new-records': 'With a venue and an organizer that do not exist yet',
  'a-translation': 'A translation of another record',
  'a-second-translation': 'A translation into a language that already has one',
  'below-another': 'Below another category',
  'missing-value': 'Without a required value',
  'name-taken': 'A name that is already taken',
  'slug-taken': 'A slug that is already taken',
  'signed-out': 'Without credentials',
  'not-allowed': 'With a role that does not allow it',

  'one-record': 'A record that everyone may read',
  'with-password': 'With the password of the event',
  'without-password': 'A protected event, without its password',
  unknown: 'A record that does not exist',
  private: 'A record that is not public',
  'in-trash': 'A record in the trash',

  'one-value': 'One value; the others stay the same',
  'other-dates': 'Other dates',
  cancel: 'Canceled, with a reason',
  'without-links': 'Without its venue, its organizers and its cost',
  remove: 'A record that can be removed',
} as const

export type ExampleName = keyof typeof exampleTexts
export type ExampleTexts = Readonly<Record<ExampleName, string>>
