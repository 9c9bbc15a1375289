import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { deskText } from '../../src/base/languages/texts.ts'
import type { TestApp } from '../support/app.ts'
import { givenEvent, givenVenue } from '../support/given.ts'
import { isLong } from '../support/long.ts'
import { picture } from '../support/pictures.ts'
import { setOwnPassword } from '../support/signing.ts'
import { type Hand, hands } from './desk.hands.ts'
import { giveSession, startDesk } from './desk.window.ts'

// How many steps the tasks of every week take, from the start page of the desk to the message that it is done. A step is
// what a person decides on: something that is clicked, a field that is filled in or pasted into, a file that is chosen, or
// something that is dragged. By keyboard, each shortcut is a step as well. Tab, Enter, arrows and shortcuts count as keys,
// the letters of texts do not. The hands count what they do, so a desk that needs more fails.

interface Task {
  readonly app: TestApp
  readonly url: string
  readonly page: Page
  readonly hand: Hand
  readonly say: (key: Parameters<typeof deskText>[1], values?: Parameters<typeof deskText>[2]) => string
}

let tasks = 0

/** Does a task in both languages, by keyboard and with a pointer. In the quick form, each language meets one of the hands. */
function task(
  what: string,
  most: number,
  given: (app: TestApp) => Promise<unknown>,
  act: (task: Task) => Promise<void>,
) {
  tasks += 1
  const turn = tasks
  for (const [place, language] of (['en', 'fr'] as const).entries()) {
    for (const [number, [how, handOf]] of hands.entries()) {
      if (!isLong && (place + number + turn) % 2 !== 0) continue
      test(`${what} in at most ${most} steps, ${how} (${language})`, async (t) => {
        const { app, url, page, faults } = await startDesk(t)
        await given(app)
        await page.goto(`${url}${language === 'fr' ? '/fr' : ''}/admin/`)
        const hand = handOf(page)
        await act({ app, url, page, hand, say: (key, values) => deskText(language, key, values) })

        t.diagnostic(
          `${hand.steps()} steps, ${hand.keys()} keys beside the texts, ${hand.seconds().toFixed(0)} seconds`,
        )
        assert.ok(hand.steps() <= most, `${hand.steps()} steps`)
        assert.deepEqual(faults, [])
      })
    }
  }
}

const field = (page: Page, name: string): Locator => page.locator(`[id="f-${name}"]`)
const described = (page: Page, language: string): Locator => page.locator(`[contenteditable][lang="${language}"]`)

task(
  'the first event in both languages, with a picture, is public',
  12,
  async () => {},
  async (task) => {
    const { app, page, hand, say } = task
    const buffer = await picture(300, 200)
    await hand.press(page.getByRole('link', { name: say('new-event') }), 'n')
    await field(page, 'title.en').waitFor()
    const isFrench = await field(page, 'title.fr-CA').evaluate((one) => one.matches(':focus'))
    const languages = isFrench ? (['fr-CA', 'en'] as const) : (['en', 'fr-CA'] as const)
    for (const language of languages) await hand.type(field(page, `title.${language}`), `Fair ${language}`)
    await hand.type(field(page, 'start'), isFrench ? '5 mars 2030, 19 h' : 'Mar 5, 2030, 7pm')
    await hand.type(field(page, 'end'), isFrench ? '21 h' : '9pm')
    await hand.type(field(page, 'venue'), 'Town Hall')
    await hand.choose(field(page, 'picture'), { name: 'tent.jpg', mimeType: 'image/jpeg', buffer })
    for (const language of languages) await hand.type(field(page, `alt.${language}`), `Tent ${language}`)
    for (const language of languages) await hand.type(described(page, language), `Text ${language}`)
    await hand.press(page.getByRole('button', { name: say('editor.publish'), exact: true }), 'Control+Enter')
    await page
      .getByRole('status')
      .filter({ hasText: say('events.published', { title: `Fair ${languages[0]}` }) })
      .waitFor()

    for (const language of languages) {
      const { body } = await app.send({ path: `/events?start_date=2030-03-01&ml_language=${language}` })
      const [event] = body.events
      assert.deepEqual(
        [event.title, event.start_date, event.end_date],
        [`Fair ${language}`, '2030-03-05 19:00:00', '2030-03-05 21:00:00'],
      )
      assert.match(event.description, new RegExp(`Text ${language}`))
      assert.match(event.image.url, /tent/)
      assert.equal(event.venue.venue, 'Town Hall')
      const media = await app.send({ as: 'editor', path: `//cal/service/v1/media/${event.image.id}` })
      assert.equal(media.body.alt_texts[language], `Tent ${language}`)
    }
  },
)

