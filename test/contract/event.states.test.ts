// What happens to events, on every read path, for every reader: docs/decisions/0048-event-states.md.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import ICAL from 'ical.js'
import type { Role } from '../../src/access/auth/actor.ts'
import { decodeEntities } from '../../src/base/text/escape.ts'
import { ATTENDANCES, EVENT_STATUSES, VIRTUAL_ACCESSES } from '../../src/calendar/events/model/state.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { changed, givenEvent, listedIds } from '../support/given.ts'

const languages = ['en', 'fr-CA'] as const
const readers: readonly (Role | undefined)[] = [undefined, 'contributor', 'editor']
const password = 'sesame'
const prefixes: Readonly<Record<(typeof languages)[number], Readonly<Record<string, string>>>> = {
  en: { canceled: 'Canceled: ', postponed: 'Postponed: ', moved_online: 'Moved online: ' },
  'fr-CA': { canceled: 'Annulé : ', postponed: 'Reporté : ', moved_online: 'Déplacé en ligne : ' },
}
const url = 'https://meet.example/room?a=b&c=d'
const everything = 'per_page=500&start_date=2030-01-01&end_date=2031-01-01'

/** An event as it was written. */
interface Written {
  readonly id: number
  readonly slug: string
  /** Occurs in this event only. */
  readonly word: string
  readonly language: (typeof languages)[number]
  readonly status: (typeof EVENT_STATUSES)[number]
  readonly attendance: (typeof ATTENDANCES)[number]
  readonly access: (typeof VIRTUAL_ACCESSES)[number]
  readonly isProtected: boolean
}

/** What a read path says about an event. Undefined: the path cannot say it. */
interface Told {
  readonly title: string
  readonly status?: string
  readonly hasReason: boolean
  readonly attendance?: string
  readonly hasUrl: boolean
}

const reasonOf = ({ word }: Pick<Written, 'word'>) => `Why ${word}; R&B <3 "now"`
const plain = (text: string) => decodeEntities(text).replaceAll('\u00a0', ' ')

/** Writes an event in every combination of states, in both languages. */
async function givenAll(app: TestApp): Promise<readonly Written[]> {
  const written: Written[] = []
  for (const status of EVENT_STATUSES) {
    for (const attendance of ATTENDANCES) {
      for (const access of VIRTUAL_ACCESSES) {
        for (const isProtected of [false, true]) {
          let originalId = 0
          for (const language of languages) {
            const word = `Wort${written.length}x`
            const { id, slug } = await givenEvent(app, {
              ...{ title: word, ml_language: language, ...(originalId ? { ml_translation_of: originalId } : {}) },
              ...(originalId ? {} : { attendance, virtual_url: url, virtual_access: access }),
              ...(isProtected ? { event_password: password } : {}),
            })
            const start = status === 'rescheduled' && originalId === 0 ? { start_date: '2030-01-20 12:00:00' } : {}
            const reason = status === 'scheduled' ? {} : { event_status_reason: reasonOf({ word }) }
            if (originalId === 0) await changed(app, `/events/${id}`, { event_status: status, attendance, ...start })
            await changed(app, `/events/${id}`, reason)
            originalId ||= id
            written.push({ id, slug, word, language, status, attendance, access, isProtected })
          }
        }
      }
    }
  }
  return written
}

