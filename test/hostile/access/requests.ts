import assert from 'node:assert/strict'
import type { FastifyInstance } from 'fastify'
import { site, type TestAnswer, type TestApp } from '../../support/app.ts'
import { type Facts, innerWord, membersWord, outerWord, spellingsOf } from './facts.ts'
import type { ExpectedAnswer, ExpectedItem, Question } from './question.ts'
import { type Caller, isEditable, isOpen, isReadable, isSeriesOpen } from './visibility.ts'

/** Fields that differ between responses but reveal nothing. */
const passing = new Set(['date', 'connection', 'keep-alive', 'x-request-id'])

/**
 * Fields of calendars that follow from the body. `Last-Modified` is when this process first saw the `ETag`, a hash of the
 * body. So both change with `SEQUENCE`, which counts also what everybody may know: that a protected event was changed.
 */
const ofBody = new Set(['last-modified', 'etag', 'content-length'])

export async function ask(app: TestApp, { path, method = 'GET' }: Question, caller: Caller): Promise<TestAnswer> {
  return app.send({ ...(caller === 'visitor' ? {} : { as: caller }), method, path })
}

/**
 * Parameters that the body of a reading request may not contain: our own ones, and those that only an address may
 * contain.
 */
const onlyInAddresses = /^(?:password|event_status|attendance|occurrences|series|geoloc_radius|_.*|rest_route)$/

/**
 * Sends the same question in a JSON body, which must give the same response (conventions.md §2).
 *
 * @returns undefined if the question cannot be sent in a body.
 */
export async function askInBody(
  app: TestApp,
  { path, method }: Question,
  caller: Caller,
): Promise<TestAnswer | undefined> {
  const [address = '', query] = path.split('?')
  const sent = [...new URLSearchParams(query)]
  const isAskable = method === undefined && !path.startsWith('//') && sent.length > 0
  if (!isAskable || sent.some(([name]) => onlyInAddresses.test(name))) return undefined
  return app.send({ ...(caller === 'visitor' ? {} : { as: caller }), path: address, json: Object.fromEntries(sent) })
}

/** Returns the contents of a response, in the format of the expected response. */
export function observedIn(
  facts: Facts,
  { status, body, headers, text }: TestAnswer,
  expected: ExpectedAnswer,
): ExpectedAnswer {
  const isEnvelope = typeof body?.status === 'number' && body.headers !== undefined
  const inner = isEnvelope ? body.body : body
  if (expected.allow !== undefined) return { status, allow: headers.allow ?? '' }
  if (expected.events) return { status, events: eventsNamedIn(facts, text) }
  const list = ['events', 'venues', 'organizers', 'categories', 'tags'].find((name) => Array.isArray(inner?.[name]))
  const isItem = list === undefined || inner.id !== undefined
  const items = isItem ? (inner?.id === undefined ? [] : [inner]) : inner[list]
  return {
    status,
    // Pages have no codes.
    ...(expected.code === undefined && (status < 400 || body === undefined) ? {} : { code: inner?.code }),
    ...(expected.total === undefined ? {} : { total: inner?.total }),
    ...(expected.shown === undefined
      ? {}
      : { shown: items.map(shownBy).toSorted((a: ExpectedItem, b: ExpectedItem) => a.id - b.id) }),
  }
}

function eventsNamedIn({ records }: Facts, text: string): readonly number[] {
  const named = new Set(text.match(/outer\d+x/g))
  return records
    .filter(({ kind, number }) => kind === 'event' && named.has(outerWord(number)))
    .map(({ number }) => number)
    .toSorted((a, b) => a - b)
}

// biome-ignore lint/suspicious/noExplicitAny: items of every shape.
function shownBy(item: any): ExpectedItem {
  const ids = (linked: unknown) => {
    const list = Array.isArray(linked) ? linked : [linked]
    return list.map(({ id }) => id).toSorted((a, b) => a - b)
  }
  if ('taxonomy' in item) return { id: item.id, count: item.count }
  if (!('featured' in item)) return { id: item.id }
  return {
    id: item.id,
    isMasked: item.featured === null,
    venues: ids(item.venue),
    organizers: ids(item.organizer),
    categories: ids(item.categories),
    tags: ids(item.tags),
  }
}

