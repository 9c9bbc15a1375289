import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { givenRecording, plainTecEvent } from '../../../test/support/recording.ts'
import { DEFAULT_TEXT_LANGUAGE } from '../../base/languages/language.ts'
import { type ImportText, importText, remarkText } from './import.texts.ts'
import { readTecRecording } from './tec.ts'

const readOne = (sent: object) => readTecRecording('a.json', givenRecording([{ ...plainTecEvent, ...sent }]))

const saidIn = (remarks: readonly ImportText[] = []) =>
  remarks.map((one) => importText(DEFAULT_TEXT_LANGUAGE, one)).join()

test('what is no recorded list of events is one fault of the file', () => {
  for (const text of ['', '{', 'null', '[]', '{"events":{}}', '"events"']) {
    const { events, faults } = readTecRecording('a.json', text)

    assert.deepEqual(events, [])
    assert.deepEqual(
      faults.map(({ file, path }) => [file, path]),
      [['a.json', '']],
    )
  }
})

test('a bad event is named with its place, and the others are read', () => {
  const bad = [
    [{ title: undefined }, /^must have the fields title/],
    [{ start_date: 'soon' }, /start_date “soon”/],
    [{ start_date: '2022-02-30 10:00:00' }, /start_date/],
    [{ end_date: 5 }, /^end_date must be text/],
    [{ timezone: 'Mars/Olympus' }, /timezone “Mars\/Olympus”/],
    [{ status: 'lost' }, /status “lost”/],
    [{ global_id: null, rest_url: null }, /global_id/],
    [{ categories: [{ id: 'x', name: 'A' }] }, /^categories\[0\]\.id must be a whole number/],
    [{ venue: 'Hall' }, /^venue\[0\] must be a group of fields/],
    [{ description: 'é'.repeat(32 * 1024 + 1) }, /more than 64 KB/],
    [{ venue: { id: 1, venue: 'Hall', description: 'x'.repeat(64 * 1024 + 1) } }, /more than 64 KB/],
    [{ title: 'x'.repeat(16_001) }, /more than 16000 characters/],
    [{ organizer: [{ id: 1, organizer: 'Club', phone: '5'.repeat(16_001) }] }, /more than 16000 characters/],
    [{ tags: [{ id: 1, name: 'Jazz', description: 'x'.repeat(64 * 1024 + 1) }] }, /more than 64 KB/],
    [{ excerpt: 'x'.repeat(1_000_000) }, /^excerpt/],
  ] as const
  for (const [sent, reason] of bad) {
    const text = givenRecording([plainTecEvent, { ...plainTecEvent, ...sent }])

    const { events, faults } = readTecRecording('a.json', text)

    assert.equal(events.length, 1)
    assert.equal(faults[0]?.path, 'events[1]')
    assert.match(faults.map((fault) => remarkText(DEFAULT_TEXT_LANGUAGE, fault))[0] ?? '', reason)
  }
})

test('nothing that stands in a file makes reading throw', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.jsonValue(), fc.record({ ...anyField() }))), (events) => {
      const read = readTecRecording('a.json', JSON.stringify({ events }))

      assert.equal(read.events.length + read.faults.length, events.length)
    }),
  )
})

/** Each field of an event, with a valid value or any other. */
function anyField() {
  return Object.fromEntries(
    Object.entries(plainTecEvent).map(([name, value]) => [name, fc.oneof(fc.constant(value), fc.jsonValue())]),
  )
}

test('a venue may be an object, a list, an empty list or false', () => {
  const venue = { id: 7, venue: 'Hall' }
  const counts = [venue, [venue], [], false, null].map((sent) => readOne({ venue: sent }).events[0]?.venues.length)

  assert.deepEqual(counts, [1, 1, 0, 0, 0])
})

test('a venue without a name is called after where it is, and that is told', () => {
  const { events } = readOne({ venue: { id: 7, city: 'Atlanta', state: 'GA' } })

  const venue = events[0]?.venues[0]
  assert.equal(venue?.name, 'Atlanta, GA')
  assert.match(saidIn(venue?.remarks), /7 has no name/)
})

test('a website without a scheme is read as an address; what is none is left out, and that is told', () => {
  const website = (sent: string) => readOne({ website: sent }).events[0]

  assert.equal(website('beltline.org/x')?.website, 'http://beltline.org/x')
  assert.equal(website('https://example.org/?a=1&amp;b=2')?.website, 'https://example.org/?a=1&b=2')
  assert.equal(website('to be announced')?.website, '')
  assert.match(saidIn(website('to be announced')?.remarks), /was left out/)
})

test('a website that is the own page of the event counts as none set', () => {
  assert.equal(readOne({ website: plainTecEvent.url }).events[0]?.website, undefined)
})

test('a cost of nothing is read from its details', () => {
  const details = { currency_symbol: '$', currency_position: 'prefix', values: ['0'] }

  assert.deepEqual(readOne({ cost: 'Gratuit', cost_details: details }).events[0]?.cost, ['$0'])
  assert.deepEqual(readOne({ cost: '$5 &#8211; $10' }).events[0]?.cost, ['$5 – $10'])
})

test('coordinates come both or not at all', () => {
  const placeOf = (sent: object) => {
    const fields = readOne({ venue: { id: 7, venue: 'Hall', ...sent } }).events[0]?.venues[0]?.fields
    return [fields?.latitude, fields?.longitude]
  }

  assert.deepEqual(placeOf({ geo_lat: 33.7, geo_lng: '-84.3' }), [33.7, -84.3])
  assert.deepEqual(placeOf({ geo_lat: 33.7 }), [null, null])
  assert.deepEqual(placeOf({ geo_lat: 95, geo_lng: 10 }), [null, null])
})
