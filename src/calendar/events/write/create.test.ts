import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { givenVenue } from '../../../../test/support/given.ts'
import { runs } from '../../../../test/support/long.ts'
import type { Actor } from '../../../access/auth/actor.ts'
import { CONTRACT_LANGUAGES } from '../../../base/languages/language.ts'
import { utcZone } from '../../../base/time/zone.ts'
import type { Tx } from '../../../storage/database/tables.ts'
import { writeContext } from '../../records/write.context.ts'
import { withLinks } from '../event.repository.ts'
import type { EventDraft } from '../model/event.changes.ts'
import { findEventOrFail } from '../read/read.service.ts'
import { createEvents } from './create.service.ts'

const administrator: Actor = { kind: 'user', id: 3 as never, role: 'administrator' }
const viewer = {
  actor: administrator,
  language: undefined,
  languages: CONTRACT_LANGUAGES,
  defaultLanguage: 'en',
} as const

/** Few titles, slugs and names, so that they collide. */
const drawn = fc.record({
  title: fc.constantFrom('Market', 'market', 'Market 2', 'Fête', 'feed', '!!!'),
  slug: fc.constantFrom(undefined, undefined, 'market', 'fair'),
  status: fc.constantFrom('publish', 'publish', 'draft', 'private', 'trash'),
  isAtDraft: fc.boolean(),
  organizer: fc.constantFrom('Club', 'Choir'),
  categories: fc.subarray(['Food', 'food', 'Fun']),
  tags: fc.subarray(['Free', 'Loud']),
})
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never

const draftFrom = (venueId: number, { isAtDraft, organizer, status, ...event }: Drawn): EventDraft => ({
  ...event,
  status: status as EventDraft['status'],
  start: '2030-01-01 10:00:00',
  end: '2030-01-01 11:00:00',
  zone: utcZone,
  venues: isAtDraft ? [{ id: venueId }] : [],
  organizers: [{ create: { name: organizer, fields: {} } }],
})

class Undone extends Error {}

/** Returns the events after their creation in a transaction that is rolled back. */
async function become({ deps }: TestApp, create: (tx: Tx) => Promise<readonly number[]>) {
  const shown: unknown[] = []
  const undone = deps.storage.write(async (tx) => {
    const ids = await create(tx)
    for (const id of ids) {
      const [event] = await withLinks({ db: tx, dialect: deps.storage.dialect, viewer }, [
        await findEventOrFail(tx, id),
      ])
      assert.ok(event)
      const { slug, titleHtml, status, startUtc, venues, organizers, categories, tags } = event
      shown.push({
        ...{ slug: slug === `${id}` ? 'id' : slug, titleHtml, status, startUtc },
        venues: venues.map((venue) => [venue.title, venue.status]),
        organizers: organizers.map((organizer) => organizer.title),
        terms: [...categories, ...tags].map((term) => [term.name, term.eventCount]),
      })
    }
    throw new Undone()
  })
  await assert.rejects(undone, Undone)
  return shown
}

test('events that are created together are what they are one after the other', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenVenue(app, { venue: 'Hall', status: 'draft' })

  await fc.assert(
    fc.asyncProperty(fc.array(drawn, { minLength: 1, maxLength: 6 }), async (events) => {
      const drafts = events.map((event) => draftFrom(id, event))
      const within = (tx: Tx) => writeContext({ deps: app.deps, actor: administrator }, tx)

      const together = await become(app, (tx) => createEvents(within(tx), drafts, 'en'))
      const oneByOne = await become(app, async (tx) => {
        const ids: number[] = []
        for (const draft of drafts) ids.push(...(await createEvents(within(tx), [draft], 'en')))
        return ids
      })

      assert.deepEqual(together, oneByOne)
    }),
    { numRuns: runs(15, 40) },
  )
})