/** Returns everything in a response that can reveal something: status, headers and body. */
export function wholeOf({ status, headers, text }: TestAnswer): string {
  const isCalendar = headers['content-type']?.startsWith('text/calendar') === true
  const kept = Object.entries(headers).filter(([name]) => !passing.has(name) && !(isCalendar && ofBody.has(name)))
  // Contract: everybody may see when an event was changed (`modified`), and so that it was changed.
  const body = isCalendar ? text.replaceAll(/^SEQUENCE:\d+\r\n/gm, '') : text
  return JSON.stringify([status, kept.toSorted(([a], [b]) => (a < b ? -1 : 1)), body])
}

/** Returns days in a response on which a series has a date that this caller may not see. */
function secretDaysIn({
  facts: { records, templates },
  path,
  caller,
  whole,
}: {
  readonly facts: Facts
  readonly path: string
  readonly caller: Caller
  readonly whole: string
}): readonly string[] {
  const known = new Set<string>()
  const all = records.flatMap((record) => (record.furtherDate ? [{ ...record.furtherDate, record }] : []))
  for (const { day, seriesId, record } of all) {
    // Those who may change a series know its dates.
    const isOwn = templates.some((template) => template.groupId === seriesId && isEditable(caller, template))
    if (isOwn || isReadable(caller, record) || path.includes(day)) known.add(day)
  }
  const days = new Set(all.map(({ day }) => day)).difference(known)
  return [...days].filter((day) => spellingsOf(day).some((spelling) => whole.includes(spelling)))
}

/** Returns words in a response that belong to records that this caller may not see. */
export function secretsIn(facts: Facts, { path, asking, seenBy }: Question, asker: Caller, answer: TestAnswer) {
  const caller = seenBy ?? asker
  const { records, templates } = facts
  const known = new Set(path.match(/(?:outer|inner)\d+x/g) ?? [])
  for (const record of records) {
    if (!isReadable(caller, record)) continue
    known.add(outerWord(record.number))
    // A venue by itself may show what an event hides of it. The contents of an event are protected by its password.
    if (record.kind !== 'event' || isOpen({ ...asking, caller }, record)) known.add(innerWord(record.number))
  }
  for (const template of templates) {
    if (!isSeriesOpen(caller, template)) continue
    known.add(outerWord(template.number))
    known.add(innerWord(template.number))
  }
  if (caller !== 'visitor') known.add(membersWord)
  const whole = wholeOf(answer)
  const told = whole.match(/(?:outer|inner)\d+x|members-only/g) ?? []
  return [...[...new Set(told)].filter((word) => !known.has(word)), ...secretDaysIn({ facts, path, caller, whole })]
}

/** Checks that a visitor gets the same feed if it is read and written in pieces, as long feeds are. */
export async function assertSameInPieces(
  chunked: FastifyInstance,
  { path }: Question,
  answer: TestAnswer,
): Promise<void> {
  if (!path.startsWith('/events.')) return
  const url = `/cal/events/v1${path}`
  const made = await chunked.inject({ url, headers: { host: new URL(site).host } })
  assert.deepEqual([made.statusCode, made.body], [answer.status, answer.text], `${path} in pieces`)
}

/**
 * Checks that a visitor gets the same response without the response cache, and with validators of earlier
 * representations.
 */
export async function assertSameFromCache(
  uncached: FastifyInstance,
  app: TestApp,
  question: Question,
  answer: TestAnswer,
  knownEtags: Map<string, string>,
): Promise<void> {
  const { path } = question
  const url = path.startsWith('//') ? path.slice(1) : `/cal/events/v1${path}`
  const made = await uncached.inject({ url, headers: { host: new URL(site).host } })
  assert.equal(answer.text, made.body, `${path} from memory`)
  assert.equal(answer.status, made.statusCode, path)
  const tag = knownEtags.get(path)
  if (tag !== undefined) {
    const again = await app.send({ path, headers: { 'if-none-match': tag } })
    const isSame = answer.status === 200 && answer.headers.etag === tag
    assert.equal(again.status, isSame ? 304 : answer.status, `${path} with what was kept`)
    assert.equal(again.text, isSame ? '' : answer.text, path)
  }
  if (answer.headers.etag !== undefined) knownEtags.set(path, answer.headers.etag)
}
