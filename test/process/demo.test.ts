import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import ICAL from 'ical.js'
import nodeIcal from 'node-ical'

interface EventList {
  readonly total: number
  readonly events: readonly {
    readonly ml_language: string
    readonly image: { readonly url: string }
    readonly description: string
    readonly excerpt: string
  }[]
}

const program = fileURLToPath(new URL('../../demo/run.ts', import.meta.url))

test('the demo shows a full month in both languages, is read by two calendars, and leaves nothing when it ends', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cal-events-demo-test-'))
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH, TMPDIR: folder, PORT: '0', HOST: 'localhost' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true })
  })
  let printed = ''
  for await (const chunk of child.stdout) {
    printed += chunk
    if (printed.includes('Try every operation')) break
  }
  const [, url = ''] = /^Listening on +(\S+)$/m.exec(printed) ?? []
  const [, data = ''] = /^Database +(\S+)$/m.exec(printed) ?? []
  const ask = async (path: string) => {
    const response = await fetch(`${url}${path}`)
    assert.equal(response.status, 200)
    return response
  }

  assert.match(printed, /Application password {2}(\w{4} ){5}\w{4} /)
  assert.ok(data.startsWith(folder) && existsSync(data))
  for (const [path, language] of [
    ['/cal/events/v1', 'en'],
    ['/fr/cal/events/v1', 'fr-CA'],
  ] as const) {
    const window = 'start_date=first+day+of+this+month&end_date=last+day+of+this+month'
    const list = await ask(`${path}/events?${window}&per_page=50&ml_language=${language}`)
    const { total, events } = (await list.json()) as EventList
    const text = await (await ask(`${path}/events.ics?start_date=-1+month&ml_language=${language}`)).text()

    assert.ok(total >= 30, `${total} events in ${language}`)
    assert.ok(events.every((event) => event.ml_language === language))
    for (const { description, excerpt } of events) {
      assert.doesNotMatch(description, /conference on|opensource|general conference/)
      const [said = '', all = ''] = [excerpt, description].map((html) => html.replace(/<[^>]+>/g, '').trim())
      // A summary that is cut says so. Series have none.
      assert.ok(language === 'en' || said === '' || said.endsWith('…') || all.length < said.length + 20, said)
    }
    const first = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
    const second = Object.values(nodeIcal.sync.parseICS(text)).filter((item) => item?.type === 'VEVENT')
    assert.ok(first.length >= 150, `${first.length} events in ${language}`)
    // This reader keeps changed dates of a series within its entry.
    assert.equal(second.length, new Set(first.map((entry) => entry.getFirstPropertyValue('uid'))).size)
  }
  for (const [path, words] of [
    ['/events/', ['Canceled', 'Postponed', 'New date', 'Moved online', 'Online', 'On site and online']],
    ['/fr/events/', ['Annulé', 'Reporté', 'Nouvelle date', 'Déplacé en ligne', 'En ligne', 'Sur place et en ligne']],
  ] as const) {
    // The day of the year decides on which page of the list an event is.
    let lists = ''
    for (let number = 1; number === 1 || lists.includes(`page=${number}"`); number += 1) {
      lists += await (await ask(`${path}?page=${number}`)).text()
    }
    for (const word of words) assert.ok(new RegExp(`badge state [a-z_]+">${word}<`).test(lists), `${path}: ${word}`)
  }
  const { events: shown } = (await (await ask('/cal/events/v1/events?per_page=1')).json()) as EventList
  await ask(new URL(shown[0]?.image.url ?? '').pathname)

  child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
  assert.equal(existsSync(data), false)
})
