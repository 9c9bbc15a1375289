import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { vastAvif } from '../../../test/support/disguised.pictures.ts'
import { form, picture, slowPicture } from '../../../test/support/pictures.ts'

const path = '//fr/cal/service/v1/media'

test('a picture that takes too long is refused, and the next one is made', async (t) => {
  const app = await startTestApp(t, { PICTURE_TIMEOUT: '1' })
  const upload = (bytes: Buffer) => app.send({ as: 'author', method: 'POST', path, ...form(bytes) })

  const [slow, quick] = await Promise.all([upload(await slowPicture()), upload(await picture(40, 30))])

  assert.equal(slow.status, 422, slow.text)
  assert.deepEqual([slow.body.code, Object.keys(slow.body.errors)], ['media-refused', ['file']])
  assert.match(slow.body.errors.file, /prend trop de temps/)
  assert.equal(quick.status, 201, quick.text)
  assert.equal(app.deps.pictures.imageWorker.waiting(), 0)
})

test('each format has the most pixels that its memory allows, and the refusal says how many', async (t) => {
  const app = await startTestApp(t)

  const { status, body } = await app.send({
    as: 'author',
    method: 'POST',
    path: path.replace('/fr', ''),
    ...form(vastAvif),
  })

  assert.deepEqual(
    [status, body.errors],
    [422, { file: '“file” has more than 13 million pixels, the most for its format.' }],
  )
})

test('where pictures are made no more, uploads are told to come again', async (t) => {
  // With a limit of its own, the app has a worker of its own, which this test closes.
  const app = await startTestApp(t, { PICTURE_TIMEOUT: '60' })
  const upload = (bytes: Buffer) => app.send({ as: 'author', method: 'POST', path, ...form(bytes) })
  const slow = upload(await slowPicture())
  while (app.deps.pictures.imageWorker.waiting() === 0) await new Promise((resolve) => setImmediate(resolve))

  await app.deps.pictures.imageWorker.close()

  const answers = [await slow, await upload(await picture(40, 30))]
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers['retry-after']]),
    [
      [503, '10'],
      [503, '10'],
    ],
  )
})