const tonight = { start_date: '2030-01-15 19:00', end_date: '2030-01-15 21:00' }

async function givenStorm(app: TestApp) {
  const [hall, park] = [await givenVenue(app, { venue: 'Salle A' }), await givenVenue(app, { venue: 'Park' })]
  for (const title of ['Ball', 'Chess', 'Film']) await givenEvent(app, { title, venue: hall.id, ...tonight })
  await givenEvent(app, { title: 'Walk', venue: park.id, ...tonight })
  await givenEvent(app, { title: 'Yoga', venue: hall.id, start_date: '2030-01-16 19:00', end_date: '2030-01-16 21:00' })
}

task('a storm cancels what a place has on a day, with a message in both languages,', 6, givenStorm, async (task) => {
  const { app, page, hand, say } = task
  await hand.press(page.getByRole('link', { name: say('search.their-events', { name: 'Salle A' }) }).first())
  await hand.press(page.getByRole('checkbox', { name: say('many.all', { count: 3 }) }))
  await hand.press(page.getByRole('button', { name: say('many.cancel') }))
  await hand.type(field(page, 'reason.en'), 'Storm')
  await hand.type(field(page, 'reason.fr-CA'), 'Tempête')
  await hand.press(page.getByRole('button', { name: say('many.ask.cancel', { count: 3 }) }))
  await page.getByRole('button', { name: say('events.undo'), exact: true }).waitFor()

  const { body } = await app.send({ path: '/events?start_date=2030-01-15' })
  const states = body.events.map((one: Readonly<Record<string, string>>) => [one.title, one.event_status])
  const canceledOnes = { 'Canceled: Ball': 'canceled', 'Canceled: Chess': 'canceled', 'Canceled: Film': 'canceled' }
  assert.deepEqual(Object.fromEntries(states), { ...canceledOnes, Walk: undefined, Yoga: undefined })
  const [canceled] = body.events
  assert.equal(canceled.event_status_reason, 'Storm')
})

async function givenTwins(app: TestApp) {
  const [hall] = [await givenVenue(app, { venue: 'Nature Centre' }), await givenVenue(app, { venue: 'Nature Center' })]
  await givenVenue(app, { venue: 'Park' })
  await givenEvent(app, { title: 'Walk', venue: hall.id })
}

const merged = async ({ app, page, say }: Task) => {
  await page.getByRole('button', { name: say('events.undo'), exact: true }).waitFor()
  const { body } = await app.send({ path: '/venues' })
  assert.equal(body.total, 2)
}

task('two places that look alike are merged', 4, givenTwins, async (task) => {
  const { page, hand, say } = task
  await hand.press(page.getByRole('link', { name: say('records.title') }), 'g', 'v')
  await hand.press(page.locator('summary').filter({ hasText: say('alike.title', { count: 1 }) }))
  await hand.press(page.getByRole('link', { name: /Nature Cent.*Nature Cent/ }))
  await hand.press(page.getByRole('button', { name: say('merge.submit'), exact: true }))
  await merged(task)
})

task('any two places are merged from their list, which is one step more,', 5, givenTwins, async (task) => {
  const { page, hand, say } = task
  await hand.press(page.getByRole('link', { name: say('records.title') }), 'g', 'v')
  for (const title of ['Nature Center', 'Park'])
    await hand.press(page.getByRole('checkbox', { name: say('events.select', { title }) }))
  await hand.press(page.getByRole('button', { name: say('merge.selected') }))
  await hand.press(page.getByRole('button', { name: say('merge.submit'), exact: true }))
  await merged(task)
})

const rows = [
  ['Titre', 'Title', 'Date', 'Heure', 'Fin', 'Lieu', 'Prix'],
  ...Array.from({ length: 10 }, (_, row) => [
    `Atelier ${row}`,
    `Workshop ${row}`,
    `2030-03-${10 + row}`,
    '19 h',
    '21 h',
    'Salle A',
    '5',
  ]),
]

