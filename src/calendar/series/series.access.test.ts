// What a series tells of dates that a caller may not read: docs/decisions/0059-series.md.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { form, picture } from '../../../test/support/pictures.ts'
import type { Role } from '../../access/auth/actor.ts'

const friday = { title: 'Yoga', start_date: '2030-05-03 18:30:00', end_date: '2030-05-03 19:30:00' }
const weekly = { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } }
const service = '//cal/service/v1'

async function startCalendar(t: TestContext) {
  const app = await startTestApp(t)
  const write = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, json?: object) => {
    const answer = await app.send({ as: 'administrator', method, path, ...(json ? { json } : {}) })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
    return answer.body
  }
  return { app, write }
}

test('a filter by a series that the caller does not know answers as for no series', async (t) => {
  const { app, write } = await startCalendar(t)
  const draft = await write('POST', `${service}/series`, { ...friday, ...weekly, status: 'draft' })
  const trashed = await write('POST', `${service}/series`, { ...friday, ...weekly })
  await write('DELETE', `${service}/series/${trashed.id}`)

  for (const parameter of ['series', 'post_parent']) {
    const none = await app.send({ path: `/events?${parameter}=99999` })
    assert.equal(none.status, 400)
    for (const { id } of [draft, trashed]) {
      for (const as of [undefined, 'subscriber', 'author'] as const) {
        const answer = await app.send({ ...(as ? { as } : {}), path: `/events?${parameter}=${id}` })
        assert.deepEqual([answer.status, answer.text], [400, none.text], `${parameter}=${id} as ${as}`)
      }
      const { status } = await app.send({ as: 'editor', path: `/events?${parameter}=${id}` })
      assert.equal(status, 200, `${parameter}=${id}`)
    }
  }

  const { dates } = (await app.send({ as: 'editor', path: `${service}/series/${draft.id}/dates` })).body
  await write('PATCH', `/events/${dates[1].event_id}`, { status: 'publish' })
  const shown = await app.send({ path: `/events?series=${draft.id}` })
  assert.deepEqual(
    shown.body.events.map(({ id }: { readonly id: number }) => id),
    [dates[1].event_id],
    'The event itself tells of which series it is.',
  )
})

test('the template of a series is no use of its picture', async (t) => {
  const { app, write } = await startCalendar(t)
  const upload = await app.send({
    ...{ as: 'administrator', method: 'POST', path: `${service}/media` },
    ...form(await picture(20, 20)),
  })
  await write('POST', `${service}/series`, { ...friday, ...weekly, image: upload.body.id })

  const { body } = await app.send({ as: 'administrator', path: `${service}/media/usage?id=${upload.body.id}` })
  const [{ uses, used_by: usedBy }] = body.items
  assert.equal(uses, 3)
  assert.deepEqual(
    usedBy.map(({ kind }: { readonly kind: string }) => kind),
    ['event', 'event', 'event'],
  )
})

/** How a day of July is written in addresses, tables, calendars, and texts of pages. */
const spelling = (day: number) =>
  new RegExp(`2030-?070${day}|2030-07-0${day}|\\bJul(?:y|\\.)? ${day}\\b|\\b${day} juillet`)

/** Returns all that a caller reads of a series, by path. */
async function readAll(
  app: TestApp,
  { id, slug, as }: { readonly id: number; readonly slug: string; readonly as?: Role },
) {
  const paths = [
    ...[`${service}/series/${id}`, `${service}/series/${id}/dates`, `${service}/changes?form=v1`],
    ...[`/events?series=${id}`, `/events?series=${id}&occurrences=next`, `/events/by-slug/${slug}`],
    ...['ics', 'csv', 'rss', 'atom'].map((format) => `/events.${format}?series=${id}`),
    ...[`/events.ics?series=${id}&occurrences=each`, `/events/by-slug/${slug}-2030-05-03`],
    ...[`//event/${slug}/`, `//event/${slug}/all/`, `//event/${slug}/2030-05-03/`, `//fr/event/${slug}/`],
    ...['//events/', '//events/?occurrences=next', '//sitemap-1.xml'],
    ...[
      `//event/${slug}/?ical=1`,
      `//oembed/1.0/embed?url=http://calendar.test/event/${slug}/`,
      `//event/${slug}/embed/`,
    ],
  ]
  const answers: (readonly [path: string, text: string])[] = []
  for (const path of paths) answers.push([path, (await app.send({ ...(as ? { as } : {}), path })).text])
  return answers
}

