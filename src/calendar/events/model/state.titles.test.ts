import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startTestApp } from '../../../../test/support/app.ts'
import { changed, givenEvent } from '../../../../test/support/given.ts'
import { assertLinear } from '../../../../test/support/linear.ts'
import { runs } from '../../../../test/support/long.ts'
import { sanitizeTitle } from '../../../base/text/sanitize.ts'
import { titleWithoutStatus, titleWithStatus } from './state.titles.ts'
import { EVENT_STATUSES } from './state.ts'

const config = { statusInTitles: ['v1', 'feeds', 'pages'] } as const
const prefixes = [
  'Canceled: ',
  'Postponed: ',
  'Moved online: ',
  'Annulé\u00a0: ',
  'Reporté : ',
  'Déplacé en ligne\u00a0: ',
]
const words = fc.constantFrom('Fair', 'Canceled', 'annulé', 'Canceled:Fair', 'Été', 'a: b', ':', '😀', '-')

/** Titles, some of which themselves begin like the title of a canceled event. */
const titles = fc
  .tuple(fc.array(fc.constantFrom(...prefixes), { maxLength: 3 }), fc.array(words, { minLength: 1, maxLength: 3 }))
  .map(([before, rest]) => `${before.join('')}${rest.join(' ')}`)
const statuses = fc.constantFrom(...EVENT_STATUSES)
const languages = fc.constantFrom('en', 'fr-CA', 'es')

test('a read title that comes back is the stored one, bare or not, whatever it is', () => {
  const changes: readonly ((shown: string) => string)[] = [
    (shown) => shown,
    (shown) => shown.replaceAll('\u00a0', ' '),
    (shown) => shown.replaceAll('\u00a0', '\u202f'),
    (shown) => `  ${shown}`,
    (shown) => shown.normalize('NFD'),
  ]
  const same = (text: string) =>
    text
      .normalize('NFC')
      .replace(/\p{Zs}/gu, ' ')
      .trim()
  fc.assert(
    fc.property(
      titles,
      statuses,
      statuses,
      languages,
      fc.constantFrom(...changes),
      (stored, before, after, language, change) => {
        const shown = titleWithStatus({ titleHtml: stored, eventStatus: before, language }, config, 'v1')
        const read = { statuses: [before, after], stored }

        assert.equal(same(titleWithoutStatus(change(shown), read)), same(stored))
        assert.equal(titleWithoutStatus(stored, read), stored)
      },
    ),
  )
})

test('a change of a title stays, without the status that was read with it', () => {
  fc.assert(
    fc.property(titles, words, statuses, languages, (stored, more, eventStatus, language) => {
      const shown = titleWithStatus({ titleHtml: stored, eventStatus, language }, config, 'feeds')
      const read = { statuses: [eventStatus], stored }

      assert.equal(titleWithoutStatus(`${shown} ${more}`, read), `${stored} ${more}`)
      assert.equal(titleWithoutStatus(`${stored} ${more}`, read), `${stored} ${more}`)
    }),
  )
})

test('a copy of a read event has the same title, and nothing else is removed from titles', () => {
  fc.assert(
    fc.property(titles, statuses, languages, (stored, eventStatus, language) => {
      const shown = titleWithStatus({ titleHtml: stored, eventStatus, language }, config, 'v1')
      const isTold = eventStatus !== 'scheduled' && eventStatus !== 'rescheduled'

      if (isTold) assert.equal(titleWithoutStatus(shown, { statuses: [eventStatus] }), stored)
      assert.equal(titleWithoutStatus(shown, { statuses: ['scheduled', 'rescheduled'] }), shown)
      assert.equal(titleWithoutStatus(shown, { statuses: [] }), shown)
      assert.equal(
        titleWithStatus({ titleHtml: stored, eventStatus, language }, { statusInTitles: ['feeds'] }, 'v1'),
        stored,
      )
    }),
  )
  assert.equal(titleWithoutStatus('Canceled: ', { statuses: ['canceled'] }), 'Canceled: ')
})

test('events that visitors or writers read come back with any status as they were', async (t) => {
  const app = await startTestApp(t, { LANGUAGES: 'en,fr-CA' })
  const { id } = await givenEvent(app, { start_date: '2030-06-01', end_date: '2030-06-02' })
  await fc.assert(
    fc.asyncProperty(
      titles.filter((title) => sanitizeTitle(title) === title),
      ...([statuses, statuses, fc.constantFrom(undefined, 'editor' as const), fc.boolean()] as const),
      async (title, before, after, reader, isComplete) => {
        await changed(app, `/events/${id}`, { event_status: 'scheduled', title: 'x' })
        await app.deps.storage.write((tx) =>
          tx
            .updateTable('events')
            .set({ event_status: before, previous_starts: '[]' })
            .where('record_id', '=', id)
            .execute(),
        )
        await app.deps.storage.write((tx) =>
          tx.updateTable('records').set({ title, title_html: title }).where('id', '=', id).execute(),
        )
        const read = await app.send({ path: `/events/${id}`, ...(reader ? { as: reader } : {}) })

        const start = after === 'rescheduled' ? { start_date: '2030-06-01 12:00:00' } : {}
        const sent = { title: read.body.title, event_status: after, ...start }
        const { body } = await app.send({
          ...{ as: 'editor', method: 'PATCH', path: `/events/${id}` },
          json: isComplete ? { ...read.body, image: '', ...sent } : sent,
        })
        if (start.start_date) await changed(app, `/events/${id}`, { start_date: '2030-06-01' })

        assert.equal(body.title, title, JSON.stringify(body))
      },
    ),
    { numRuns: runs(40, 300) },
  )
})

test('a title that begins like a canceled one stays where nothing is added', async (t) => {
  const app = await startTestApp(t, { STATUS_IN_TITLES: '' })
  const { id } = await givenEvent(app, { title: 'Canceled: the musical', event_status: 'canceled' })

  const { body } = await app.send({ path: `/events/${id}` })
  const { title } = await changed(app, `/events/${id}`, { title: 'Canceled: the concert' })

  assert.deepEqual([body.title, title], ['Canceled: the musical', 'Canceled: the concert'])
})

test('a title of nothing but prefixes takes time in proportion', () => {
  assertLinear('Canceled: ', (title) => titleWithoutStatus(title, { statuses: ['canceled'], stored: title }))
})
