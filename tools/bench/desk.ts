import { join } from 'node:path'
import Database from 'better-sqlite3'
import { setPassword } from '../../src/access/auth/session.service.ts'
import { findUserByLogin } from '../../src/access/auth/user.repository.ts'
import { readConfig } from '../../src/base/config/config.ts'
import { openDeps } from '../../src/main.ts'
import { fieldsIn } from '../../test/support/desk.ts'
import { picture } from '../../test/support/pictures.ts'
import { COUNTS } from './dataset.ts'
import { type DeskRecords, type Screen, screensOf } from './desk.screens.ts'
import { type Cost, type DeskSession, openDesk } from './desk.session.ts'
import { median } from './load.ts'
import type { Row } from './table.ts'

const user = { login: 'bench', password: 'correct horse battery staple' }
const targetMs = 50
/** Requests of a screen after the first one, for which code may be compiled and pages read. */
const usualTurns = 9
const [drafts, batch, pictures, many] = [150, 50, 30, 50]
const firstEvent = COUNTS.venues + COUNTS.organizers + 1

/**
 * Measures the desk of editors in the default configuration: each of its screens, and what editors do most often.
 *
 * @param matching A regular expression: measures only screens and writes of which the name matches.
 * @param folder Is written to.
 */
export async function deskScreens({
  folder,
  size,
  matching = '',
}: {
  readonly folder: string
  readonly size: number
  readonly matching?: string | undefined
}): Promise<readonly Row[]> {
  addHistory(join(folder, 'calendar.sqlite'))
  await choosePassword(folder)
  const desk = await openDesk(folder, user)
  try {
    const kinds = [...screensOf(await fill(desk)).map((screen) => opening(desk, screen)), ...writesOf(desk)]
    const measured = kinds
      .filter(({ name }) => new RegExp(matching).test(name))
      .map((kind) => ({ ...kind, costs: [] as Cost[] }))
    // In turns, as editors go from one screen to another: code and pages are not kept for one screen.
    for (let turn = 0; turn <= usualTurns; turn += 1)
      for (const { once, costs } of measured) costs.push(await once(turn))
    return measured.map((one) => rowOf(one, size))
  } finally {
    await desk.close()
  }
}

/** Adds what an import of all events leaves: their names at the source, and an entry of the activity for each. */
function addHistory(file: string): void {
  const db = new Database(file)
  db.pragma('synchronous = off')
  db.exec(`insert into imported_records (kind, source, record_id, digest, shift_days, imported_at)
      select kind, 'https://example.org/' || id, id, '', 0, 1.7e9 from records where kind = 'event';
    insert into audit (at, via, user_id, user_name, kind, item_id, action, changes)
      select 1700000000 + id, 'import', 1, 'bench', kind, id, 'create',
        json_object('title', json_object('before', null, 'after', title)) from records;`)
  db.close()
}

async function choosePassword(folder: string): Promise<void> {
  const deps = await openDeps(readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent' }))
  try {
    const found = await findUserByLogin(deps.storage.db, user.login)
    if (!found) throw new Error(`The calendar has no user ${user.login}.`)
    await setPassword(deps, found.id, { password: user.password })
  } finally {
    await deps.pictures.imageWorker.close()
    await deps.storage.close()
  }
}

/** Adds what the calendar does not have: events in other states, a series, pictures, and records in the trash. */
async function fill(desk: DeskSession): Promise<DeskRecords> {
  const operate = async (operations: readonly object[]) => {
    for (let place = 0; place < operations.length; place += batch)
      await desk.call('POST', '/cal/service/v1/batch', { operations: operations.slice(place, place + batch) })
  }
  await operate(
    ['draft', 'pending'].flatMap((status) =>
      Array.from({ length: drafts }, (_, number) => ({
        ...{ method: 'POST', path: '/events' },
        body: {
          ...{ title: `Reading ${number}`, status, venue: (number % COUNTS.venues) + 1 },
          ...{ start_date: `2027-01-${String((number % 28) + 1).padStart(2, '0')} 19:00:00`, duration: 7200 },
        },
      })),
    ),
  )
  const remove = (path: string, first: number, count: number) =>
    Array.from({ length: count }, (_, number) => ({ method: 'DELETE', path: `${path}/${first + number}` }))
  await operate([
    ...remove('/events', firstEvent + 50_000, drafts),
    ...remove('/venues', COUNTS.venues - 40, 40),
    ...remove('/organizers', COUNTS.venues + COUNTS.organizers - 40, 40),
  ])
  const series = await desk.call('POST', '/cal/service/v1/series', {
    ...{ title: 'Yoga', start_date: '2026-01-05 18:30:00', end_date: '2026-01-05 19:30:00', venue: 1 },
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=109' },
  })
  const changed = firstEvent + 1
  for (let turn = 0; turn < 20; turn += 1)
    await desk.call('PATCH', `/cal/events/v1/events/${changed}`, { title: `Title ${turn}`, cost: String(turn) })
  const { text } = await desk.open('/admin/activity/')
  const older = /href="(\/admin\/activity\/\?cursor=[^"]*)"/.exec(text)?.[1] ?? '/admin/activity/'
  return {
    ...{ series: Number(series.id), dateOfSeries: Number(series.event_id), changed },
    ...{ picture: await addPictures(desk), olderActivity: older.replaceAll('&amp;', '&') },
  }
}