task(
  'ten rows of a spreadsheet are public',
  4,
  async () => {},
  async ({ app, page, hand, say }) => {
    await hand.press(page.getByLabel(say('nav.new')))
    await hand.press(page.getByRole('link', { name: say('rows.title') }))
    await hand.paste(field(page, 'table'), rows.map((row) => row.join('\t')).join('\n'))
    await hand.press(page.getByRole('button', { name: say('rows.publish') }))
    await page.getByRole('button', { name: say('events.undo'), exact: true }).waitFor()

    for (const language of ['en', 'fr-CA']) {
      const { body } = await app.send({ path: `/events?start_date=2030-03-01&ml_language=${language}` })
      assert.equal(body.total, 10)
    }
  },
)

const weekly = { title: 'Chess', start_date: '2030-01-08 19:00', end_date: '2030-01-08 21:00' }
const givenChess = (app: TestApp) => givenEvent(app, { ...weekly, recurrence: { rrule: 'FREQ=WEEKLY;COUNT=10' } })

task('one date of a series is moved', 4, givenChess, async ({ app, page, hand, say }) => {
  await hand.press(page.getByRole('link', { name: say('month.title'), exact: true }), 'g', 'c')
  await page.locator('[data-calendar].live').waitFor()
  const day = (date: string) => page.locator(`[data-day="${date}"]`)
  await hand.move(
    day('2030-01-22').getByRole('link', { name: 'Chess' }).first(),
    day('2030-01-24'),
    'ArrowRight',
    'ArrowRight',
  )
  await page.waitForURL(/moved=/)

  const { body } = await app.send({ path: '/events?start_date=2030-01-08&per_page=50' })
  const days = body.events.map((one: { readonly start_date: string }) => one.start_date.slice(5, 10))
  assert.deepEqual(days.slice(0, 4), ['01-08', '01-15', '01-24', '01-29'])
})

test('from each page of the desk, an event is public in under 40 keys beside its texts', async (t) => {
  const { app, url, page, faults } = await startDesk(t)
  await setOwnPassword(app, 'administrator')
  await giveSession(page, url, 'administrator')
  const hall = await givenVenue(app, { venue: 'Salle A' })
  const { id } = await givenEvent(app, { title: 'Ball', venue: hall.id })
  const chess = await givenChess(app)
  const { body } = await app.send({ path: `/events/${chess.id}` })
  const [[, byKeyboard]] = hands
  const paths = [
    ...['', 'events/', `events/${id}/`, `events/${id}/quick/`, `events/${id}/copy/`, `events/${id}/history/`],
    ...[
      `events/${chess.id}/`,
      `series/${body.series.id}/`,
      'events/rows/',
      'import/',
      'subscriptions/',
      'search/?q=ball',
    ],
    ...[
      'calendar/',
      'calendar/?week=2030-01-14',
      'venues/',
      `venues/${hall.id}/`,
      'organizers/',
      'categories/',
      'tags/',
    ],
    ...['pictures/', 'trash/', 'activity/', 'users/', 'settings/', 'account/'],
  ]
  for (const [place, path] of paths.entries()) {
    const root = place % 2 === 0 ? '/admin/' : '/fr/admin/'
    await page.goto(`${url}${root}${path}`)
    const hand = byKeyboard(page)
    await hand.press(page.locator('.button.new'), 'n')
    const title = page.locator('[id^="f-title"]:focus')
    await title.waitFor()
    // From here on, it is the same for all pages.
    if (place < paths.length - 2) continue
    await hand.type(title, `Fair ${place}`)
    await hand.type(page.locator('.titles input').last(), `Foire ${place}`)
    await hand.type(field(page, 'start'), '2030-03-05 19:00')
    await hand.type(field(page, 'end'), '21:00')
    await hand.type(field(page, 'venue'), 'Salle A')
    await hand.press(page.locator('[value=publish]').first(), 'Control+Enter')
    await page
      .getByRole('status')
      .filter({ hasText: `Fair ${place}` })
      .waitFor()

    t.diagnostic(`${hand.keys()} keys`)
    assert.ok(hand.keys() < 40, `${hand.keys()} keys`)
    const found = await app.send({ path: `/events?start_date=2030-03-01&search=${place}` })
    assert.equal(found.body.total, 1)
  }
  assert.deepEqual(faults, [])
})