test('a series tells nobody of dates that he may not read', async (t) => {
  const { app, write } = await startCalendar(t)
  const weeks = { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=12' } }
  const ruled = await write('POST', `${service}/series`, { ...friday, ...weeks, title: 'Ruled' })
  const dated = await write('POST', `${service}/series`, {
    ...{ title: 'Dated', start_date: '2030-07-01 10:00:00', end_date: '2030-07-01 11:00:00' },
    recurrence: { dates: ['2030-07-02 10:00', '2030-07-03 10:00', '2030-08-01 10:00'] },
  })
  // Dates of July: a draft, a private and a trashed one.
  for (const day of [1, 2, 3]) {
    await write('POST', `${service}/series/${ruled.id}/dates`, { start_date: `2030-07-0${day} 10:00:00` })
  }
  for (const { id } of [ruled, dated]) {
    const { body } = await app.send({ as: 'administrator', path: `${service}/series/${id}/dates` })
    const starting = (day: string) =>
      body.dates.find(({ recurrence_id }: { readonly recurrence_id: string }) => recurrence_id.startsWith(day))
    await write('PATCH', `/events/${starting('2030-07-01').event_id}`, { status: 'draft' })
    await write('PATCH', `/events/${starting('2030-07-02').event_id}`, { status: 'private' })
    // The next part of the series begins after a date that is trashed.
    const friday = starting('2030-07-05')
    if (friday) {
      const moved = { start_date: '2030-07-05 19:00:00', end_date: '2030-07-05 20:00:00' }
      await write('PATCH', `/events/${friday.event_id}?scope=following`, moved)
    }
    await write('DELETE', `/events/${starting('2030-07-03').event_id}`)
  }

  for (const as of [undefined, 'subscriber', 'contributor', 'author'] as const) {
    for (const { id, slug } of [ruled, dated]) {
      for (const [path, text] of await readAll(app, { id, slug, ...(as ? { as } : {}) })) {
        const told = [1, 2, 3].filter((day) => spelling(day).test(text))
        assert.deepEqual(told, [], `${path} as ${as}`)
        assert.doesNotMatch(text, /and \d+ more date|except \d|et \d+ autres? date|sauf \d/, `${path} as ${as}`)
      }
    }
  }
  const shown = (await app.send({ path: `${service}/series/${ruled.id}` })).body
  assert.deepEqual(
    shown.segments.map(({ from, text, dates, except }: Record<string, unknown>) => [from, text, dates, except]),
    [
      ['2030-05-03 18:30:00', 'every Friday, 12 times', [], []],
      ['2030-07-05 19:00:00', 'every Friday, 3 times', [], []],
    ],
  )
  const bare = (await app.send({ path: `${service}/series/${dated.id}` })).body
  assert.deepEqual([bare.start_date, bare.rrule, bare.text, bare.segments], [null, '', '', []])
  const whole = (await app.send({ as: 'editor', path: `${service}/series/${dated.id}` })).body
  assert.equal(whole.start_date, '2030-07-01 10:00:00')
  assert.equal(whole.text, 'on 3 dates, July 1–August 1, 2030')
  const missing = await app.send({ path: '//event/ruled/2030-07-08/' })
  for (const day of [1, 2]) {
    const hidden = await app.send({ path: `//event/ruled/2030-07-0${day}/` })
    assert.deepEqual([hidden.status, hidden.text.length], [missing.status, missing.text.length])
  }
})
