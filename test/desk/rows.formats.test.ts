import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../support/app.ts'
import { givenTerm, givenVenue } from '../support/given.ts'
import { sendTable } from '../support/rows.ts'

// Tables that other calendars and the service itself give out.

const everyDay = 'start_date=2000-01-01&end_date=2100-01-01&per_page=50'

interface Listed {
  readonly title: string
  readonly start_date: string
  readonly end_date: string
  readonly all_day: boolean
  readonly status: string
  readonly venue: { readonly venue?: string }
  readonly organizer: readonly { readonly organizer: string }[]
  readonly categories: readonly { readonly name: string }[]
  readonly tags: readonly { readonly name: string }[]
}

const listed = async (app: TestApp, query = ''): Promise<readonly Listed[]> =>
  (await app.send({ as: 'editor', path: `/events?${everyDay}&status=any&${query}` })).body.events

const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name)

test('a table of The Events Calendar is read, in both languages', async (t) => {
  const app = await startTestApp(t)
  const english = [
    'Event Name,Event Description,Event Excerpt,Event Start Date,Event Start Time,Event End Date,Event End Time,Timezone,All Day Event,Hide Event From Event Listings,Event Sticky in Month View,Event Venue Name,Event Organizer Name(s),Event Show Map Link,Event Cost,Event Currency Symbol,Event Category,Event Tags,Event Website,Event Featured Image',
    'Concert,<p>Loud</p>,Short,2030-05-01,19:30:00,2030-05-01,21:00:00,America/Toronto,FALSE,,,The Hall,The City,1,5,$,"Music, Jazz","new, loud",https://a.example/,',
    'Fair,,,2030-05-02,00:00:00,2030-05-03,23:59:59,America/Toronto,TRUE,,,,,,,,,,,',
  ]
  const french = [
    'Nom de l’évènement,Description de l’évènement,Extrait de l’évènement,Date de début de l’évènement,Heure de début de l’évènement,Date de fin de l’évènement,Heure de fin de l’évènement,Fuseau horaire,Évènement sur toute la journée,Nom du lieu de l’évènement,Nom de l’organisateur,Coût de l’évènement,Catégorie d’évènement,Étiquettes,Site web de l’évènement,Image mise en avant',
    'Foire,,,2030-06-01,10:00:00,2030-06-01,12:00:00,,Faux,La salle,La ville,,,,,',
  ]

  const one = await sendTable(app, english.join('\n'))
  const two = await sendTable(app, french.join('\n'))
  const events = await listed(app)

  assert.deepEqual([...one.faults, ...two.faults], [])
  assert.deepEqual(one.columns, [
    ...['title.en', 'description.en', 'excerpt.en', 'date', 'start', 'end_date', 'end', 'timezone', 'all_day', '', ''],
    ...['venue', 'organizer', '', 'cost', '', 'categories', 'tags', 'website', ''],
  ])
  assert.deepEqual(two.columns, [
    ...['title.fr-CA', 'description.fr-CA', 'excerpt.fr-CA', 'date', 'start', 'end_date', 'end', 'timezone', 'all_day'],
    ...['venue', 'organizer', 'cost', 'categories', 'tags', 'website', ''],
  ])
  assert.deepEqual(
    events.map((event) => [event.title, event.start_date, event.end_date, event.all_day, event.venue.venue]),
    [
      ['Concert', '2030-05-01 19:30:00', '2030-05-01 21:00:00', false, 'The Hall'],
      ['Fair', '2030-05-02 00:00:00', '2030-05-03 23:59:59', true, undefined],
      ['Foire', '2030-06-01 10:00:00', '2030-06-01 12:00:00', false, 'La salle'],
    ],
  )
  assert.deepEqual(
    [names(events[0]?.categories ?? []), names(events[0]?.tags ?? [])],
    [
      ['Jazz', 'Music'],
      ['loud', 'new'],
    ],
  )
})

