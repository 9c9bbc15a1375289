import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { pidScope } from '../../src/calendar/media/pid.scope.ts'
import { pause } from '../support/pause.ts'
import { form, picture, slowPicture } from '../support/pictures.ts'
import { adminAuthorization, adminPassword } from '../support/service.process.ts'
import { startShell } from '../support/shell.ts'

const options = { timeout: 120_000 }
const run = promisify(execFile)
const metricsToken = 'pictures-metrics-token'

/** A service with a temporary folder of its own. */
async function givenService(t: TestContext, environment: Readonly<Record<string, string>> = {}) {
  const shell = await startShell(t)
  const temporary = join(shell.folder, 'temporary')
  await mkdir(temporary, { recursive: true })
  const serve = () =>
    shell.serve([], {
      ...{ ADMIN_PASSWORD: adminPassword, TMPDIR: temporary },
      // On a busy machine a slow picture must still be at work when the test ends its process.
      PICTURE_TIMEOUT: '110',
      ...environment,
    })
  return { serve, temporary, leftovers: () => readdir(temporary) }
}

type Served = Awaited<ReturnType<Awaited<ReturnType<typeof givenService>>['serve']>>

async function upload({ api }: Served, bytes: Buffer): Promise<{ readonly status: number; readonly text: string }> {
  const { headers, payload } = form(bytes)
  const body = new Uint8Array(payload)
  const address = new URL('../../service/v1/media', `${api}/`)
  const answer = await fetch(address, {
    method: 'POST',
    headers: { ...headers, authorization: adminAuthorization },
    body,
  })
  return { status: answer.status, text: await answer.text() }
}

/**
 * Returns the process that makes pictures, once it has read its input.
 *
 * @throws Error with the answer to the upload, if that comes first
 */
async function makerOf({ child }: Served, sent: Promise<unknown>): Promise<number> {
  let answer: unknown
  void sent.then((received) => {
    answer = received
  })
  for (;;) {
    if (answer !== undefined) throw new Error(`Answered before it was made: ${JSON.stringify(answer)}`)
    const pids = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
    const maker = Number(pids.trim().split(' ')[0])
    // Megabytes of pixels: it is at work.
    if (maker > 0 && (await residentMegabytes(maker)) > 200) return maker
    await pause()
  }
}

async function statusOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
}

async function residentMegabytes(pid: number): Promise<number> {
  return Number(/^VmRSS:\s+(\d+)/m.exec(await statusOf(pid))?.[1] ?? 0) / 1024
}

/** A process that has ended remains listed until its parent reads the exit status. */
async function isGone(pid: number): Promise<boolean> {
  return /^State:\s+[^ZX]/m.exec(await statusOf(pid)) === null
}

test('a service that is told to end waits for no picture longer than for other requests', options, async (t) => {
  const { serve, leftovers } = await givenService(t, { SHUTDOWN_TIMEOUT: '1' })
  const served = await serve()
  const sent = upload(served, await slowPicture()).catch(() => 'cut')
  const maker = await makerOf(served, sent)

  served.child.kill('SIGTERM')
  const [code] = await once(served.child, 'exit')

  assert.deepEqual([code, await sent, await isGone(maker)], [75, 'cut', true])
  assert.deepEqual(await leftovers(), [])
})

test(
  'a service that is killed takes along what makes pictures, and the next one clears what it left',
  options,
  async (t) => {
    const { serve, leftovers, temporary } = await givenService(t)
    const served = await serve()
    const sent = upload(served, await slowPicture()).catch(() => 'cut')
    const maker = await makerOf(served, sent)

    served.child.kill('SIGKILL')
    await sent
    while (!(await isGone(maker))) await pause()
    const left = await leftovers()
    const place = pidScope()
    const others = [
      // Folders of a running process, and of other machines and containers with any processes.
      `cal-events-picture-${place}.${process.pid}.0123abcd-abcdef`,
      `cal-events-picture-89abcdef.${served.child.pid}.0123abcd-abcdef`,
      'cal-events-picture-else',
      'other',
    ]
    const abandoned = `cal-events-picture-89abcdef.${process.pid}.0123abcd-abcdef`
    for (const name of [...others, abandoned]) await mkdir(join(temporary, name))
    await writeFile(join(temporary, others[0] ?? '', 'received'), 'in use')
    const longAgo = new Date(Date.now() - 2 * 3_600_000)
    await utimes(join(temporary, abandoned), longAgo, longAgo)
    await serve()

    // Folders of the upload, and of the pictures made from it.
    assert.equal(left.length, 2, String(left))
    assert.deepEqual((await leftovers()).toSorted(), others.toSorted())
  },
)

test('a picture that ends the process which is to make it is refused, and the next one is made', options, async (t) => {
  const { serve } = await givenService(t)
  const served = await serve()
  const [large, tiny] = [await slowPicture(), await picture(40, 30)]
  const slow = upload(served, large)
  const small = upload(served, tiny)

  process.kill(await makerOf(served, slow), 'SIGKILL')

  const [ended, next] = await Promise.all([slow, small])
  assert.deepEqual([ended.status, next.status], [422, 201], ended.text)
  assert.match(ended.text, /cannot be processed/)
})

/** Waits until this number of pictures are in work or wait for it. */
async function untilWaiting({ api }: Served, count: number): Promise<void> {
  const headers = { authorization: `Bearer ${metricsToken}` }
  for (;;) {
    const text = await (await fetch(new URL('/metrics', api), { headers })).text()
    if (new RegExp(`^cal_events_pictures_waiting ${count}$`, 'm').test(text)) return
    await pause()
  }
}

test(
  'where file handles are used up, pictures in line are told to come again, and later ones are made',
  options,
  async (t) => {
    const { serve } = await givenService(t, { METRICS_TOKEN: metricsToken })
    const served = await serve()
    const { pid } = served.child
    const slow = upload(served, await slowPicture())
    const maker = await makerOf(served, slow)
    const inLine = [upload(served, await picture(40, 30)), upload(served, await picture(50, 30))]
    await untilWaiting(served, 3)
    const open = new Set(await readdir(`/proc/${pid}/fd`))
    let free = 0
    while (open.has(String(free))) free += 1
    await run('prlimit', ['--pid', String(pid), `--nofile=${free}:`])

    process.kill(maker, 'SIGKILL')

    const answers = await Promise.all([slow, ...inLine])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [422, 503, 503],
    )
    await run('prlimit', ['--pid', String(pid), '--nofile=4096:'])
    assert.equal((await upload(served, await picture(40, 30))).status, 201)
  },
)
