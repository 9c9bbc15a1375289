import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { givenRecording, tecEvent } from '../../../test/support/recording.ts'
import type { UserId } from '../../access/auth/actor.ts'
import { importRecordings } from './import.service.ts'
import { readTecRecording } from './tec.ts'

const earlier = '2022-01-02 12:00:00'
const later = '2022-01-02 12:00:01'

test('of an event that stands in several files the one changed last counts, and of two changed at once the first', async (t) => {
  const versions = [
    { of: [earlier, later], counts: 1 },
    { of: [later, earlier], counts: 0 },
    { of: [earlier, earlier], counts: 0 },
    { of: [earlier, later, later], counts: 1 },
  ]
  const app = await startTestApp(t)
  const recordings = versions.flatMap(({ of }, place) =>
    of.map((modified_utc, file) => {
      const events = [tecEvent(100 + place, { title: `${place} in file ${file}`, modified_utc })]
      return { file: `${place}-${file}.json`, text: givenRecording(events) }
    }),
  )

  const summary = await importRecordings(
    app.deps,
    recordings.map(({ file, text }) => readTecRecording(file, text)),
    { authorId: 5 as UserId },
  )

  const { body } = await app.send({ path: '/events?per_page=100&start_date=2000-01-01&end_date=2100-01-01' })
  const titles: readonly string[] = body.events.map(({ title }: { title: string }) => title)
  assert.deepEqual([summary.events.created, summary.failures], [4, []])
  assert.deepEqual(
    titles.toSorted(),
    versions.map(({ counts }, place) => `${place} in file ${counts}`),
  )
})

test('of a venue and a category that several events name in one way, that of the event changed last counts', async (t) => {
  const named = (name: string) => ({
    venue: { id: 7, venue: name, slug: 'hall' },
    categories: [{ id: 3, name, slug: 'food', parent: 0 }],
  })
  const app = await startTestApp(t)
  const events = [
    tecEvent(1, { ...named('First'), modified_utc: earlier }),
    tecEvent(2, { ...named('Second'), modified_utc: earlier }),
  ]

  await importRecordings(app.deps, [readTecRecording('a.json', givenRecording(events))], { authorId: 5 as UserId })

  const { venues } = (await app.send({ path: '/venues' })).body
  const { categories } = (await app.send({ path: '/categories' })).body
  assert.deepEqual(
    [venues.map((one: { venue: string }) => one.venue), categories.map((one: { name: string }) => one.name)],
    [['First'], ['First']],
  )
})
