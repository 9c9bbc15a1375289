import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import { parseZone, utcZone } from '../../base/time/zone.ts'
import { timesOf } from '../../calendar/events/model/event.ts'
import { dateLine, dateText, spanLine, spanText, whenText, zoneText } from './date.texts.ts'

/** Makes no-break spaces visible. */
const seen = (text: string) => text.replaceAll('\u00a0', '~')

function times(start: string, end: string, { zone = 'America/Toronto', isAllDay = false } = {}) {
  return timesOf({
    start: start as LocalDateTime,
    end: end as LocalDateTime,
    zone: parseZone(zone) ?? utcZone,
    isAllDay,
  })
}

const written: readonly (readonly [start: string, end: string, english: string, french: string])[] = [
  [
    ...(['2030-12-14 19:00:00', '2030-12-14 20:30:00'] as const),
    ...(['Saturday, December 14, 2030, 7–8:30~p.m.', 'Samedi 14 décembre 2030, de~19~h à~20~h~30'] as const),
  ],
  [
    ...(['2030-12-14 19:00:00', '2030-12-14 21:00:00'] as const),
    ...(['Saturday, December 14, 2030, 7–9~p.m.', 'Samedi 14 décembre 2030, de~19~h à~21~h'] as const),
  ],
  [
    ...(['2030-05-01 11:30:00', '2030-05-01 13:00:00'] as const),
    ...(['Wednesday, May 1, 2030, 11:30~a.m.–1~p.m.', 'Mercredi 1er mai 2030, de~11~h~30 à~13~h'] as const),
  ],
  [
    ...(['2030-05-02 00:00:00', '2030-05-02 12:00:00'] as const),
    ...(['Thursday, May 2, 2030, 12~a.m.–12~p.m.', 'Jeudi 2 mai 2030, de~0~h à~12~h'] as const),
  ],
  [
    ...(['2030-05-02 19:00:00', '2030-05-02 19:00:00'] as const),
    ...(['Thursday, May 2, 2030, 7~p.m.', 'Jeudi 2 mai 2030, 19~h'] as const),
  ],
  [
    ...(['2030-12-14 21:00:00', '2030-12-15 02:05:00'] as const),
    'Dec 14, 2030, 9~p.m. – Dec 15, 2030, 2:05~a.m.',
    'Du 14 déc. 2030 à~21~h au 15 déc. 2030 à~2~h~05',
  ],
]

test('when an event is, is written as in Canada: no minutes of whole hours, a capital, the first as 1er', () => {
  for (const [start, end, english, french] of written) {
    const event = times(start, end)
    assert.deepEqual([whenText('en', event), whenText('fr', event)].map(seen), [english, french])
  }
})

test('whole days are written from the first to the last', () => {
  const days = (from: string, to: string) => {
    const event = times(`${from} 00:00:00`, `${to} 23:59:59`, { isAllDay: true })
    return [whenText('en', event), whenText('fr', event), spanText('fr', event)]
  }

  assert.deepEqual(days('2030-12-14', '2030-12-14').slice(0, 2), [
    'Saturday, December 14, 2030',
    'Samedi 14 décembre 2030',
  ])
  assert.deepEqual(days('2030-05-01', '2030-05-04'), [
    ...['May 1–4, 2030', 'Du 1er au 4 mai 2030', 'du 1er au 4 mai 2030'],
  ])
  assert.deepEqual(days('2030-11-28', '2031-01-01').slice(1), [
    ...['Du 28 novembre 2030 au 1er janvier 2031', 'du 28 novembre 2030 au 1er janvier 2031'],
  ])
})

test('only what begins a line has a capital', () => {
  const event = times('2030-12-14 19:00:00', '2030-12-14 20:30:00')

  assert.deepEqual([spanText('fr', event), spanLine('fr', event)].map(seen), [
    ...['de~19~h à~20~h~30', 'De~19~h à~20~h~30'],
  ])
  assert.deepEqual(
    [dateText('fr', 'month', event.start), dateLine('fr', 'month', event.start)],
    [...['décembre 2030', 'Décembre 2030']],
  )
  assert.equal(dateLine('fr', 'day', '2030-08-01 00:00:00' as LocalDateTime), 'Jeudi 1er août 2030')
})

test('hours are those of the clock of the event, on days when clocks change too', () => {
  // Daylight saving time begins at two and ends at two.
  for (const [day, weekday] of [
    ['2030-03-10', 'Dimanche 10 mars 2030'],
    ['2030-11-03', 'Dimanche 3 novembre 2030'],
  ] as const) {
    const event = times(`${day} 00:30:00`, `${day} 04:00:00`)
    assert.equal(seen(whenText('fr', event)), `${weekday}, de~0~h~30 à~4~h`)
  }
})

const zones: readonly (readonly [zone: string, month: string, english: string, french: string])[] = [
  ['America/Toronto', '01', 'Eastern Time (EST)', 'Heure de l’Est (HNE)'],
  ['America/Toronto', '07', 'Eastern Time (EDT)', 'Heure de l’Est (HAE)'],
  ['US/Eastern', '07', 'Eastern Time (EDT)', 'Heure de l’Est (HAE)'],
  ['America/Halifax', '01', 'Atlantic Time (AST)', 'Heure de l’Atlantique (HNA)'],
  ['America/St_Johns', '07', 'Newfoundland Time (NDT)', 'Heure de Terre-Neuve (HAT)'],
  ['America/Regina', '07', 'Central Standard Time (CST)', 'Heure normale du Centre (HNC)'],
  ['Europe/Paris', '01', 'Central European Time (CET)', 'Heure de l’Europe centrale (UTC+1)'],
  ['Asia/Tokyo', '01', 'Japan Standard Time (JST)', 'Heure normale du Japon (UTC+9)'],
  ['UTC', '01', 'UTC', 'UTC'],
  ['UTC+2', '01', 'UTC+2', 'UTC+2'],
  ['UTC-3.5', '01', 'UTC-3.5', 'UTC-3.5'],
  ['+03:00', '01', 'GMT+0300', 'UTC+3'],
]

test('zones have the names that people use, in both languages, and offsets their own', () => {
  for (const [zone, month, english, french] of zones) {
    const event = times(`2030-${month}-15 19:00:00`, `2030-${month}-15 20:00:00`, { zone })
    assert.deepEqual([zoneText('en', event), zoneText('fr', event)], [english, french], zone)
  }
})

test('every zone of the database has a name in both languages that fits on a line', () => {
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    const event = times('2030-01-15 19:00:00', '2030-01-15 20:00:00', { zone })
    for (const text of [zoneText('en', event), zoneText('fr', event)]) {
      assert.match(text, /^[\p{Lu}+-][^\u202f]{1,80}$/u, zone)
      assert.doesNotMatch(text, /undefined/, zone)
    }
  }
})
