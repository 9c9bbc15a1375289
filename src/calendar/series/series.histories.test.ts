import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import type { Actor, UserId } from '../../access/auth/actor.ts'
import { Problem } from '../../base/problems.ts'
import { addSeconds, type LocalDateTime } from '../../base/time/local.date.time.ts'
import { contentChecks } from '../../operate/checks/check.service.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { findEvent, findTemplate } from '../events/event.repository.ts'
import { changeEvent, restoreEvent, trashEvent } from '../events/event.service.ts'
import { type WriteContext, writeContext } from '../records/write.context.ts'
import { changeDates, changeSeries } from './series.change.service.ts'
import { createSeries } from './series.create.service.ts'
import { followAgain } from './series.date.service.ts'
import { findSeries, listDates } from './series.repository.ts'
import { restoreSeries, trashDates, trashSeries } from './series.trash.service.ts'

// Random histories of a series, against a model in plain arrays.

const histories = Number(process.env.SERIES_HISTORIES ?? 60)
const zones = [
  'America/Toronto',
  'America/St_Johns',
  'America/Halifax',
  'America/Regina',
  'Europe/Dublin',
  'Australia/Lord_Howe',
]
const daySeconds = 86_400

/** A date in the model. */
interface ModelDate {
  id: number
  /** The local start that the rules give. */
  slot: string
  title: string
  cost: string
  ownTitle: boolean
  ownCost: boolean
  path: string
}

/** A generator of numbers that is the same for the same seed (mulberry32). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
}

interface Model {
  readonly seriesId: number
  title: string
  cost: string
  dates: ModelDate[]
  /** Dates that are gone: they may come back, with their ids. */
  gone: ModelDate[]
}

const actor: Actor = { kind: 'user', id: 5 as UserId, role: 'administrator' }

async function within<T>({ deps }: TestApp, work: (write: WriteContext) => Promise<T>): Promise<T> {
  return deps.storage.write((tx: Tx) => work(writeContext({ deps, actor }, tx)))
}

const weekly = (start: string, count: number, weeks: number) =>
  Array.from(
    { length: count },
    (_, place) => addSeconds(start as LocalDateTime, place * weeks * 7 * daySeconds) as string,
  )

/** The difference of two wall times, in seconds. */
const secondsBetween = (start: string, end: string) =>
  (Date.parse(`${end.replace(' ', 'T')}Z`) - Date.parse(`${start.replace(' ', 'T')}Z`)) / 1000

/** The days of two lists match by their order within the day; the model has one date on a day. */
const dayOf = (slot: string) => slot.slice(0, 10)

/** Gives the model the slots of new rules, from one date on. */
function rematch(model: Model, from: string, slots: readonly string[]): void {
  const kept = model.dates.filter(({ slot }) => slot < from)
  const known = [...model.dates.filter(({ slot }) => slot >= from)]
  const next: ModelDate[] = [...kept]
  for (const slot of slots) {
    const live = known.findIndex((date) => dayOf(date.slot) === dayOf(slot))
    if (live >= 0) {
      next.push({ ...(known.splice(live, 1)[0] as ModelDate), slot })
      continue
    }
    const lost = model.gone.findIndex((date) => dayOf(date.slot) === dayOf(slot))
    if (lost >= 0) {
      const [back] = model.gone.splice(lost, 1) as [ModelDate]
      next.push(following(model, { ...back, slot }))
    } else next.push(following(model, { id: 0, slot, title: '', cost: '', ownTitle: false, ownCost: false, path: '' }))
  }
  model.gone.push(...known)
  model.dates = next.sort((one, other) => (one.slot < other.slot ? -1 : 1))
}

function following({ title, cost }: Model, date: ModelDate): ModelDate {
  return { ...date, title: date.ownTitle ? date.title : title, cost: date.ownCost ? date.cost : cost }
}

