/** What each example of the OpenAPI document shows, by its name. */
export const exampleTexts = {
  'one-route': 'One route of the index',
  'unknown-namespace': 'Another namespace than that of this service',
  'version-only': 'Only the version of OpenAPI',

  'first-page': 'The first page',
  'between-dates': 'What is on between two dates',
  'near-a-place': 'What is on near a place',
  'words-sought': 'Words in the name or the texts',
  'used-only': 'Only those that published events carry',
  'in-french': 'In French',
  'not-public': 'Drafts and private records, for those who may read them',
  'page-too-far': 'A page that does not exist',
  'invalid-value': 'A value that is not allowed',

  minimal: 'Only what is required',
  'all-day': 'An event of whole days',
  rich: 'With all that one usually says',
  'with-new-records': 'With a venue and an organizer that do not exist yet',
  'a-translation': 'A translation of another record',
  'a-second-translation': 'A translation into a language that it has already',
  'below-another': 'Below another category',
  'missing-value': 'Without something that is required',
  'name-taken': 'A name that another one has',
  'slug-taken': 'A slug that another one has',
  'signed-out': 'Without credentials',
  'not-allowed': 'With a role that does not have this right',

  'one-record': 'A record that everyone may read',
  'with-password': 'With the password of the event',
  'without-password': 'An event with a password, without it',
  unknown: 'A record that does not exist',
  private: 'A record that is not public',
  'in-trash': 'A record in the trash',

  'one-value': 'One value; all others stay',
  'other-dates': 'Other dates',
  'without-links': 'Without its venue, its organizers and its cost',
  remove: 'A record that one may remove',
} as const

export type ExampleName = keyof typeof exampleTexts
export type ExampleTexts = Readonly<Record<ExampleName, string>>
