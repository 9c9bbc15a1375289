import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { UserId } from '../../src/access/auth/actor.ts'
import { createLink } from '../../src/access/auth/link.service.ts'
import { linkPath } from '../../src/access/auth/link.ts'
import type { TestApp } from '../support/app.ts'
import { givenEvent, givenVenue } from '../support/given.ts'
import { isLong } from '../support/long.ts'
import { goodPassword } from '../support/signing.ts'
import { screenshot } from './chromium.ts'
import { type Hand, hands } from './desk.hands.ts'
import { giveSession, openBrowser } from './desk.window.ts'

// What editors do every week, by keyboard alone and with a pointer, in both languages. The time that a person needs is
// reckoned with the keystroke-level model (Card, Moran and Newell, 1980). It does not depend on the machine.

const english = {
  ...{ root: '/admin/', password: 'New password', again: 'New password, again', title: 'Title', start: 'Start' },
  ...{
    enter: 'Save the password and sign in',
    create: 'New event',
    publish: 'Publish',
    anyway: 'Publish anyway',
    when: 'Mar 5, 2030, 7pm',
  },
  ...{ end: 'End', until: '9pm' },
  ...{ isPublic: '” is public.', find: 'Search the desk', copy: 'Duplicate' },
  ...{ publishCopy: 'Publish the copy', events: 'Events', all: /^All\s3\sevents of the list$/ },
  ...{
    cancel: 'Cancel …',
    canceled: /3\sevents on Tuesday, January 22 are canceled\./,
    undo: 'Undo',
  },
  ...{ reason: 'Reason: English', storm: 'Storm', cancelAll: /^Cancel\s3\sevents$/, places: 'Places and people' },
  ...{
    restored: /3\sevents are as they were before\./,
    merge: /^Merge\s…$/,
    keep: 'Keep “City Hall” instead',
    box: /^Select: /,
  },
  ...{
    mergeNow: 'Merge',
    merged: /“Town Hall” is merged into “City Hall”\. One event has moved/,
    unmerged: /The merge is undone\./,
  },
}
const french: Readonly<Record<keyof typeof english, string | RegExp>> = {
  ...{ root: '/fr/admin/', password: 'Nouveau mot de passe', again: 'Nouveau mot de passe, encore une fois' },
  ...{ title: 'Titre', start: 'Début', enter: 'Enregistrer le mot de passe et se connecter' },
  ...{
    create: 'Nouvel événement',
    publish: 'Publier',
    anyway: 'Publier quand même',
    when: '5 mars 2030, 19 h',
    end: 'Fin',
    until: '21 h',
    isPublic: '\u00a0» est public.',
  },
  ...{ find: 'Chercher dans le bureau', copy: 'Dupliquer', publishCopy: 'Publier la copie' },
  ...{ events: 'Événements', all: /^Les\s3\sévénements de la liste$/ },
  ...{ cancel: 'Annuler les événements…', undo: 'Revenir en arrière' },
  ...{
    canceled: /3\sévénements du mardi 22 janvier sont annulés\./,
    reason: /^Raison\s: français canadien$/,
    storm: 'Tempête',
  },
  ...{
    cancelAll: /^Annuler\s3\sévénements$/,
    restored: /3\sévénements sont redevenus comme avant\./,
    places: 'Lieux et personnes',
  },
  ...{ merge: 'Fusionner…', keep: /^Garder plutôt «\sCity Hall\s»$/, box: /^Sélectionner\s: /, mergeNow: 'Fusionner' },
  ...{
    merged: /«\sTown Hall\s» est fusionné avec «\sCity Hall\s»\. 1\sévénement a été déplacé\./,
    unmerged: /fusion est annulée/,
  },
}

function assertQuick(t: TestContext, hand: Hand, most: number): void {
  const seconds = hand.seconds()
  t.diagnostic(`A person needs ${seconds.toFixed(0)} seconds.`)
  assert.ok(seconds < most, `A person needs ${seconds.toFixed(0)} seconds, not ${most}.`)
}

let walked = 0

interface Walk {
  readonly t: TestContext
  readonly app: TestApp
  readonly url: string
  readonly page: Page
  readonly words: typeof english
  readonly hand: () => Hand
  readonly name: string
}

/**
 * Runs a walk in both languages, by keyboard and with a pointer. In the quick form each language meets one of the hands:
 * the walks take turns.
 */
function walks(what: string, walk: (walk: Walk) => Promise<void>, isFirstStart = false): void {
  walked += 1
  const turn = walked
  for (const [place, words] of [english, french as typeof english].entries()) {
    for (const [number, [how, handOf]] of hands.entries()) {
      if (!isLong && (place + number + turn) % 2 !== 0) continue
      const language = words === english ? 'English' : 'French'
      test(`${what}, ${how}, in ${language}`, async (t: TestContext) => {
        const { app, url, faults, page } = await openBrowser(t)
        if (!isFirstStart) {
          await giveSession(page, url)
        }
        const name = `${how === 'with a pointer' ? 'pointer' : 'keyboard'}-${language}`
        await walk({ t, app, url, page, words, name, hand: () => handOf(page) })
        assert.deepEqual(faults, [])
      })
    }
  }
}