/** Returns what a reader should learn. */
function expected(event: Written, { isOpen, isSignedIn, isBare }: Readonly<Record<string, boolean>>): Told {
  const { word, language, status, attendance, access, isProtected } = event
  const isUnmasked = isOpen || !isProtected
  return {
    title: `${isBare ? '' : (prefixes[language][status] ?? '')}${word}`,
    status,
    hasReason: status !== 'scheduled' && isUnmasked === true,
    attendance,
    hasUrl: isUnmasked === true && attendance !== 'offline' && (access === 'all' || isSignedIn === true),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of the wire.
function toldByJson(json: any, event: Written): Told {
  const { attendance = 'offline', is_virtual: isVirtual, virtual_event_type: type } = json
  assert.equal(isVirtual, attendance === 'offline' ? undefined : true)
  assert.equal(type, { offline: undefined, online: 'virtual', mixed: 'hybrid' }[attendance as string])
  const status = json.event_status ?? 'scheduled'
  assert.equal('event_status_date' in json, status !== 'scheduled')
  assert.equal(json.previous_start_dates?.[0].start_date, status === 'rescheduled' ? '2030-01-22 19:00:00' : undefined)
  const reason = json.event_status_reason
  assert.ok(reason === undefined || decodeEntities(reason) === reasonOf(event), reason)
  return {
    title: plain(json.title),
    status,
    hasReason: reason !== undefined,
    attendance,
    // The addresses of events that are on site are for writers.
    hasUrl: attendance !== 'offline' && Boolean(json.virtual_url),
  }
}

/** Returns the part of a feed that is about each event, by its word. */
function partsOf(text: string, pattern: RegExp): ReadonlyMap<string, string> {
  return new Map([...text.matchAll(pattern)].map(([part]) => [/Wort\d+x/.exec(part)?.[0] ?? '', part]))
}

/** Readers of feeds. Each reads a text once, and then finds events in it. */
const feeds: Readonly<Record<string, (text: string) => (event: Written) => Told>> = {
  ics: (text) => {
    const vevents = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
    return (event) => toldByCalendar(vevents, event)
  },
  rss: (text) => {
    const parts = partsOf(text, /<item>.*?<\/item>/gs)
    return (event) => toldByXml(parts, event)
  },
  atom: (text) => {
    const parts = partsOf(text, /<entry.*?<\/entry>/gs)
    return (event) => toldByXml(parts, event)
  },
  csv: (text) => {
    const rows: readonly Readonly<Record<string, string>>[] = parse(text, { bom: true, columns: true })
    return (event) => {
      const row = rows.find(({ title = '' }) => title.endsWith(event.word))
      assert.ok(row)
      assert.ok(row.event_status_reason === '' || row.event_status_reason === reasonOf(event))
      return {
        ...{ title: row.title ?? '', status: row.event_status ?? '', attendance: row.attendance ?? '' },
        ...{ hasReason: row.event_status_reason !== '', hasUrl: text.includes(url) },
      }
    }
  },
}

function toldByCalendar(vevents: readonly ICAL.Component[], event: Written): Told {
  const vevent = vevents.find((one) => String(one.getFirstPropertyValue('summary')).endsWith(event.word))
  const value = (name: string) => vevent?.getFirstPropertyValue(name)
  const description = String(value('description') ?? '')
  const isKnown = value('status') === { canceled: 'CANCELLED', postponed: 'TENTATIVE' }[event.status as 'canceled']
  const isRescheduled = description.includes('22') && /Earlier date|Date précédente/.test(description)
  assert.equal(isRescheduled, event.status === 'rescheduled')
  assert.equal(value('conference') !== null, description.includes(url))
  return {
    title: String(value('summary')),
    ...(isKnown || value('status') === 'CONFIRMED' ? { status: event.status } : { status: 'wrong' }),
    hasReason: description.includes(reasonOf(event)),
    hasUrl: value('conference') === url,
  }
}

const sentences: Readonly<Record<string, RegExp>> = {
  canceled: /is canceled|est annulé/,
  postponed: /is postponed|est reporté/,
  rescheduled: /has a new date|a une nouvelle date/,
  moved_online: /takes place online|aura plutôt lieu en ligne/,
}

function toldByXml(parts: ReadonlyMap<string, string>, event: Written): Told {
  const part = parts.get(event.word) ?? assert.fail(event.word)
  const text = decodeEntities(decodeEntities(part.replaceAll('<![CDATA[', '')))
  const found = Object.entries(sentences).filter(([, sentence]) => sentence.test(text))
  return {
    title: plain(/<title[^>]*>(.*?)<\/title>/s.exec(part)?.[1] ?? '').replace(/^<!\[CDATA\[|\]\]>$/g, ''),
    status: found.map(([status]) => status).join() || 'scheduled',
    hasReason: text.includes(`Why ${event.word}; `),
    hasUrl: text.includes(url),
  }
}

const without = <K extends keyof Told>(told: Told, ...names: readonly K[]) =>
  Object.fromEntries(Object.entries(told).filter(([name]) => !names.includes(name as K)))

test('every way to read an event tells its state to each reader', async (t) => {
  const app = await startTestApp(t, { LANGUAGES: 'en,fr-CA', MAX_PER_PAGE: '500' })
  const written = await givenAll(app)
  for (const reader of readers) {
    const as = reader ? { as: reader } : {}
    const isSignedIn = reader !== undefined
    for (const hasPassword of [false, true]) {
      const more = hasPassword ? `&password=${password}` : ''
      const view = { isOpen: hasPassword, isSignedIn, isBare: isSignedIn }
      const where = (event: Written, path: string) =>
        `${path} as ${reader ?? 'visitor'}${more}: ${JSON.stringify(event)}`
      for (const language of languages) {
        const own = written.filter((event) => event.language === language)
        const list = `${everything}&ml_language=${language}${more}`
        const { body } = await app.send({ path: `/events?${list}`, ...as })
        assert.equal(body.total, own.length)
        for (const event of own) {
          const json = body.events.find(({ id }: { id: number }) => id === event.id)
          assert.deepEqual(toldByJson(json, event), expected(event, view), where(event, 'list'))
        }
        for (const [format, read] of Object.entries(feeds)) {
          const { text } = await app.send({ path: `/events.${format}?${list}`, ...as })
          const toldOf = read(text)
          for (const event of own) {
            const told = toldOf(event)
            const asked = expected(event, { ...view, isBare: false })
            // The table has no column for addresses, and the others none for the attendance.
            const names = format === 'csv' ? (['hasUrl'] as const) : (['attendance'] as const)
            assert.deepEqual(without(told, ...names), without(asked, ...names), where(event, format))
            if (format === 'csv') assert.equal(told.hasUrl, false)
          }
        }
      }
      for (const event of written) {
        // A password changes nothing about the others.
        if (hasPassword && !event.isProtected) continue
        const isRefused = event.isProtected && !hasPassword
        const paths = [`/events/${event.id}?x=1${more}`]
        // A slug belongs to a language, and so may be that of the original.
        if (event.language === 'en') paths.push(`/events/by-slug/${event.slug}?x=1${more}`)
        for (const path of paths) {
          const { status, body } = await app.send({ path, ...as })
          assert.equal(status, isRefused ? 403 : 200, where(event, path))
          if (isRefused) assert.doesNotMatch(JSON.stringify(body), /Why|meet\.example/)
          else assert.deepEqual(toldByJson(body, event), expected(event, view), where(event, path))
        }
      }
      // A word of the title finds the event, and the state before the title does not.
      for (const event of written.filter((_, place) => place % 7 === 0)) {
        const query = `${everything}&search=${event.word}&ml_language=${event.language}${more}`
        const { body } = await app.send({ path: `/events?${query}`, ...as })
        const isFound = !event.isProtected || isSignedIn
        assert.equal(body.total, isFound ? 1 : 0, where(event, 'search'))
        if (isFound) assert.deepEqual(toldByJson(body.events[0], event), expected(event, view), where(event, 'search'))
      }
      assert.deepEqual(await listedIds(app, `${everything}&search=canceled${more}`, reader), [])
      assert.deepEqual(await listedIds(app, `${everything}&search=Annul%C3%A9${more}`, reader), [])
    }
  }
})

/** Returns everything that depends on the state of an event. */
async function stateOf(app: TestApp, id: number) {
  const { body } = await app.send({ path: `/events/${id}`, as: 'editor' })
  const { event_status, event_status_reason, event_status_date, attendance, virtual_url, previous_start_dates } = body
  return { event_status, event_status_reason, event_status_date, attendance, virtual_url, previous_start_dates }
}

const state = {
  ...{ event_status: 'canceled', event_status_reason: 'Storm', attendance: 'mixed', virtual_url: url },
  virtual_access: 'registered',
}

test('a change of the state gives a new date, a new validator and an audit entry', async (t) => {
  const app = await startTestApp(t)
  const { id, slug } = await givenEvent(app, { title: 'Fair' })
  const readAll = async () => {
    const single = await app.send({ path: `/events/${id}` })
    const sitemap = await app.send({ path: '//sitemap-1.xml' })
    return {
      modified: single.body.modified_utc,
      tags: [single.headers.etag, (await app.send({ path: '/events' })).headers.etag],
      ics: (await app.send({ path: `//event/${slug}/ical/` })).headers.etag,
      lastmod: new RegExp(`${slug}/</loc><lastmod>(.*?)</lastmod>`).exec(sitemap.text)?.[1],
    }
  }
  let before = await readAll()
  for (const sent of [{ event_status: 'canceled' }, { event_status_reason: 'Storm' }, { attendance: 'online' }]) {
    app.pass(3600)
    await changed(app, `/events/${id}`, sent)
    const after = await readAll()
    assert.ok(after.modified > before.modified)
    assert.ok(String(after.lastmod) > String(before.lastmod))
    for (const [place, tag] of after.tags.entries()) assert.notEqual(tag, before.tags[place])
    assert.notEqual(after.ics, before.ics)
    before = after
  }

  const { body } = await app.send({ as: 'administrator', path: `//cal/service/v1/audit?kind=event&id=${id}` })
  assert.deepEqual(body.entries.map(({ changes }: { changes: object }) => changes).slice(0, 3), [
    { attendance: { before: 'offline', after: 'online' } },
    { event_status_reason: { before: '', after: 'Storm' } },
    { event_status: { before: 'scheduled', after: 'canceled' } },
  ])
})

test('translations share the state, and have a reason each', async (t) => {
  const app = await startTestApp(t, { LANGUAGES: 'en,fr-CA' })
  const { id } = await givenEvent(app, { title: 'Fair', ...state })
  const french = await givenEvent(app, { title: 'Annulé : Foire', ml_language: 'fr-CA', ml_translation_of: id })
  const shared = { attendance: 'mixed', virtual_url: url, previous_start_dates: undefined }
  const { event_status_date } = await stateOf(app, id)

  const copied = await stateOf(app, french.id)
  assert.deepEqual(copied, { ...shared, event_status: 'canceled', event_status_reason: undefined, event_status_date })
  assert.equal(french.title, 'Foire')
  await changed(app, `/events/${french.id}`, { event_status_reason: 'Tempête' })
  assert.equal((await stateOf(app, id)).event_status_reason, 'Storm')

  await changed(app, `/events/${id}`, { event_status: 'postponed', event_status_reason: 'Wind' })
  const after = await stateOf(app, french.id)
  assert.deepEqual([after.event_status, after.event_status_reason], ['postponed', undefined])
  const { id: alone } = await givenEvent(app, { title: 'Other', ml_language: 'fr-CA' })
  await changed(app, `/events/${alone}`, { ml_translation_of: 0 })
  assert.equal((await stateOf(app, alone)).event_status, undefined)
})

test('an event keeps its state in the trash and after it is restored', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, { title: 'Fair', ...state })
  const before = await stateOf(app, id)

  await app.send({ as: 'administrator', method: 'DELETE', path: `/events/${id}` })
  assert.deepEqual(await listedIds(app, 'event_status=canceled&status=trash', 'editor'), [id])
  await app.send({ as: 'administrator', method: 'POST', path: `//cal/service/v1/events/${id}/restore` })

  assert.deepEqual(await stateOf(app, id), before)
  assert.deepEqual(await listedIds(app, 'event_status=canceled'), [id])
})

