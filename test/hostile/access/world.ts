import assert from 'node:assert/strict'
import fc from 'fast-check'
import { sql } from 'kysely'
import { ROLES, type Role } from '../../../src/access/auth/actor.ts'
import type { Language } from '../../../src/base/languages/language.ts'
import { ATTENDANCES, type Attendance, type EventStatus } from '../../../src/calendar/events/model/state.ts'
import { type TableName, tableNames } from '../../../src/storage/database/copies/copy.tables.ts'
import type { TestApp } from '../../support/app.ts'
import { dayOfNumber, innerWord, type Kind, membersWord, outerWord, type RecordFacts } from './facts.ts'

/** The password of all protected events. */
export const passwordOfAll = 'sesame'

const kinds = ['event', 'event', 'event', 'venue', 'organizer'] as const
const statuses = ['publish', 'publish', 'draft', 'pending', 'private', 'future', 'trash'] as const
type Status = (typeof statuses)[number]
/** A number selects one of the existing records, by position. */
const place = fc.nat(20)

/** A change to a calendar. An administrator makes it, unless the step says otherwise. */
export type Step =
  | {
      readonly do: 'add'
      readonly kind: Kind
      readonly status: Status
      readonly owner: number
      readonly language: Language
      /** The record that this one translates, if that is possible. */
      readonly translates: number | undefined
      readonly isProtected: boolean
      readonly isHidden: boolean
      readonly isFeatured: boolean
      readonly eventStatus: EventStatus
      readonly attendance: Attendance
      /** Whether only signed-in callers see the address of an online event. */
      readonly isForMembers: boolean
      /** Whether an event repeats: it becomes the first of two dates of a series. */
      readonly repeats: boolean
      /** The status of the second date, if it differs from the first one. */
      readonly ofOther: 'draft' | 'private' | undefined
      /** Whether the first date follows from a rule. */
      readonly hasRule: boolean
      readonly venue: number | undefined
      readonly organizers: readonly number[]
      readonly categories: readonly number[]
      readonly tags: readonly number[]
    }
  /** A contributor names a new category and a new tag in a draft. */
  | { readonly do: 'introduce' }
  | { readonly do: 'state'; readonly which: number; readonly status: Status }
  | { readonly do: 'protect'; readonly which: number; readonly isProtected: boolean }
  | { readonly do: 'hide'; readonly which: number; readonly isHidden: boolean }
  | { readonly do: 'give'; readonly which: number; readonly owner: number }

const owner = fc.integer({ min: 1, max: ROLES.length })
const status = fc.constantFrom<Status>(...statuses)
const terms = fc.subarray([0, 1, 2], { maxLength: 2 })

const added: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('add' as const),
  kind: fc.constantFrom<Kind>(...kinds),
  status,
  owner,
  language: fc.constantFrom<Language>('en', 'en', 'fr-CA', 'en-CA'),
  translates: fc.option(place, { nil: undefined, freq: 2 }),
  isProtected: fc.integer({ min: 0, max: 2 }).map((draw) => draw === 0),
  isHidden: fc.integer({ min: 0, max: 5 }).map((draw) => draw === 0),
  isFeatured: fc.boolean(),
  // Some events are over, so that they can no longer be postponed.
  eventStatus: fc.constantFrom<EventStatus>('scheduled', 'scheduled', 'canceled', 'moved_online'),
  attendance: fc.constantFrom(...ATTENDANCES),
  isForMembers: fc.boolean(),
  repeats: fc.integer({ min: 0, max: 2 }).map((draw) => draw === 0),
  ofOther: fc.constantFrom('draft' as const, 'private' as const, undefined),
  hasRule: fc.boolean(),
  venue: fc.option(place, { nil: undefined, freq: 3 }),
  organizers: fc.array(place, { maxLength: 2 }),
  categories: terms,
  tags: terms,
})

const introduced: fc.Arbitrary<Step> = fc.constant({ do: 'introduce' })

/** Changes that affect who sees a record. */
export const changed: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('state' as const), which: place, status }) },
  fc.record({ do: fc.constant('protect' as const), which: place, isProtected: fc.boolean() }),
  fc.record({ do: fc.constant('hide' as const), which: place, isHidden: fc.boolean() }),
  fc.record({ do: fc.constant('give' as const), which: place, owner }),
)

/** An event that everybody may read, with a further date that is a draft. */
const withDraftDate = {
  status: 'publish',
  isProtected: false,
  repeats: true,
  ofOther: 'draft',
  hasRule: false,
} as const

/** One record of each kind, so that every way to read has something to ask for. */
const onceEach = fc.tuple(
  ...(['venue', 'organizer', 'event'] as const).map((kind) =>
    added.map((step) => ({ ...step, kind, ...(kind === 'event' ? withDraftDate : {}) })),
  ),
)

