import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { startTestApp, type TestApp } from '../support/app.ts'
import { fieldsShown, givenDesk } from '../support/desk.ts'
import { givenEvent, givenOrganizer, givenVenue } from '../support/given.ts'
import { form, picture } from '../support/pictures.ts'
import { sendTable } from '../support/rows.ts'

// What is given out by other ways than the answer of a record may be given back, and changes nothing (rulings.md 44).

/** Names as people write them. */
const names = [
  'Plain',
  'R&B',
  "D'or & fils",
  'A &amp; B',
  '<b>Bold</b> & more',
  'Un « mot », deux',
  'x < y',
  '“Q” – 5 > 4',
  'Été, l’autre',
  '=SUM(1)',
  "'-5 °C",
]

type Row = Readonly<Record<string, string>>

const csvOf = async (app: TestApp): Promise<string> =>
  (
    await app.send({
      as: 'editor',
      path: '/events.csv?start_date=2000-01-01&end_date=2100-01-01&status=any',
    })
  ).text

const rowsOf = (text: string): readonly Row[] => parse(text, { bom: true, columns: true })

/** Cells without those of the service that gives the table out. */
const lasting = (rows: readonly Row[]) => rows.map(({ id: _, url: __, ...row }) => row)

const words = <T>(all: readonly T[], place: number) => all[place % all.length]

async function givenAll(app: TestApp, more: object = {}) {
  for (const [place, name] of names.entries()) {
    // A table has plain names, and places are known by their names with markup.
    const plain = name.replace(/<[^ ]*?>/g, '')
    const address = {
      address: name,
      zip: 'H1H 1H1',
      country: 'Canada',
      stateprovince: 'QC',
      geo_lat: 45.5,
      geo_lng: -73.5,
    }
    await givenEvent(app, {
      ...{ title: name, description: `<p>${name}</p><ul><li>One</li><li>- two</li></ul>`, excerpt: name },
      venue: { venue: plain, city: words(['Laval', 'Sutton', ''], place), ...(place % 2 === 0 ? address : {}) },
      organizer: [{ organizer: plain }, { organizer: `Other, ${plain}` }],
      cost: words(['5 – 10', '$12.50', '', 'Free', '9,000 €'], place),
      ...{ categories: [name, 'Rock, pop'], tags: [name, 'A; B'] },
      website: words(['https://a.example/?x=1&y=2', "https://a.example/it's?a=1&amp;b=2", ''], place),
      ...{ start_date: `2030-05-${10 + place} 19:00:${10 + place}`, end_date: '2030-07-01 23:59:59' },
      event_status: words(['scheduled', 'canceled', 'moved_online', 'rescheduled', 'postponed'], place),
      event_status_reason: place % 5 === 0 ? '' : `${name}\nmore`,
      attendance: words(['offline', 'online', 'mixed'], place),
      status: words(['publish', 'draft', 'private', 'pending'], place),
      timezone: words(['America/Toronto', 'UTC', 'UTC-5'], place),
      ml_language: words(['en', 'fr-CA'], place),
      ...more,
    })
  }
  await givenEvent(app, { title: 'Days', all_day: true, start_date: '2030-05-01', end_date: '2030-05-03' })
}

test('a table that the service gives out is read back at the desk of another one as it was', async (t) => {
  const [app, other] = [await startTestApp(t), await startTestApp(t)]
  await givenAll(app, { tags: ['A'] })
  const before = await csvOf(app)

  const { faults } = await sendTable(other, before)
  const after = await csvOf(other)

  assert.deepEqual(faults, [])
  assert.equal(rowsOf(before).length, names.length + 1)
  assert.deepEqual(lasting(rowsOf(after)), lasting(rowsOf(before)))
})

test('a table that is read back where it comes from has the same names, places and pictures, and makes none', async (t) => {
  const app = await startTestApp(t)
  const { payload, headers } = form(await picture(8, 8))
  const { body: image } = await app.send({
    as: 'editor',
    method: 'POST',
    path: '//cal/service/v1/media',
    payload,
    headers,
  })
  await givenAll(app, { image: image.id })
  const totals = async () =>
    Promise.all(
      ['venues', 'organizers', 'categories', 'tags'].map(async (kind) => {
        const { body } = await app.send({ as: 'editor', path: `/${kind}?status=any&hide_empty=false` })
        return body.total
      }),
    )
  const [before, had] = [await csvOf(app), await totals()]

  const { faults } = await sendTable(app, before)
  const after = rowsOf(await csvOf(app))

  assert.deepEqual(faults, [])
  assert.deepEqual(await totals(), had)
  const ids = new Set(rowsOf(before).map(({ id }) => id))
  assert.deepEqual(lasting(after.filter(({ id }) => !ids.has(id))), lasting(rowsOf(before)))
})

const service = '//cal/service/v1'