test('every event has the members of online events if clients expect them', async (t) => {
  const app = await startTestApp(t, { VIRTUAL_KEYS: 'always' })
  const { id: plainId } = await givenEvent(app, { title: 'Plain' })
  const { id: onlineId } = await givenEvent(app, { title: 'Call', ...state, virtual_video_source: 'Zoom' })
  const { id: lockedId } = await givenEvent(app, { title: 'Locked', ...state, event_password: password })
  const keysOf = (body: Readonly<Record<string, unknown>>) => [
    ...[body.is_virtual, body.virtual_url, body.virtual_video_source],
  ]

  const { body } = await app.send({ path: '/events' })
  assert.deepEqual(Object.fromEntries(body.events.map((event: { id: number }) => [event.id, keysOf(event as never)])), {
    [plainId]: [false, null, ''],
    [onlineId]: [true, '', 'zoom'],
    [lockedId]: [true, null, ''],
  })
  const single = await app.send({ path: `/events/${plainId}` })
  assert.deepEqual(keysOf(single.body), [false, null, ''])
  const signedIn = await app.send({ path: `/events/${onlineId}`, as: 'subscriber' })
  assert.equal(signedIn.body.virtual_url, url)
})

test('the address of an event that is on site again is for its writers', async (t: TestContext) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, { title: 'Fair', event_status: 'moved_online', virtual_url: url })
  await changed(app, `/events/${id}`, { event_status: 'scheduled' })

  const { text } = await app.send({ path: `/events/${id}` })
  assert.doesNotMatch(text, /virtual|meet\.example/)
  assert.equal(typeof (await stateOf(app, id)).virtual_url, 'string')
})

test('a reason and an address come back as they were read', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, { event_status: 'canceled', attendance: 'online' })
  const reasons = [
    'R&B <3 "now"',
    'a &amp; b',
    '1 < 2 > 0',
    '<b>x</b> y',
    'one\ntwo',
    '&lt;b&gt;',
    "it's",
    '&#10;&#1;é',
  ]
  for (const reason of reasons) {
    const sent = { event_status_reason: reason, virtual_url: "https://meet.example/x?a='b'&amp=1&c=d" }
    const first = await changed(app, `/events/${id}`, sent)
    const { event_status_reason, virtual_url } = first
    const again = await changed(app, `/events/${id}`, { event_status_reason, virtual_url })

    assert.deepEqual([again.event_status_reason, again.virtual_url], [event_status_reason, virtual_url], reason)
    assert.doesNotMatch(event_status_reason + virtual_url, /[<>"']|&amp;(?:lt|amp|quot)/)
  }
})
