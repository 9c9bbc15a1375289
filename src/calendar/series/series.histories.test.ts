import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { violationsIn } from '../../../test/support/content.checks.ts'
import { runs } from '../../../test/support/long.ts'
import type { Actor, UserId } from '../../access/auth/actor.ts'
import { Problem } from '../../base/problems.ts'
import { addSeconds, type LocalDateTime } from '../../base/time/local.date.time.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { findEvent, findTemplate } from '../events/event.repository.ts'
import { timesOfDate } from '../events/model/date.times.ts'
import { timesOf } from '../events/model/event.ts'
import { changeEvent, restoreEvent, trashEvent } from '../events/write/event.service.ts'
import { segmentOf } from '../occurrences/segment.dates.ts'
import { type WriteContext, writeContext } from '../records/write.context.ts'
import { WEEKDAYS } from '../recurrence/recurrence.ts'
import { changeDates, changeSeries } from './series.change.service.ts'
import { createSeries } from './series.create.service.ts'
import { addDate, followAgain } from './series.date.service.ts'
import { findSeries, listDates } from './series.repository.ts'
import { restoreSeries, trashDates, trashSeries } from './series.trash.service.ts'

// Random histories of a series, against a model in plain arrays.

const histories = Number(process.env.SERIES_HISTORIES ?? runs(60, 240))
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
  /** Whether its rule counts weekdays in months. */
  isNth: boolean
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

/** Which of its weekday a slot is in its month. */
const nthOf = (slot: string) => Math.ceil(Number(slot.slice(8, 10)) / 7)

/** The same weekday of the following months: the second Friday, for example. */
function monthly(start: string, count: number): readonly string[] {
  const [year, month] = [Number(start.slice(0, 4)), Number(start.slice(5, 7))]
  const weekday = new Date(`${dayOf(start)}T00:00:00Z`).getUTCDay()
  return Array.from({ length: count }, (_, place) => {
    const first = new Date(Date.UTC(year, month - 1 + place, 1))
    const day = 1 + ((weekday - first.getUTCDay() + 7) % 7) + (nthOf(start) - 1) * 7
    first.setUTCDate(day)
    return `${first.toISOString().slice(0, 10)}${start.slice(10)}`
  })
}

/** The difference of two wall times, in seconds. */
const secondsBetween = (start: string, end: string) =>
  (Date.parse(`${end.replace(' ', 'T')}Z`) - Date.parse(`${start.replace(' ', 'T')}Z`)) / 1000

const dayOf = (slot: string) => slot.slice(0, 10)
const inOrder = (dates: readonly ModelDate[]) => dates.toSorted((one, other) => (one.slot < other.slot ? -1 : 1))
const later = (slot: string, seconds: number): string => addSeconds(slot as LocalDateTime, seconds)

/** Each date with its day and its place in the day. */
function placed<D extends { readonly slot: string }>(dates: readonly D[]): readonly (readonly [string, D])[] {
  const numbers = new Map<string, number>()
  return dates.map((date) => {
    const number = (numbers.get(dayOf(date.slot)) ?? 0) + 1
    numbers.set(dayOf(date.slot), number)
    return [`${dayOf(date.slot)} ${number}`, date] as const
  })
}

/** Takes the dates out of a list that have these slots, or else their place in the day. */
function taken(known: ModelDate[], slots: readonly string[]): ReadonlyMap<string, ModelDate> {
  const found = new Map<string, ModelDate>()
  const take = (slot: string, date: ModelDate | undefined) => {
    if (!date) return
    found.set(slot, date)
    known.splice(known.indexOf(date), 1)
  }
  for (const slot of slots)
    take(
      slot,
      known.find((date) => date.slot === slot),
    )
  const places = new Map(placed(known))
  const rest = slots.filter((slot) => !found.has(slot)).map((slot) => ({ slot }))
  for (const [place, { slot }] of placed(rest)) take(slot, places.get(place))
  return found
}

/** Gives the model the slots of new rules, from one date on. */
function rematch(model: Model, from: string, slots: readonly string[], isNth = false): void {
  const known = model.dates.filter(({ slot }) => slot >= from)
  const lost = inOrder(model.gone.filter(({ slot }) => slot >= from))
  const kept = taken(known, slots)
  const rest = slots.filter((slot) => !kept.has(slot))
  const back = taken(lost, rest)
  const fresh = { id: 0, title: '', cost: '', ownTitle: false, ownCost: false, path: '', isNth }
  const next = slots.map((slot) => {
    const date = kept.get(slot)
    return date ? { ...date, slot, isNth } : following(model, { ...(back.get(slot) ?? fresh), slot, isNth })
  })
  model.gone = [...model.gone.filter(({ slot }) => slot < from), ...lost, ...known]
  model.dates = inOrder([...model.dates.filter(({ slot }) => slot < from), ...next])
  giveWay(model)
}