/** The steps that create a calendar. */
export const histories: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    onceEach,
    fc.array(fc.oneof({ weight: 6, arbitrary: added }, introduced), { maxLength: 9, size: 'max' }),
    fc.array(fc.oneof(changed, added, introduced), { maxLength: 8, size: 'max' }),
  )
  .map((parts) => parts.flat())

const nameOf = { event: 'title', venue: 'venue', organizer: 'organizer' } as const
const far = '2031-06-01 00:00:00'

/**
 * Removes everything from the calendar except its users, and adds three categories and three tags, one of them
 * translated.
 */
export async function emptied(app: TestApp): Promise<void> {
  // Audit entries are never removed.
  const kept: readonly TableName[] = ['users', 'application_passwords', 'audit']
  await app.deps.storage.write(async (tx) => {
    for (const table of tableNames.filter((name) => !kept.includes(name)).toReversed()) {
      await sql`delete from ${sql.table(table)}`.execute(tx)
    }
  })
  for (const path of ['/categories', '/tags']) {
    for (const name of ['One', 'Two', 'Three']) await done(app, 'POST', path, { name })
  }
  const { body } = await app.send({ path: '/categories?slug=one&hide_empty=0' })
  const json = { name: 'Un', ml_translation_of: body.categories[0].id }
  await done(app, 'POST', '/categories?ml_language=fr-CA', json)
}

/** Applies a step if possible. A refused step, such as a second translation, has no effect. */
export async function applyStep(
  app: TestApp,
  step: Step,
  records: readonly RecordFacts[],
  number: number,
): Promise<void> {
  if (step.do === 'add') return add(app, step, records, number)
  if (step.do === 'introduce') return introduce(app, number)
  const record = records[step.which % Math.max(1, records.length)]
  if (!record || (record.kind !== 'event' && ['protect', 'hide'].includes(step.do))) return
  const path = `/${record.kind}s/${record.id}`
  if (step.do === 'state' && step.status === 'trash') {
    if (record.status !== 'trash') await done(app, 'DELETE', path, {})
    return
  }
  await done(app, 'PATCH', path, changesOf(step))
}

function changesOf(step: Exclude<Step, { do: 'add' | 'introduce' }>): object {
  if (step.do === 'protect') return { event_password: step.isProtected ? passwordOfAll : '' }
  if (step.do === 'hide') return { hide_from_listings: step.isHidden }
  if (step.do === 'give') return { author: step.owner }
  // A date in the future gives the status `future`; a date in the past does not.
  return step.status === 'future'
    ? { status: 'publish', date: far }
    : { status: step.status, date: '2030-01-01 00:00:00' }
}

async function add(
  app: TestApp,
  step: Extract<Step, { do: 'add' }>,
  records: readonly RecordFacts[],
  number: number,
): Promise<void> {
  const alike = records.filter(({ kind }) => kind === step.kind)
  const original = step.translates === undefined ? undefined : alike[step.translates % Math.max(1, alike.length)]
  const isFree = records.every(({ groupId, language }) => groupId !== original?.groupId || language !== step.language)
  const { status, text, body } = await app.send({
    as: 'administrator',
    method: 'POST',
    path: `/${step.kind}s?ml_language=${step.language}`,
    json: {
      [nameOf[step.kind]]: outerWord(number),
      description: innerWord(number),
      author: step.owner,
      ...(step.status === 'future' ? { date: far } : { status: step.status === 'trash' ? 'publish' : step.status }),
      ...(original && isFree ? { ml_translation_of: original.id } : {}),
      ...ownFields(step, records, number),
    },
  })
  assert.equal(status, 201, text)
  if (step.kind === 'event' && step.repeats && !original) await repeat(app, step, { id: body.id, records, number })
  if (step.status === 'trash') await done(app, 'DELETE', `/${step.kind}s/${body.id}`, {})
}

/**
 * Makes an event the first date of a series. The second date has words of its own, so that the template of the series has
 * the same words as the first date only. It is on a day of its own, which only those may know who may read it.
 */
async function repeat(
  app: TestApp,
  step: Extract<Step, { do: 'add' }>,
  { id, records, number }: { readonly id: number; readonly records: readonly RecordFacts[]; readonly number: number },
): Promise<void> {
  const rule = step.hasRule ? { rrule: 'FREQ=DAILY;COUNT=1' } : {}
  const json = { slug: `series-${number}`, recurrence: { ...rule, dates: [dayOfNumber(number)] } }
  await done(app, 'PATCH', `/events/${id}`, json)
  const { body } = await app.send({ as: 'administrator', path: `/events/${id}?context=edit` })
  const dates = await app.send({ as: 'administrator', path: `//cal/service/v1/series/${body.series.id}/dates` })
  const other = dates.body.dates.find(({ event_id }: { readonly event_id: number }) => event_id !== id)
  const {
    categories: _,
    tags: __,
    venue: ___,
    organizer: ____,
    ...own
  } = ownFields(step, records, number + 500) as Readonly<Record<string, unknown>>
  const texts = { title: outerWord(number + 500), description: innerWord(number + 500) }
  const status = step.ofOther === undefined ? {} : { status: step.ofOther }
  await done(app, 'PATCH', `/events/${other.event_id}`, { ...texts, ...own, ...status })
}