walks(
  'the first event is public in under a minute after the first start',
  async ({ t, app, url, page, words, hand }) => {
    const { secret } = await createLink(app.deps, 5 as UserId, 'start')
    await page.goto(`${url}${words === english ? '' : '/fr'}${linkPath(secret)}`)
    const own = hand()
    await own.type(page.getByLabel(words.password, { exact: true }), goodPassword)
    await own.type(page.getByLabel(words.again), goodPassword)
    await own.press(page.getByRole('button', { name: words.enter }))
    await own.press(page.getByRole('link', { name: words.create }))
    await own.type(page.getByLabel(words.title).first(), 'Concert')
    await own.type(page.getByLabel(words.start, { exact: true }), words.when)
    await own.type(page.getByLabel(words.end, { exact: true }), words.until)
    await own.press(page.getByRole('button', { name: words.publish, exact: true }))
    // Only one language is written.
    await own.press(page.getByRole('button', { name: words.anyway }))
    await page.getByText(words.isPublic).waitFor()

    assertQuick(t, own, 60)
    const language = words === english ? 'en' : 'fr-CA'
    const { body } = await app.send({ path: `/events?ml_language=${language}&start_date=2030-01-01` })
    assert.deepEqual([body.events[0].title, body.events[0].start_date], ['Concert', '2030-03-05 19:00:00'])
  },
  true,
)

walks('the event of last week is repeated in under 30 seconds', async ({ t, app, url, page, words, hand, name }) => {
  const times = { start_date: '2030-01-10 19:00:00', end_date: '2030-01-10 21:00:00' }
  for (const title of ['Market', 'Concert', 'Film night']) await givenEvent(app, { title, ...times })
  await page.goto(`${url}${words.root}`)
  const own = hand()
  await own.type(page.getByLabel(words.find), 'market')
  await page.keyboard.press('Enter')
  await own.press(page.getByRole('link', { name: 'Market', exact: true }))
  await own.press(page.getByRole('link', { name: words.copy, exact: true }))
  await page.getByRole('button', { name: words.publishCopy }).waitFor()
  await screenshot(page, `desk-walk-copy-${name}`)
  await own.press(page.getByRole('button', { name: words.publishCopy }))
  await page.getByRole('status').first().waitFor()

  assertQuick(t, own, 30)
  const { body } = await app.send({ path: '/events?start_date=2030-01-15' })
  assert.deepEqual(
    body.events.map((one: { readonly title: string; readonly start_date: string }) => [one.title, one.start_date]),
    [['Market', '2030-01-17 19:00:00']],
  )
})

walks('a storm is canceled in two steps, and brought back', async ({ t, app, url, page, words, hand, name }) => {
  const events = [await givenEvent(app, { title: 'Market' }), await givenEvent(app, { title: 'Concert' })]
  events.push(await givenEvent(app, { title: 'Film night' }))
  const states = async () => {
    const answers = await Promise.all(events.map(({ id }) => app.send({ path: `/events/${id}` })))
    return answers.map(({ body }) => body.event_status)
  }
  const before = await states()
  await page.goto(`${url}${words.root}events/?from=2030-01-22&to=2030-01-22`)
  let pages = 0
  page.on('request', (request) => {
    // The answer to a form leads to the page that shows what it did.
    pages += request.isNavigationRequest() && !request.redirectedFrom() ? 1 : 0
  })
  const own = hand()
  await own.press(page.getByRole('checkbox', { name: words.all }))
  await own.press(page.getByRole('button', { name: words.cancel }))
  await own.type(page.getByLabel(words.reason), words.storm)
  await own.press(page.getByRole('button', { name: words.cancelAll }))
  await page.getByText(words.canceled).waitFor()
  await screenshot(page, `desk-walk-storm-${name}`)

  assert.equal(pages, 2)
  assertQuick(t, own, 60)
  assert.deepEqual(await states(), ['canceled', 'canceled', 'canceled'])
  await own.press(page.getByRole('button', { name: words.undo, exact: true }))
  await page.getByText(words.restored).waitFor()
  assert.deepEqual(await states(), before)
})

walks(
  'a venue is merged into another one, and the merge is undone',
  async ({ t, app, url, page, words, hand, name }) => {
    const hall = await givenVenue(app, { venue: 'Town Hall' })
    await givenVenue(app, { venue: 'City Hall' })
    const event = await givenEvent(app, { title: 'Concert', venue: hall.id })
    const venue = async () => (await app.send({ path: `/events/${event.id}` })).body.venue.venue
    await page.goto(`${url}${words.root}`)
    const own = hand()
    await own.press(page.getByRole('link', { name: words.places, exact: true }))
    await page.getByRole('row').nth(2).waitFor()
    // Four steps: two boxes, the bar, and the preview.
    for (const box of await page.getByRole('checkbox', { name: words.box }).all()) await own.press(box)
    await own.press(page.getByRole('button', { name: words.merge }))
    await page.getByRole('button', { name: words.mergeNow, exact: true }).waitFor()
    assert.equal(await venue(), 'Town Hall')
    await screenshot(page, `desk-walk-merge-${name}`)
    await own.press(page.getByRole('link', { name: words.keep }))
    await page
      .getByText(/“Town Hall”|«\sTown Hall\s»/)
      .first()
      .waitFor()
    await own.press(page.getByRole('button', { name: words.mergeNow, exact: true }))
    await page.getByText(words.merged).waitFor()
    assert.equal(await venue(), 'City Hall')
    await own.press(page.getByRole('button', { name: words.undo, exact: true }))
    await page.getByText(words.unmerged).waitFor()

    assert.equal(await venue(), 'Town Hall')
    assertQuick(t, own, 60)
  },
)