test('tables of Google and Outlook are read, in both languages, and private meetings stay private', async (t) => {
  const app = await startTestApp(t)
  const tables = [
    [
      'Subject,Start Date,Start Time,End Date,End Time,All Day Event,Description,Location,Private',
      'Google,05/30/2030,10:00 AM,05/30/2030,1:00 PM,False,Text,The Hall,True',
    ],
    [
      '"Subject","Start Date","Start Time","End Date","End Time","All day event","Reminder on/off","Reminder Date","Reminder Time","Meeting Organizer","Required Attendees","Categories","Description","Location","Private","Show time as"',
      '"Outlook","5/30/2030","12:00:00 AM","6/1/2030","12:00:00 AM","True","False","5/29/2030","7:00:00 PM","Somebody","Somebody else","Music;Jazz","","The Hall","False","2"',
    ],
    [
      'Objet;Début;Heure de début;Fin;Heure de fin;Journée entière;Rappel actif/inactif;Date du rappel;Heure du rappel;Organisateur d’une réunion;Catégories;Description;Emplacement;Privé',
      'Réunion;30/05/2030;19:30:00;30/05/2030;21:00:00;Faux;Faux;30/05/2030;19:00:00;Quelqu’un;Musique;;La salle;Vrai',
    ],
    [
      'Objet,Date de début,Heure de début,Date de fin,Heure de fin,Événement d’une journée entière,Description,Lieu,Privé',
      'Journée,2030-05-31,,2030-05-31,,Vrai,,,Faux',
    ],
  ]
  const read = []

  for (const table of tables) read.push(await sendTable(app, table.join('\n')))

  assert.deepEqual(
    read.flatMap(({ faults }) => faults),
    [],
  )
  const [google, outlook, french] = read.map(({ columns }) => columns)
  const times = ['date', 'start', 'end_date', 'end', 'all_day']
  assert.deepEqual(google, ['title.en', ...times, 'description.en', 'venue', 'status'])
  assert.deepEqual(outlook, [
    ...['title.en', ...times, '', '', '', '', '', 'categories', 'description.en', 'venue', 'status', ''],
  ])
  assert.deepEqual(french, [
    ...['title.fr-CA', ...times, '', '', '', '', 'categories', 'description.fr-CA', 'venue', 'status'],
  ])
  assert.deepEqual(
    (await listed(app)).map((event) => [
      ...[event.title, event.start_date.slice(0, 16), event.end_date.slice(0, 16), event.all_day, event.status],
    ]),
    [
      ['Outlook', '2030-05-30 00:00', '2030-05-31 23:59', true, 'publish'],
      ['Google', '2030-05-30 10:00', '2030-05-30 13:00', false, 'private'],
      ['Réunion', '2030-05-30 19:30', '2030-05-30 21:00', false, 'private'],
      ['Journée', '2030-05-31 00:00', '2030-05-31 23:59', true, 'publish'],
    ],
  )
})

test('a name that exists is that one, even with what separates names in it', async (t) => {
  const app = await startTestApp(t)
  for (const kind of ['categories', 'tags'] as const) await givenTerm(app, kind, { name: 'Arts, crafts; more' })
  await givenTerm(app, 'categories', { name: 'Rock, pop' })
  await givenVenue(app, { venue: 'Hall, the big one, of Laval' })
  await app.send({ as: 'editor', method: 'POST', path: '/organizers', json: { organizer: 'One; Two' } })
  const table = [
    'Title\tDate\tVenue\tOrganizer\tCategory\tTags',
    'A\t2030-05-01\thall, the big one, of laval\tone; two; The City, Culture\tArts, crafts; more, rock, POP, Jazz\tarts, Crafts; more',
  ]

  const { faults } = await sendTable(app, table.join('\n'))
  const [event] = await listed(app)
  const totals = [(await app.send({ path: '/categories' })).body.total, (await app.send({ path: '/tags' })).body.total]

  assert.deepEqual(faults, [])
  assert.equal(event?.venue.venue, 'Hall, the big one, of Laval')
  assert.deepEqual(
    event?.organizer.map(({ organizer }) => organizer),
    ['One; Two', 'The City, Culture'],
  )
  assert.deepEqual(
    [names(event?.categories ?? []), names(event?.tags ?? [])],
    [['Arts, crafts; more', 'Jazz', 'Rock, pop'], ['Arts, crafts; more']],
  )
  assert.deepEqual(totals, [3, 1])
})

test('rows that are drafts stay drafts when all are published, and keep what is new of theirs back', async (t) => {
  const app = await startTestApp(t)
  const table = [
    'Title\tDate\tStatus\tVenue',
    'One\t2030-05-01\tDraft\tHidden hall',
    'Two\t2030-05-02\tEn révision\tShared hall',
    'Three\t2030-05-03\tprivé\tShared hall',
    'Four\t2030-05-04\tconfirmed\tShared hall',
  ]

  const { faults, read } = await sendTable(app, table.join('\n'))
  const visible = (await app.send({ path: '/venues' })).body.venues

  assert.deepEqual(faults, [])
  assert.match(read.text, /<span class="status private">Private/)
  assert.deepEqual(
    (await listed(app)).map(({ title, status }) => [title, status]),
    [
      ['One', 'draft'],
      ['Two', 'pending'],
      ['Three', 'private'],
      ['Four', 'publish'],
    ],
  )
  assert.deepEqual(
    visible.map(({ venue }: { readonly venue: string }) => venue),
    ['Shared hall'],
  )
})

test('a picture of another site is told at its cell, and so is a language that the site does not have', async (t) => {
  const app = await startTestApp(t)
  const heading = 'title,start_date,utc_start_date,language,image'
  const pictures = 'Two,2030-05-01 10:00:00,,fr-CA,https://other.example/a.jpg'

  const unknown = await sendTable(app, `${heading}\nOne,2030-05-01 10:00:00,,es,`)
  const foreign = await sendTable(app, `${heading}\n${pictures}`)

  assert.equal((await listed(app)).length, 0)
  assert.match(unknown.faults[0] ?? '', /^cell\.0\.3 Row 1, Language: The languages of this calendar are: en, /)
  assert.deepEqual(
    foreign.faults.map((fault) => fault.split('.').slice(0, 3).join('.')),
    ['cell.0.4 Row 1, Picture: This picture is not in this calendar'],
  )
})