async function introduce(app: TestApp, number: number): Promise<void> {
  const json = {
    ...{ title: outerWord(number), description: innerWord(number), status: 'draft' },
    ...{ start_date: '2030-03-01 19:00:00', end_date: '2030-03-01 21:00:00' },
    ...{ categories: [`Satire ${number}`], tags: [`Slam ${number}`] },
  }
  await done(app, 'POST', '/events', json, 'contributor')
}

/** Makes the contributor name another new tag in their own draft. */
export async function nameSecretly(app: TestApp, { id }: RecordFacts): Promise<void> {
  await done(app, 'PATCH', `/events/${id}`, { tags: [`Another slam ${id}`] }, 'contributor')
}

/** Returns the fields that each translation has for itself: shared fields are not a secret of one of them. */
function ownFields(step: Extract<Step, { do: 'add' }>, records: readonly RecordFacts[], number: number): object {
  const word = innerWord(number)
  if (step.kind === 'organizer') return { website: `https://${word}.example/` }
  if (step.kind === 'venue') {
    return { city: word, ...(number % 2 === 0 ? { geo_lat: 45.5, geo_lng: -73.5 } : {}) }
  }
  const pick = (kind: Kind, places: readonly number[]) => {
    const some = records.filter((record) => record.kind === kind)
    return some.length === 0 ? [] : [...new Set(places.map((at) => some[at % some.length]?.id))]
  }
  const day = String(1 + (number % 28)).padStart(2, '0')
  const names = ['One', 'Two', 'Three']
  return {
    start_date: `2030-0${number % 3 === 0 ? 1 : 3}-${day} 19:00:00`,
    end_date: `2030-0${number % 3 === 0 ? 1 : 3}-${day} 21:00:00`,
    excerpt: word,
    cost: word,
    website: `https://${word}.example/`,
    hide_from_listings: step.isHidden,
    featured: step.isFeatured,
    event_status: step.eventStatus,
    ...(step.eventStatus === 'scheduled' ? {} : { event_status_reason: word }),
    attendance: step.attendance,
    virtual_url: step.isForMembers ? `https://${membersWord}.example/` : 'https://call.example/',
    virtual_access: step.isForMembers ? 'registered' : 'all',
    categories: step.categories.map((at) => names[at]),
    tags: step.tags.map((at) => names[at]),
    venue: pick('venue', step.venue === undefined ? [] : [step.venue]),
    organizer: pick('organizer', step.organizers),
    event_password: step.isProtected ? passwordOfAll : '',
  }
}

async function done(
  app: TestApp,
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  json: object,
  as: Role = 'administrator',
): Promise<void> {
  const { status, text } = await app.send({ as, method, path, json })
  assert.ok(status === 200 || status === 201, `${method} ${path}: ${text}`)
}

/** Changes the parts of a record that the given caller may not see, and no part that affects who sees it. */
export async function changeSecretly(
  app: TestApp,
  { id, kind, eventStatus }: RecordFacts,
  {
    hasTitle,
    hasLinks,
    hasTerms,
  }: { readonly hasTitle: boolean; readonly hasLinks: boolean; readonly hasTerms: boolean },
): Promise<void> {
  const title = hasTitle ? { [nameOf[kind]]: 'Another name' } : {}
  const shared = {
    event: {
      excerpt: 'Another excerpt',
      cost: '99',
      website: 'https://another.example/',
      ...(eventStatus === 'scheduled' ? {} : { event_status_reason: 'Another reason' }),
      ...(hasLinks ? { featured: true, show_map: true, venue: [], organizer: [] } : {}),
      ...(hasLinks ? { virtual_url: 'https://another.example/call', virtual_video_source: 'zoom' } : {}),
      ...(hasLinks && hasTitle ? { event_status: 'canceled', attendance: 'mixed' } : {}),
      ...(hasTerms ? { categories: ['Three'], tags: [], start_date: '2030-02-02', end_date: '2030-02-03' } : {}),
    },
    venue: { city: 'Elsewhere', ...(hasLinks ? { geo_lat: 1, geo_lng: 1 } : {}) },
    organizer: { website: 'https://another.example/' },
  }
  await done(app, 'PATCH', `/${kind}s/${id}`, { ...title, description: 'Another text', ...shared[kind] })
}

/** Changes the texts of a series, which its dates follow. */
export async function changeTemplateSecretly(
  app: TestApp,
  { id }: RecordFacts<'series'>,
  hasTitle: boolean,
): Promise<void> {
  const texts = {
    description: 'Another text of all dates',
    ...(hasTitle ? { title: 'Another name of all dates' } : {}),
  }
  await done(app, 'PATCH', `//cal/service/v1/series/${id}`, texts)
}