/** Reads a record as editors do. */
async function read(app: TestApp, path: string): Promise<Record<string, unknown>> {
  const { status, body } = await app.send({
    as: 'editor',
    path: `${path}${path.includes('?') ? '&' : '?'}context=edit`,
  })
  assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`)
  return body
}

/** Without what each change changes. */
const unchanging = (body: unknown, more: RegExp = /(?!)/): unknown =>
  JSON.parse(
    JSON.stringify(body, (name, value) => (/^modified|^json_ld$/.test(name) || more.test(name) ? undefined : value)),
  )

/** Fields of an event of every kind, with a name in all of them. */
async function fieldsNamed(app: TestApp, name: string, place: number) {
  const { id: venue } = await givenVenue(app, { venue: `${name} hall`, city: 'Laval' })
  const { id: organizer } = await givenOrganizer(app, { organizer: `${name} club` })
  return {
    ...{
      title: name,
      description: `<p>${name}</p>\n<ul><li>a</li></ul>`,
      excerpt: name,
      venue,
      organizer: [organizer],
    },
    ...{ categories: [name, 'Rock, pop'], tags: [name], timezone: words(['America/Toronto', 'UTC', 'UTC-5'], place) },
    cost: words(['5 – 10', '$12.50', '', 'Free', '9,000 €', 'Members $5, others $10'], place),
    website: words(['https://a.example/?x=1&y=2', "https://a.example/it's?a=1&amp;b=2", ''], place),
    ...{
      start_date: `2030-05-${10 + place} 19:00:${10 + place}`,
      end_date: `2030-05-${10 + place} 23:59:59`,
      all_day: place % 7 === 6,
    },
    event_status: words(['scheduled', 'canceled', 'moved_online', 'rescheduled', 'postponed'], place),
    event_status_reason: place % 5 === 0 ? '' : `${name}\nmore`,
    attendance: words(['offline', 'online', 'mixed'], place),
    ...{ virtual_url: 'https://v.example/?a=1&b=2', virtual_access: words(['all', 'registered'], place) },
    ...{ featured: place % 2 === 0, sticky: place % 3 === 0, hide_from_listings: place % 4 === 0, show_map: true },
    offers: [{ name, price: '5', currency: 'CAD', url: 'https://t.example/?a=1&b=2', availability: 'sold_out' }],
    ...{
      availability: words(['in_stock', 'sold_out', ''], place),
      capacity: 10 * place,
      event_password: place % 4 === 3 ? 'open' : '',
    },
  }
}

test('an event that is saved at the desk as it is shown, or copied there again and again, keeps all that it has', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  for (const [place, name] of names.entries()) {
    const { id } = await givenEvent(app, await fieldsNamed(app, name, place))
    const french = await givenEvent(app, { title: `${name} fr`, ml_language: 'fr-CA', ml_translation_of: id })
    const ids = [id, french.id]
    const before = await Promise.all(ids.map((one) => read(app, `/events/${one}`)))

    const shown = await desk.get(`/admin/events/${id}/`)
    const saved = await desk.send(`/admin/events/${id}/`, { ...fieldsShown(shown.text), to: 'save' })
    assert.equal(saved.status, 303, saved.text)
    assert.deepEqual(await Promise.all(ids.map((one) => read(app, `/events/${one}`))), before, name)

    let copy = id
    for (const _ of [1, 2]) {
      const page = await desk.get(`/admin/events/${copy}/copy/`)
      assert.equal(page.status, 200)
      const made = await desk.send(`/admin/events/${copy}/copy/`, {
        ...{ start: String(before[0]?.start_date), end: String(before[0]?.end_date), to: 'draft' },
      })
      assert.equal(made.status, 303, made.text)
      copy = Number(/\/admin\/events\/(\d+)\//.exec(made.headers.location ?? '')?.[1])
    }
    const own =
      /^(?:id|global_id|global_id_lineage|rest_url|url|slug|status|date|date_utc|author|website|event_status.*|previous.*|translations)$/
    const copied = await read(app, `/events/${copy}`)
    assert.deepEqual(unchanging(copied, own), unchanging(before[0], own), name)
    assert.equal(
      copied.website === copied.url ? '' : copied.website,
      before[0]?.website === before[0]?.url ? '' : before[0]?.website,
    )
    const [sources, stored] = await Promise.all([copy, id].map((one) => read(app, `${service}/events/${one}/source`)))
    for (const member of ['title', 'description', 'excerpt', 'cost'])
      assert.deepEqual(sources?.[member], stored?.[member])
    const guarded = await app.send({
      as: 'editor',
      method: 'PATCH',
      path: `/events/${copy}`,
      json: { status: 'publish' },
    })
    assert.equal(guarded.status, 200)
    const seen = (await app.send({ path: `/events/${copy}` })).body.code
    assert.equal(seen, place % 4 === 3 ? 'event-password-protected' : undefined)
  }
})

/** Links have their own histories, the history knows no passwords, and what the editor does not show it does not restore. */
const notRestored = new Set([
  'venue',
  'organizer',
  'categories',
  'tags',
  'event_password',
  'virtual_access',
  'show_map',
])

test('venues, organizers, categories and tags that are saved at the desk as they are shown stay as they were', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const names = ['Tom & Jerry’s "Hall"', 'Salle &lt;A&gt; 5 &lt; 6 &amp;amp; x', 'A &amp;lt;b&amp;gt; c']

  for (const [plural, field] of Object.entries({ ...{ venues: 'venue', organizers: 'organizer' }, ...termFields })) {
    for (const name of names) {
      const json = { [field]: name, description: 'One &amp; <b>two</b> &lt;i&gt;' }
      const made = await app.send({ as: 'editor', method: 'POST', path: `/${plural}`, json })
      const read = async () => {
        const { body } = await app.send({ as: 'editor', path: `/${plural}/${made.body.id}` })
        return { ...body, modified: '', modified_utc: '' }
      }
      const before = await read()
      const page = `/admin/${plural}/${made.body.id}/`
      const saved = await desk.send(page, fieldsShown((await desk.get(page)).text))
      assert.equal(saved.status, 303, saved.text)
      assert.deepEqual(await read(), before)
    }
  }
})

const termFields = { categories: 'name', tags: 'name' }

test('a version that is restored from the history is what it was', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  for (const [place, name] of names.entries()) {
    const { id } = await givenEvent(app, await fieldsNamed(app, name, place))
    const before = await read(app, `/events/${id}`)
    const other = Object.entries(await fieldsNamed(app, `Other ${place}`, place + 1))
    const { status } = await app.send({
      ...{ as: 'editor', method: 'PATCH', path: `/events/${id}` },
      json: Object.fromEntries(other.filter(([argument]) => !notRestored.has(argument))),
    })
    assert.equal(status, 200)
    const { entries } = (await read(app, `${service}/events/${id}/history`)) as { entries: { id: number }[] }

    const page = await desk.get(`/admin/events/${id}/?restore=${entries.at(-1)?.id}`)
    const saved = await desk.send(`/admin/events/${id}/`, { ...fieldsShown(page.text), to: 'save' })

    assert.equal(saved.status, 303, saved.text)
    const own = /^(?:event_status_date|previous_start_dates|slug|url|website|start_date.*|end_date.*|utc_.*)$/
    const after = await read(app, `/events/${id}`)
    assert.deepEqual(unchanging(after, own), unchanging(before, own), name)
    assert.deepEqual([after.start_date, after.end_date], [before.start_date, before.end_date])
    // A website that an update empties is "" (events.md §4).
    assert.equal(after.website, before.website === before.url ? '' : before.website)
  }
})

test('a series and its dates that are given back stay as they were, and a date keeps following', async (t) => {
  const app = await startTestApp(t)
  for (const [place, name] of names.entries()) {
    const { event_password: _, ...fields } = await fieldsNamed(app, name, place)
    const recurrence = { rrule: 'FREQ=WEEKLY;COUNT=3' }
    const { body, status } = await app.send({
      as: 'editor',
      method: 'POST',
      path: '/events',
      json: { ...fields, recurrence },
    })
    assert.equal(status, 201, JSON.stringify(body))
    const path = `${service}/series/${body.series.id}`
    const list = `/events?series=${body.series.id}&start_date=2030-01-01&end_date=2031-01-01`
    const [series, dates] = [await read(app, path), await read(app, list)]

    for (const method of ['PUT', 'POST', 'PATCH'] as const) {
      const given = await read(app, `/events/${body.id}`)
      const answer = await app.send({ as: 'editor', method, path: `/events/${body.id}`, json: given })
      assert.equal(answer.status, 200, `${method}: ${answer.text}`)
    }
    const changed = await app.send({ as: 'editor', method: 'PATCH', path, json: series })
    assert.equal(changed.status, 200, changed.text)

    assert.deepEqual(unchanging(await read(app, path)), unchanging(series), name)
    assert.deepEqual(unchanging(await read(app, list)), unchanging(dates), name)
    const { headers } = await app.send({ as: 'editor', method: 'PATCH', path, json: { title: 'All' } })
    assert.match(String(headers['x-series-changed']), /changed=3/)
  }
})

test('what a source reads under its ids may be sent under them again, and is no change', async (t) => {
  const app = await startTestApp(t)
  const put = (path: string, json: unknown) =>
    app.send({ as: 'editor', method: 'PUT', path: `${service}/sources/feed/${path}`, json: json as object })
  const again = async (path: string) => {
    const given = await read(app, `${service}/sources/feed/${path}`)
    const [first, second] = [await put(path, given), await put(path, given)]
    // The first one says more than the source has said before.
    assert.deepEqual([first.status, second.status], [200, 204], `${path}: ${first.text}`)
    assert.deepEqual(unchanging(await read(app, `${service}/sources/feed/${path}`)), unchanging(given), path)
  }
  for (const [place, name] of names.entries()) {
    const venue = { venue: name, city: name, address: name, description: name, website: 'https://a.example/?x=1&y=2' }
    const organizer = { organizer: name, phone: name, description: name, email: 'a@b.example' }
    const { venue: _, organizer: __, ...fields } = await fieldsNamed(app, name, place)
    for (const [path, json] of [
      [`venues/${place}`, venue],
      [`organizers/${place}`, organizer],
      [`events/${place}`, { ...fields, venue: { external_id: `${place}` }, organizer: { external_id: `${place}` } }],
    ] as const) {
      const made = await put(path, json)
      assert.equal(made.status, 201, made.text)
      await again(path)
    }
  }
})