async function addPictures(desk: DeskSession): Promise<number> {
  const bytes = await picture(60, 40)
  let id = 0
  for (let number = 0; number < pictures; number += 1) {
    const made = await desk.upload(`Picture ${number}.jpg`, bytes)
    id = Number(made.id)
  }
  return id
}

/** A screen, or a form that is sent. Returns the cost of the nth request. */
interface Kind {
  readonly name: string
  readonly once: (turn: number) => Promise<Cost>
}

function opening(desk: DeskSession, { name, address }: Screen): Kind {
  const once = async (turn: number): Promise<Cost> => {
    const path = address(turn)
    const answer = await desk.open(path)
    if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}: ${answer.text}`)
    return answer
  }
  return { name, once }
}

/** What editors do most often. Only the request that saves is measured. */
function writesOf(desk: DeskSession): readonly Kind[] {
  const eventAt = (turn: number) => firstEvent + 30_000 + turn * 97
  const send = async (path: string, fields: Readonly<Record<string, string>>, expected: number): Promise<Cost> => {
    const answer = await desk.submit(path, Object.entries(fields))
    if (answer.status !== expected) throw new Error(`${path} was answered with ${answer.status}: ${answer.text}`)
    return answer
  }
  const fieldsAt = async (path: string) => fieldsIn((await desk.open(path)).text)
  return [
    {
      name: 'quick edit of a time',
      once: async (turn) => {
        const path = `/admin/events/${eventAt(turn)}/quick/`
        const fields = await fieldsAt(path)
        return send(path, { ...fields, status: 'publish', start_time: '07:15' }, 303)
      },
    },
    {
      name: 'saving a title in the editor',
      once: async (turn) => {
        const path = `/admin/events/${eventAt(turn + 20)}/`
        const fields = await fieldsAt(path)
        const title = Object.keys(fields).find((name) => name.startsWith('title.') && fields[name] !== '') ?? 'title.en'
        return send(path, { ...fields, [title]: `Other title ${turn}`, to: 'save' }, 303)
      },
    },
    {
      name: 'publishing a new event',
      once: async (turn) => {
        const path = '/admin/events/new/'
        const fields = await fieldsAt(path)
        const typed = { 'title.en': `Concert ${turn}`, start: '2027-03-05 19:00', end: '2027-03-05 21:00' }
        return send(path, { ...fields, ...typed, to: 'publish' }, 303)
      },
    },
    {
      name: 'moving an event to another day',
      once: async (turn) => {
        const path = `/admin/calendar/${eventAt(turn + 40)}/move/`
        const fields = await fieldsAt(path)
        return send(path, { ...fields, day: '2027-04-01' }, 303)
      },
    },
    {
      name: `canceling ${many} events`,
      once: async (turn) => {
        const back = `from=2027-${String(turn + 1).padStart(2, '0')}-01&each=1&page=1`
        const { text } = await desk.open(`/admin/events/?${back}`)
        const { text: other } = await desk.open(`/admin/events/?${back.replace('page=1', 'page=2')}`)
        const fields = { ...fieldsIn(text), ...fieldsIn(other) }
        const was = Object.entries(fields).filter(([name]) => name.startsWith('was.'))
        if (was.length !== many) throw new Error(`${was.length} events were selected in place of ${many}.`)
        const ids = was.map(([name]) => ['ids', name.slice('was.'.length)] as const)
        const asked = [
          ['asked', '1'],
          ['to', 'cancel'],
          ['key', `cancel-${turn}`],
          ['reason.en', 'Storm'],
        ] as const
        const answer = await desk.submit('/admin/events/many/', [...asked, ['back', back], ...ids, ...was])
        if (!new RegExp(`>${many}\\sevents were changed`).test(answer.text))
          throw new Error(`Canceling was answered with ${answer.status}: ${answer.text}`)
        return answer
      },
    },
  ]
}

function rowOf({ name, costs }: { readonly name: string; readonly costs: readonly Cost[] }, events: number): Row {
  const [first, ...others] = costs
  const [wall, processor] = [others.map((one) => one.wall), others.map((one) => one.processor)]
  const ms = (number: number) => number.toFixed(1)
  const isMet = median(wall) < targetMs
  return {
    ...{ section: 'desk', what: name, events, milliseconds: median(wall) },
    figure: `${ms(median(wall))} ms, at most ${ms(Math.max(...wall))}, first ${ms(first?.wall ?? 0)}`,
    ratio: `processor ${ms(median(processor))} ms, at most ${ms(Math.max(...processor))}`,
    ...{ target: `< ${targetMs} ms`, isMet },
  }
}
