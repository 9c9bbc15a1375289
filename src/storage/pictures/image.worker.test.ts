import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { picture } from '../../../test/support/pictures.ts'
import { Problem } from '../../base/problems.ts'
import { createImageWorker } from './image.worker.ts'
import { startWorkerProcess } from './picture.command.ts'
import type { PictureTask } from './picture.formats.ts'

const timeoutMs = 60_000

async function givenTask(t: TestContext): Promise<PictureTask> {
  const folder = await mkdtemp(join(tmpdir(), 'cal-events-image-worker-'))
  t.after(() => rm(folder, { recursive: true }))
  const source = join(folder, 'received')
  await writeFile(source, await picture(40, 30))
  return { source, folder }
}

/** An image worker whose first children start as `starts` says, one after the other. Later ones start as usual. */
function imageWorkerOf(t: TestContext, ...starts: readonly (() => ChildProcess)[]) {
  const left = [...starts]
  const imageWorker = createImageWorker(timeoutMs, () => (left.shift() ?? startWorkerProcess)())
  t.after(() => imageWorker.close())
  return imageWorker
}

const refuse = (): never => {
  throw Object.assign(new Error('spawn ENOMEM'), { code: 'ENOMEM' })
}
const isTurnedAway = (error: unknown) =>
  error instanceof Problem && error.code === 'service_unavailable' && error.headers['Retry-After'] !== undefined

test('where no process can be started, all that wait are told to come again, and the next picture is made', async (t) => {
  const task = await givenTask(t)
  const imageWorker = imageWorkerOf(t, ...Array.from({ length: 60 }, () => refuse))

  const told = await Promise.allSettled(Array.from({ length: 60 }, (_, user) => imageWorker.make(task, `user ${user}`)))

  for (const one of told) assert.ok(one.status === 'rejected' && isTurnedAway(one.reason))
  assert.equal(imageWorker.waiting(), 0)
  assert.ok('picture' in (await imageWorker.make(task, 'user')))
})

test('a process that fails more than once, or that cannot be spoken to, ends nothing but its picture', async (t) => {
  const task = await givenTask(t)
  const failing = () => {
    const child = spawn(join(task.folder, 'nothing'), { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    child.once('error', () => setImmediate(() => child.emit('error', new Error('once more'))))
    return child
  }
  // As for a process that got no file descriptor: it has no channel.
  const dumb = () => spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  const imageWorker = imageWorkerOf(t, failing, dumb)

  const told = await Promise.allSettled([imageWorker.make(task, 'user'), imageWorker.make(task, 'user')])

  for (const one of told) assert.ok(one.status === 'rejected' && isTurnedAway(one.reason), String(one.status))
  assert.ok('picture' in (await imageWorker.make(task, 'user')))
})

test('the time that a process takes to start does not count for its picture', async (t) => {
  const task = await givenTask(t)
  // It starts later than a picture may take.
  const answering =
    "process.on('message', () => process.send({ outcome: { fault: 'unreadable' } })); process.send('ready')"
  const start = () => spawn(process.execPath, ['-e', answering], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  const imageWorker = createImageWorker(5, start)
  t.after(() => imageWorker.close())

  assert.ok('fault' in (await imageWorker.make(task, 'user')))
})

test('one user never has all the room for pictures that wait', async (t) => {
  const task = await givenTask(t)
  const silent = () =>
    spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000)'], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  const imageWorker = imageWorkerOf(t, silent)
  const greedy = Array.from({ length: 40 }, () => imageWorker.make(task, 'greedy'))
  const other = imageWorker.make(task, 'other')
  const settled = Promise.allSettled([...greedy, other])
  await new Promise(setImmediate)

  assert.equal(imageWorker.waiting(), 33)
  await imageWorker.close()

  const isLate = ({ status }: { readonly status: string }) => status === 'rejected'
  assert.ok((await settled).every(isLate))
})
