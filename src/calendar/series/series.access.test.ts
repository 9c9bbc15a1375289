// What a series tells of dates that a caller may not read: docs/decisions/0059-series.md.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { form, picture } from '../../../test/support/pictures.ts'

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
