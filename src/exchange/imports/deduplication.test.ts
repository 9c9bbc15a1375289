import assert from 'node:assert/strict'
import { test } from 'node:test'
import { givenRecording, tecEvent } from '../../../test/support/recording.ts'
import { createDeduplicator } from './plan.ts'
import { readTecRecording } from './tec.ts'

const read = (file: string, venue: object) =>
  readTecRecording(file, givenRecording([tecEvent(file.length, { venue, tags: [{ id: 4, name: 'Free' }] })]))

test('what events of several files name alike is kept once, and what differs is kept apart', () => {
  const share = createDeduplicator()
  const hall = { id: 7, venue: 'Hall', slug: 'hall' }
  const files = [
    ['a.json', hall],
    ['bb.json', hall],
    ['ccc.json', { ...hall, city: 'Laval' }],
  ] as const

  const events = files.flatMap(([file, venue]) => read(file, venue).events.map(share))
  const venues = events.map((event) => event.venues[0])

  assert.equal(events.length, 3)
  assert.equal(venues[0], venues[1])
  assert.equal(venues[2]?.fields.city, 'Laval')
  assert.equal(events[0]?.tags[0], events[2]?.tags[0])
  for (const [index, [file, venue]] of files.entries()) {
    const { file: _file, path: _path, ...alone } = read(file, venue).events[0]?.venues[0] ?? { file: '', path: '' }
    const { file: _first, path: _place, ...shared } = venues[index] ?? { file: '', path: '' }
    assert.deepEqual(shared, alone)
  }
})