/** Adds a date, or one with the same start that is gone. The others stay. */
function addSlot(model: Model, slot: string): void {
  const back = model.gone.find((date) => date.slot === slot)
  const date = back ?? { id: 0, slot, title: '', cost: '', ownTitle: false, ownCost: false, path: '', isNth: false }
  model.gone = model.gone.filter((one) => one !== back)
  model.dates = inOrder([...model.dates, following(model, date)])
}

/** Moves the dates from one on. Those that are gone move along. */
function move(model: Model, from: string, seconds: number): void {
  const moved = (date: ModelDate) => (date.slot < from ? date : { ...date, slot: later(date.slot, seconds) })
  model.dates = inOrder(model.dates.map(moved))
  model.gone = inOrder(model.gone).map(moved)
  giveWay(model)
}

/** Dates that are gone give way to others, by some seconds. */
function giveWay(model: Model): void {
  const slots = new Set(model.dates.map(({ slot }) => slot))
  for (const date of model.gone) {
    while (slots.has(date.slot)) date.slot = later(date.slot, 1)
    slots.add(date.slot)
  }
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
  switch (random(13)) {
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
      await moveFollowing(app, model, { date, seconds: drawnShift(random), length: 3600 + random(3) * 1800 })
      return
    }
    case 4: {
      const [count, weeks] = [1 + random(8), 1 + random(2)]
      if (random(3) === 0 && nthOf(slot) < 5) {
        const recurrence = { rrule: `FREQ=MONTHLY;BYDAY=${nthOf(slot)}${weekdayOf(slot)};COUNT=${count}` }
        await within(app, (write) => changeDates(write, id, { patch: {}, recurrence, scope: 'following', drop: true }))
        rematch(model, slot, monthly(slot, count), true)
        return
      }
      const recurrence = { rrule: `FREQ=WEEKLY;INTERVAL=${weeks};COUNT=${count}` }
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
      if (!lost) return
      await within(app, (write) => restoreEvent(write, lost.id))
      model.gone = model.gone.filter((one) => one.id !== lost.id)
      model.dates = inOrder([...model.dates, lost])
      return
    }
    case 7: {
      if (!date.ownTitle) return
      await within(app, (write) => followAgain(write, id, ['title']))
      Object.assign(date, { title: model.title, ownTitle: false })
      return
    }
    case 8:
    case 9: {
      await moveAll(app, model, { date, seconds: drawnShift(random), past: random(2) === 0 })
      return
    }
    case 10: {
      // A further date, on a day that has one, or between two.
      const start = later(slot, (random(9) - 4) * 5400 + random(2) * 3 * daySeconds)
      if (model.dates.some((one) => one.slot === start)) return
      await within(app, (write) => addDate(write, model.seriesId, start as LocalDateTime))
      addSlot(model, start)
      return
    }
    case 11: {
      // The first date, and then the rest of the series.
      const [first, second] = model.dates
      if (!first || !second) return
      await within(app, (write) => trashEvent(write, first.id))
      const again = within(app, (write) => trashDates(write, first.id, { scope: 'following' }))
      await assert.rejects(again, (error) => error instanceof Problem && error.code === 'event-is-in-trash')
      await within(app, (write) => trashDates(write, second.id, { scope: 'following' }))
      await within(app, (write) => restoreSeries(write, model.seriesId))
      model.dates = model.dates.slice(1)
      model.gone.push(first)
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

const weekdayOf = (slot: string) => WEEKDAYS[(new Date(`${dayOf(slot)}T00:00:00Z`).getUTCDay() + 6) % 7]

/** Some hours, over midnight or not, some days or whole weeks. */
function drawnShift(random: (below: number) => number): number {
  const [hours, days] = [(random(14) - 6) * 1800 * (1 + random(3)), random(4) === 0 ? random(5) - 2 : 0]
  return random(3) === 0 ? (random(5) - 2) * 7 * daySeconds : hours + days * daySeconds
}

/** Whether the rules of these dates can move by as much, so that each date does. */
function canMove(dates: readonly ModelDate[], seconds: number): boolean {
  return dates.every(({ slot, isNth }) => {
    const next = later(slot, seconds)
    const isSame = next.slice(0, 7) === slot.slice(0, 7) && seconds % (7 * daySeconds) === 0 && nthOf(next) < 5
    return !isNth || dayOf(next) === dayOf(slot) || isSame
  })
}

/** Moves a date and the following ones, or all that have not begun. They may not pass those that stay. */
async function moveDates(
  app: TestApp,
  model: Model,
  { from, seconds, change }: { from: string; seconds: number; change: (write: WriteContext) => Promise<unknown> },
): Promise<boolean> {
  const moved = [...model.dates, ...model.gone].filter(({ slot }) => slot >= from)
  const last = model.dates.findLast(({ slot }) => slot < from)?.slot
  if (!canMove(moved, seconds)) return false
  if (last !== undefined && later(from, seconds) <= last) {
    await assert.rejects(
      within(app, change),
      (error) => error instanceof Problem && 'start_date' in (error.faults ?? {}),
    )
    return false
  }
  await within(app, change)
  move(model, from, seconds)
  return true
}

/** How a date is moved: by the start that readers see. Undefined if clocks skip the new one. */
async function movedStart(
  { deps }: TestApp,
  { date: { id, slot }, seconds }: { date: ModelDate; seconds: number },
): Promise<{ readonly start: LocalDateTime; readonly isShifted: boolean } | undefined> {
  const event = await findEvent(deps.storage.db, id)
  const series = await findSeries(deps.storage.db, event?.seriesId ?? 0)
  const segment = segmentOf(series?.segments ?? [], slot as LocalDateTime)
  if (!event || !segment) return undefined
  const shown = timesOfDate(segment, slot as LocalDateTime).start
  const start = addSeconds(shown, seconds)
  if (timesOf({ ...event, start, end: start }).start !== start) return undefined
  return { start, isShifted: shown !== slot }
}

async function moveFollowing(app: TestApp, model: Model, of: { date: ModelDate; seconds: number; length: number }) {
  const moved = await movedStart(app, of)
  if (!moved) return
  const { id, slot } = of.date
  const patch = { start: moved.start, end: addSeconds(moved.start, of.length) }
  const change = (write: WriteContext) => changeDates(write, id, { patch, scope: 'following' })
  const isDone = await moveDates(app, model, { from: slot, seconds: of.seconds, change })
  const event = await findEvent(app.deps.storage.db, id)
  if (isDone && !moved.isShifted) assert.deepEqual([event?.start, event?.end], [patch.start, patch.end])
}

async function moveAll(app: TestApp, model: Model, of: { date: ModelDate; seconds: number; past: boolean }) {
  const moved = await movedStart(app, of)
  if (!moved) return
  const live = (await listDates(app.deps.storage.db, model.seriesId)).filter(({ isDropped }) => !isDropped)
  const coming = live.find(({ startUtc }) => startUtc > app.deps.now()) ?? live.at(-1)
  const from = of.past ? '' : (coming?.recurrenceId ?? '')
  const change = { patch: { start: moved.start }, scope: 'all', past: of.past } as const
  const seconds = of.seconds
  await moveDates(app, model, { from, seconds, change: (write) => changeDates(write, of.date.id, change) })
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
    const segment = segmentOf(segments, stored.recurrenceId)
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
  const first = Number(process.env.SERIES_FIRST_HISTORY ?? 1)
  for (let seed = first; seed < first + histories; seed += 1) {
    const random = randomFrom(seed)
    const zone = zones[random(zones.length)] as string
    const start = `2030-0${1 + random(9)}-1${random(9)} ${10 + random(12)}:30:00`
    const end = addSeconds(start as LocalDateTime, 3600 * (1 + random(6)))
    const [count, weeks] = [2 + random(8), 1 + random(2)]
    const draft = { title: `Series ${seed}`, start, end, zone: { name: zone, id: zone, isManual: false } }
    const isNth = random(4) === 0
    const day = `BYDAY=${nthOf(start)}${weekdayOf(start)}`
    const recurrence = {
      rrule: isNth ? `FREQ=MONTHLY;${day};COUNT=${count}` : `FREQ=WEEKLY;INTERVAL=${weeks};COUNT=${count}`,
    }
    const { seriesId } = await within(app, (write) => createSeries(write, { draft, recurrence, language: 'en' }))
    const title = draft.title
    const model: Model = { seriesId, title, cost: '', dates: [], gone: [] }
    rematch(model, '', isNth ? monthly(start, count) : weekly(start, count, weeks), isNth)
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
  assert.deepEqual(await violationsIn(app), [])
  assert.ok(await findSeries(app.deps.storage.db, 1))
})
