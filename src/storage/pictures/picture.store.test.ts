import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import S3rver from 's3rver'
import { parseMediaUrl } from '../../base/config/media.ts'
import { openPictureStore } from './picture.open.ts'
import type { PictureStore } from './picture.store.ts'

async function givenFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cal-events-store-'))
  t.after(() => rm(folder, { recursive: true }))
  return folder
}

const stores: Record<string, (t: TestContext) => Promise<PictureStore>> = {
  'a folder': async (t) => openPictureStore({ kind: 'folder', folder: join(await givenFolder(t), 'not', 'there') }),
  'an S3-compatible server': async (t) => {
    const server = new S3rver({
      port: 0,
      silent: true,
      directory: await givenFolder(t),
      configureBuckets: [{ name: 'pictures', configs: [] }],
    })
    const { port } = await server.run()
    t.after(() => server.close())
    process.env.AWS_ACCESS_KEY_ID = 'S3RVER'
    process.env.AWS_SECRET_ACCESS_KEY = 'S3RVER'
    const url = `s3://pictures/of/ours?region=us-east-1&path_style=1&endpoint=${encodeURIComponent(`http://localhost:${port}`)}`
    const place = parseMediaUrl(url)
    assert.equal(place?.kind, 's3')
    return openPictureStore(place ?? assert.fail())
  },
}

for (const [title, open] of Object.entries(stores)) {
  test(`${title} keeps what it is given, whole and in parts, until it is removed`, async (t) => {
    const store = await open(t)
    const local = join(await givenFolder(t), 'made')
    const bytes = Buffer.from('0123456789'.repeat(1000))
    await writeFile(local, bytes)
    const names = ['2030/01/one-0a.jpg', '2030/12/two.png']

    for (const name of names) await store.write(name, local, 'image/jpeg')
    const found = await store.find('2030/01/one-0a.jpg')
    const whole = found && (await buffer(await found.read()))
    const part = found && (await buffer(await found.read({ first: 5, last: 12 })))
    const listed = await Array.fromAsync(store.list())
    await store.remove('2030/01/one-0a.jpg')
    await store.remove('2030/01/one-0a.jpg')

    assert.equal(found?.sizeBytes, bytes.length)
    assert.deepEqual(whole, bytes)
    assert.deepEqual(String(part), '56789012')
    assert.deepEqual(listed.map(({ name }) => name).sort(), names)
    assert.ok(listed.every(({ storedAt }) => Math.abs(storedAt - Date.now() / 1000) < 600))
    assert.equal(await store.find('2030/01/one-0a.jpg'), undefined)
    assert.equal(await store.find('2031/01/none.jpg'), undefined)
    assert.deepEqual(
      (await Array.fromAsync(store.list())).map(({ name }) => name),
      ['2030/12/two.png'],
    )
  })
}

test('a store that was never written to is empty', async (t) => {
  const store = await openPictureStore({ kind: 'folder', folder: join(await givenFolder(t), 'none') })

  assert.deepEqual(await Array.fromAsync(store.list()), [])
  await assert.rejects(async () => store.find('../../etc/passwd'))
})

test('where pictures are is a folder or a bucket, and nothing else', () => {
  assert.equal(parseMediaUrl(''), undefined)
  assert.deepEqual(parseMediaUrl('/var/lib/pictures'), { kind: 'folder', folder: '/var/lib/pictures' })
  assert.deepEqual(parseMediaUrl('s3://bucket'), {
    ...{ kind: 's3', bucket: 'bucket', prefix: '', region: undefined, endpoint: undefined, isPathStyle: false },
  })
  for (const wrong of [
    'http://bucket',
    's3://',
    's3://user:secret@bucket',
    's3://bucket?endpoint=ftp://x',
    'ftp://x',
  ]) {
    assert.throws(() => parseMediaUrl(wrong), /s3:\/\/bucket/, wrong)
  }
})