/** One random write, on the service and on the model. */
async function step(app: TestApp, model: Model, random: (below: number) => number): Promise<void> {
  const place = random(model.dates.length)
  const date = model.dates[place]
  if (!date) return
  const word = `T${random(1_000_000)}`
  const { id, slot } = date
  switch (random(9)) {
    case 0: {
      await within(app, (write) => changeEvent(write, id, { title: word }))
      Object.assign(date, { title: word, ownTitle: true })
      return
    }
    case 1: {
      await within(app, (write) => changeSeries(write, model.seriesId, { patch: { title: word } }))
      model.title = word
      model.dates = model.dates.map((one) => following(model, one))
      model.gone = model.gone.map((one) => following(model, one))
      return
    }
    case 2: {
      const patch = { title: word, content: word }
      await within(app, (write) => changeDates(write, id, { patch, scope: 'following' }))
      const before = model.title
      model.title = word
      const changed = (one: ModelDate) => {
        if (one.id === id) return { ...one, title: word, ownTitle: false }
        if (one.slot >= slot) return following(model, one)
        return { ...one, title: one.ownTitle ? one.title : before, ownTitle: true }
      }
      model.dates = model.dates.map(changed)
      model.gone = model.gone.map(changed)
      return
    }
    case 3: {
      // Another time of day, from a date on.
      const seconds = (random(8) - 3) * 1800
      const start = addSeconds(slot as LocalDateTime, seconds)
      const end = addSeconds(start, 3600 + random(3) * 1800)
      if (dayOf(start) !== dayOf(slot)) return
      await within(app, (write) => changeDates(write, id, { patch: { start, end }, scope: 'following' }))
      const moved = await findEvent(app.deps.storage.db, id)
      assert.deepEqual([moved?.start, moved?.end], [start, end])
      model.dates = model.dates.map((one) =>
        one.slot >= slot ? { ...one, slot: addSeconds(one.slot as LocalDateTime, seconds) } : one,
      )
      return
    }
    case 4: {
      const [count, weeks] = [1 + random(8), 1 + random(2)]
      const recurrence = { rrule: `FREQ=WEEKLY;INTERVAL=${weeks};COUNT=${count}`, ...(count === 1 ? {} : {}) }
      await within(app, (write) => changeDates(write, id, { patch: {}, recurrence, scope: 'following', drop: true }))
      rematch(model, slot, weekly(slot, count, weeks))
      return
    }
    case 5: {
      if (model.dates.length < 2) return
      await within(app, (write) => trashEvent(write, id))
      model.dates = model.dates.filter((one) => one.id !== id)
      model.gone.push(date)
      return
    }
    case 6: {
      const lost = model.gone[random(model.gone.length)]
      if (!lost || model.dates.some((one) => dayOf(one.slot) === dayOf(lost.slot))) return
      await within(app, (write) => restoreEvent(write, lost.id))
      model.gone = model.gone.filter((one) => one.id !== lost.id)
      model.dates = [...model.dates, lost].sort((one, other) => (one.slot < other.slot ? -1 : 1))
      return
    }
    case 7: {
      if (!date.ownTitle) return
      await within(app, (write) => followAgain(write, id, ['title']))
      Object.assign(date, { title: model.title, ownTitle: false })
      return
    }
    default: {
      if (random(2) === 0 || place === 0) {
        await within(app, (write) => trashSeries(write, model.seriesId))
        await within(app, (write) => restoreSeries(write, model.seriesId))
        return
      }
      await within(app, (write) => trashDates(write, id, { scope: 'following', drop: true }))
      model.gone.push(...model.dates.filter((one) => one.slot >= slot))
      model.dates = model.dates.filter((one) => one.slot < slot)
    }
  }
}

/** Compares the stored dates with the model, and learns the ids of new ones. */
async function compare(app: TestApp, model: Model, places: Map<number, string>): Promise<void> {
  const { db } = app.deps.storage
  const live = (await listDates(db, model.seriesId)).filter(({ isDropped }) => !isDropped)
  assert.deepEqual(
    live.map(({ recurrenceId }) => recurrenceId as string),
    model.dates.map(({ slot }) => slot),
  )
  const segments = (await findSeries(db, model.seriesId))?.segments ?? []
  for (const [place, stored] of live.entries()) {
    const date = model.dates[place] as ModelDate
    if (date.id === 0) Object.assign(date, { id: stored.eventId, path: stored.path })
    assert.equal(stored.eventId, date.id)
    // The address is given once, and to no other event.
    assert.equal(places.get(date.id) ?? stored.path, stored.path)
    places.set(date.id, stored.path)
    const event = await findEvent(db, date.id)
    assert.deepEqual([event?.start, event?.end], [stored.start, stored.end])
    const segment = segments.findLast(({ from }) => from <= stored.recurrenceId) ?? segments[0]
    // The wall length of all dates is the same on both sides of a clock change.
    if (segment && !stored.ownFields.includes('start_date')) {
      const [own, usual] = [secondsBetween(stored.start, stored.end), secondsBetween(segment.start, segment.end)]
      assert.equal(own, usual, `event ${date.id}`)
    }
    assert.equal(event?.title, date.title, `event ${date.id}`)
    assert.equal(stored.ownFields.includes('title'), date.ownTitle, `event ${date.id}`)
  }
  assert.equal(new Set(places.values()).size, places.size)
}

test(`the dates of a series are those of a model, after ${histories} random histories`, async (t) => {
  const app = await startTestApp(t, { SITE_TIMEZONE: 'America/Toronto' })
  for (let seed = 1; seed <= histories; seed += 1) {
    const random = randomFrom(seed)
    const zone = zones[random(zones.length)] as string
    const start = `2030-0${1 + random(9)}-1${random(9)} ${10 + random(12)}:30:00`
    const end = addSeconds(start as LocalDateTime, 3600 * (1 + random(6)))
    const [count, weeks] = [2 + random(8), 1 + random(2)]
    const draft = { title: `Series ${seed}`, start, end, zone: { name: zone, id: zone, isManual: false } }
    const recurrence = { rrule: `FREQ=WEEKLY;INTERVAL=${weeks};COUNT=${count}` }
    const { seriesId } = await within(app, (write) => createSeries(write, { draft, recurrence, language: 'en' }))
    const title = draft.title
    const model: Model = { seriesId, title, cost: '', dates: [], gone: [] }
    rematch(model, '', weekly(start, count, weeks))
    const places = new Map<number, string>()
    await compare(app, model, places)
    for (let number = 0; number < 8; number += 1) {
      try {
        await step(app, model, random)
        await compare(app, model, places)
      } catch (error) {
        const faults = error instanceof Problem ? ` ${error.code} ${JSON.stringify(error.faults)}` : ''
        throw new Error(`Seed ${seed}, step ${number}${faults}`, { cause: error })
      }
    }
    const template = await findTemplate(app.deps.storage.db, seriesId)
    assert.equal(template?.title, model.title)
  }
  const { db } = app.deps.storage
  for (const { name, find } of contentChecks) {
    const broken: string[] = []
    for await (const place of find({ db, dialect: app.deps.storage.dialect, onProgress: () => {} })) broken.push(place)
    assert.deepEqual(broken, [], name)
  }
  assert.ok(await findSeries(db, 1))
})
