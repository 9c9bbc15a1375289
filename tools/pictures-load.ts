// Measures the delay of a list while large pictures are processed. Prints figures, tests nothing.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import sharp from 'sharp'

const { values } = parseArgs({
  options: {
    pictures: { type: 'string', default: '20' },
    megapixels: { type: 'string', default: '20' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(`Uploads pictures at once and measures a list of events before and meanwhile.

  node tools/pictures-load.ts [--pictures 20] [--megapixels 20] [--json]`)
  process.exit(0)
}

const secret = 'pictures pictures pictures'
const authorization = `Basic ${btoa(`admin:${secret}`)}`
const folder = await mkdtemp(join(tmpdir(), 'cal-events-load-'))
const program = new URL('../bin/cal-events.mjs', import.meta.url).pathname
const server = spawn(process.execPath, [program, 'serve'], {
  env: { PATH: process.env.PATH, DATA_DIR: folder, PORT: '0', ADMIN_PASSWORD: secret },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const ended = once(server, 'close')
try {
  const api = await apiOf()
  await fillCalendar(api)
  const height = Math.round(Math.sqrt((Number(values.megapixels) * 1e6 * 3) / 4))
  const picture = await noise(Math.round((height * 4) / 3), height)
  console.error(`Pictures of ${(picture.length / 1e6).toFixed(1)} MB.`)

  const idle = await measure(api, async () => new Promise((resolve) => setTimeout(resolve, 5000)))
  const beganAtMs = performance.now()
  const busy = await measure(api, async () => {
    await Promise.all(Array.from({ length: Number(values.pictures) }, () => upload(api, picture)))
  })
  const seconds = (performance.now() - beganAtMs) / 1000
  const rss = Number(/VmHWM:\s+(\d+)/.exec(await statusOf(server.pid ?? 0))?.[1] ?? 0) / 1024
  const figures = { idle, busy, ratioOfP99: busy.p99 / idle.p99, uploadSeconds: seconds, peakMegabytes: rss }
  if (values.json) console.log(JSON.stringify(figures, undefined, 2))
  else {
    console.log(
      `A list, idle:                p50 ${idle.p50.toFixed(1)} ms, p99 ${idle.p99.toFixed(1)} ms (${idle.count})`,
    )
    console.log(
      `A list, during the uploads:  p50 ${busy.p50.toFixed(1)} ms, p99 ${busy.p99.toFixed(1)} ms (${busy.count})`,
    )
    console.log(`p99 is ${figures.ratioOfP99.toFixed(1)} times that of the idle service.`)
    console.log(`${values.pictures} uploads took ${seconds.toFixed(1)} s; at most ${rss.toFixed(0)} MB of memory.`)
  }
} finally {
  server.kill('SIGTERM')
  await ended
  await rm(folder, { recursive: true })
}

async function apiOf(): Promise<string> {
  let printed = ''
  for await (const chunk of server.stdout) {
    printed += chunk
    const api = /^API +(\S+)\/$/m.exec(printed)?.[1]
    if (api) return api
  }
  throw new Error(`The service ended before it listened: ${printed}`)
}

async function fillCalendar(api: string): Promise<void> {
  const year = new Date().getFullYear() + 1
  for (let number = 0; number < 50; number += 1) {
    const day = `${year}-03-${String(1 + (number % 28)).padStart(2, '0')}`
    const json = { title: `Event ${number}`, start_date: `${day} 10:00`, end_date: `${day} 12:00`, tags: ['one'] }
    const answer = await fetch(`${api}/events`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(json),
    })
    if (answer.status !== 201) throw new Error(await answer.text())
  }
}

/** Returns a picture like a photograph: a smooth one would be processed too quickly. */
async function noise(width: number, height: number): Promise<Buffer> {
  const small = await sharp({
    create: {
      width: width >> 2,
      height: height >> 2,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .png()
    .toBuffer()
  return sharp(small).resize(width, height, { fit: 'fill' }).jpeg({ quality: 90 }).toBuffer()
}

async function upload(api: string, picture: Buffer): Promise<void> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(picture)]), 'large.jpg')
  const address = new URL('../../service/v1/media', `${api}/`)
  const answer = await fetch(address, { method: 'POST', headers: { authorization }, body: form })
  if (answer.status !== 201) throw new Error(await answer.text())
  await answer.arrayBuffer()
}

/** Requests a list that is not cached, repeatedly, until `work` ends. */
async function measure(api: string, work: () => Promise<unknown>) {
  const times: number[] = []
  let isOver = false
  const working = work().finally(() => {
    isOver = true
  })
  for (let number = 0; !isOver; number += 1) {
    const beganAtMs = performance.now()
    const answer = await fetch(`${api}/events?per_page=50&search=event&unused=${number}`)
    await answer.arrayBuffer()
    times.push(performance.now() - beganAtMs)
  }
  await working
  times.sort((a, b) => a - b)
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0
  return { p50: at(0.5), p99: at(0.99), count: times.length }
}

async function statusOf(pid: number): Promise<string> {
  const { readFile } = await import('node:fs/promises')
  return readFile(`/proc/${pid}/status`, 'utf8')
}
