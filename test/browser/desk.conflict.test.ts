import assert from 'node:assert/strict'
import { test } from 'node:test'
import { givenEvent } from '../support/given.ts'
import { setOwnPassword } from '../support/signing.ts'
import { violationsOf } from './accessibility.ts'
import { screenshot } from './chromium.ts'
import { giveSession, startDesk } from './desk.window.ts'

for (const { language, path, texts } of [
  {
    ...{ language: 'English', path: '/admin' },
    texts: {
      title: 'Title',
      save: 'Save',
      heading: 'Someone else has saved this event in the meantime',
      mine: 'Your version',
      merge: 'Save the chosen versions',
      done: 'is saved.',
    },
  },
  {
    ...{ language: 'French', path: '/fr/admin' },
    texts: {
      title: 'Titre',
      save: 'Enregistrer',
      heading: 'Quelqu’un d’autre a enregistré cet événement entre-temps',
      mine: 'Votre version',
      merge: 'Enregistrer les versions choisies',
      done: 'est enregistré.',
    },
  },
]) {
  test(`a conflict of two windows is resolved by keyboard, field by field, in ${language}`, async (t) => {
    const { app, url, browser, faults, page: mine } = await startDesk(t)
    const paragraph = 'Bring a blanket. The park is behind the library, and the concert begins after sunset. '
    const { id } = await givenEvent(app, { title: 'Concert', description: paragraph.repeat(4), cost: '5' })
    const theirs = await browser.newPage()
    const editor = `${url}${path}/events/${id}/`
    await mine.goto(editor)
    await theirs.goto(editor)

    await theirs.locator('[id="f-title.en"]').fill('Concert in the park')
    await theirs.locator('#f-cost').fill('20')
    await theirs.keyboard.press('Control+s')
    await theirs.getByText(texts.done).waitFor()
    await mine.locator('[id="f-title.en"]').fill('Concert at night')
    await mine.locator('[id="f-description.en"]').fill(paragraph.repeat(3) + paragraph.replace('blanket', 'chair'))
    await mine.locator('[id="f-title.fr-CA"]').fill('Concert nocturne')
    await mine.keyboard.press('Control+s')
    await mine.getByRole('heading', { name: texts.heading, level: 1 }).waitFor()

    const found = language === 'English' ? [...(await violationsOf(mine))] : []
    await screenshot(mine, `desk-conflict-${language}`, { isWhole: true })
    await mine.setViewportSize({ width: 320, height: 900 })
    await mine.emulateMedia({ colorScheme: 'dark' })
    await screenshot(mine, `desk-conflict-${language}-phone-dark`, { isWhole: true })
    if (language === 'French') found.push(...(await violationsOf(mine)))
    const width = await mine.evaluate<number>('document.documentElement.scrollWidth')

    const [choice] = await mine.getByRole('group', { name: texts.title }).all()
    await choice?.getByRole('radio', { name: texts.mine }).focus()
    await mine.keyboard.press('Space')
    await mine.getByRole('button', { name: texts.merge }).focus()
    await mine.keyboard.press('Enter')
    await mine.getByText(texts.done).waitFor()

    const read = async (tag: string) => (await app.send({ path: `/events?ml_language=${tag}` })).body.events[0]
    const [english, french] = [await read('en'), await read('fr-CA')]
    assert.deepEqual([english.title, english.cost, french.title], ['Concert at night', '$20', 'Concert nocturne'])
    assert.match(english.description, /Bring a chair/)
    assert.equal(width, 320)
    assert.equal(await mine.evaluate('Object.keys(localStorage).length'), 0)
    assert.deepEqual(found, [])
    assert.deepEqual(
      faults.filter((fault) => !/status of 409/.test(fault)),
      [],
    )
  })
}

test('those who only read an event see within half a minute who opens it, until they are gone themselves', async (t) => {
  const { app, url, browser, faults, page } = await startDesk(t)
  await setOwnPassword(app, 'administrator')
  const { id } = await givenEvent(app)
  await page.clock.install()
  await page.goto(`${url}/admin/events/${id}/`)
  let asked = 0
  page.on('request', (request) => {
    asked += request.postData()?.includes('to=others') ? 1 : 0
  })

  const theirs = await (await browser.browser()?.newContext())?.newPage()
  assert.ok(theirs)
  await giveSession(theirs, url, 'administrator')
  await theirs.goto(`${url}/admin/events/${id}/`)
  await theirs.getByText('editor has this event open, too.').waitFor()
  // The note is written in the background.
  while (app.deps.storage.waitingWrites() > 0) await new Promise(setImmediate)
  assert.equal(await page.locator('[data-others]').textContent(), '')
  await page.clock.runFor(30_000)
  await page.getByText('administrator has this event open, too.').waitFor()
  assert.equal(asked, 1)

  // A page that nobody touches stops asking. A key begins again.
  await page.clock.runFor(20 * 60_000)
  assert.equal(asked, 20)
  await page.keyboard.press('Shift')
  await page.clock.runFor(30_000)
  assert.equal(asked, 21)
  assert.deepEqual(faults, [])
})
