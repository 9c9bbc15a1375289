import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { isOnPostgres } from '../../../test/support/database.ts'
import { runs } from '../../../test/support/long.ts'
import { type Actor, type UserId, visitor } from '../../access/auth/actor.ts'
import { FALLBACKS, type Fallback, type ListSettings, listPreference } from '../../base/languages/chain.ts'
import { CONTRACT_LANGUAGES, type Language } from '../../base/languages/language.ts'
import { Problem } from '../../base/problems.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { type EntryQuery, listDirectoryEntries } from '../directory/directory.repository.ts'
import { changeEntry, createEntry, trashEntry } from '../directory/directory.service.ts'
import { planEventList } from '../events/list/list.plan.ts'
import { listEvents } from '../events/list/list.repository.ts'
import { createEvent } from '../events/write/create.service.ts'
import { changeEvent, trashEvent } from '../events/write/event.service.ts'
import { organizers } from '../organizers/organizer.directory.ts'
import { writeContext } from '../records/write.context.ts'
import { viewerOf } from './viewer.ts'

/** Each history takes several times as long on PostgreSQL, and the rules are the same. */
const histories = isOnPostgres() ? runs(100, 500) : runs(300, 2_000)
const editor: Actor = { kind: 'user', id: 4 as UserId, role: 'editor' }

/** The possible steps. A step names a record by its position among the created records. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('create'),
      language: fc.constantFrom(...CONTRACT_LANGUAGES),
      of: fc.option(fc.nat(5)),
      isDraft: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('join'), at: fc.nat(5), to: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave'), at: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete'), at: fc.nat(5) }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** The reference model: records with their groups, in the order of their creation. */
interface Known {
  readonly id: number
  readonly language: Language
  group: symbol
  isOriginal: boolean
  isShown: boolean
}

class Model {
  readonly records: Known[] = []

  at(place: number): Known | undefined {
    return this.records[place % Math.max(1, this.records.length)]
  }

  isFree(of: Known, language: Language): boolean {
    return this.records.every((record) => record.group !== of.group || record.language !== language)
  }

  add(id: number, language: Language, of: Known | undefined, isShown: boolean): void {
    this.records.push({ id, language, group: of?.group ?? Symbol(), isOriginal: of === undefined, isShown })
  }

  leave(record: Known, to: symbol = Symbol()): void {
    const left = this.records.filter((other) => other.group === record.group && other !== record)
    const [oldest] = left
    if (record.isOriginal && oldest) oldest.isOriginal = true
    record.isOriginal = !this.records.some((other) => other.group === to)
    record.group = to
  }

  /** Returns the ids that a visitor's list shows, in order of id. */
  listed(asked: Language | undefined, { defaultLanguage, listsAllGroups, fallback }: Lists): readonly number[] {
    const within: Record<Language, Language[]> = { en: ['en', 'en-CA'], 'en-CA': ['en-CA', 'en'], 'fr-CA': ['fr-CA'] }
    const chainOf = (one: Language) => within[one] ?? assert.fail()
    const language = asked ?? defaultLanguage
    const isStrict = fallback !== 'any' && !(asked === undefined && listsAllGroups)
    const own = fallback === 'none' && isStrict ? [language] : chainOf(language)
    const chain = isStrict ? own : [...new Set([...own, ...chainOf(defaultLanguage)])]
    const rank = (record: Known) => {
      const place = chain.indexOf(record.language)
      return place >= 0 ? place : chain.length + (record.isOriginal ? 0 : 1)
    }
    const groups = Map.groupBy(
      this.records.filter((record) => record.isShown),
      (record) => record.group,
    )
    return [...groups.values()]
      .flatMap((members) => {
        const best = members.toSorted((a, b) => rank(a) - rank(b) || a.id - b.id)[0]
        return !best || (isStrict && !chain.includes(best.language)) ? [] : [best.id]
      })
      .sort((a, b) => a - b)
  }
}

/** The settings that lists depend on. */
interface Lists extends ListSettings {
  readonly fallback: Fallback
}

const lists: fc.Arbitrary<Lists> = fc.record({
  languages: fc.constant(CONTRACT_LANGUAGES),
  defaultLanguage: fc.constantFrom(...CONTRACT_LANGUAGES),
  listsAllGroups: fc.boolean(),
  fallback: fc.constantFrom(...FALLBACKS),
})

/** The same actions on events or on organizers. */
interface Doings {
  create(app: TestApp, language: Language, of: number | undefined, isDraft: boolean): Promise<number>
  regroup(app: TestApp, id: number, to: number): Promise<unknown>
  remove(app: TestApp, id: number): Promise<unknown>
  list(
    app: TestApp,
    language: Language | undefined,
    settings: Lists,
  ): Promise<{ readonly ids: readonly number[]; readonly total: number }>
}

const none = undefined
const page = { page: 1, perPage: 100 }

const onOrganizers: Doings = {
  create: async ({ deps }, language, of, isDraft) => {
    const draft = { name: `Club ${Math.random()}`, status: isDraft ? 'draft' : 'publish', fields: {} } as const
    return (
      await deps.storage.write((tx) =>
        createEntry(writeContext({ deps, actor: editor }, tx), organizers, { draft, language, of }),
      )
    ).id
  },
  regroup: ({ deps }, id, to) =>
    deps.storage.write((tx) =>
      changeEntry(writeContext({ deps, actor: editor }, tx), organizers, {
        ...{ id, patch: { fields: {} }, translationOf: to },
      }),
    ),
  remove: ({ deps }, id) =>
    deps.storage.write((tx) => trashEntry(writeContext({ deps, actor: editor }, tx), organizers, id)),
  list: async ({ deps }, language, settings) => {
    const preference = listPreference(language, settings, settings.fallback)
    const asked: EntryQuery = {
      ...{ ...page, preference, status: none, words: none, eventIds: none, hasEvents: none, eventsFrom: none },
    }
    const viewer = viewerOf({ actor: visitor, language, deps: { config: settings } })
    const { db, dialect } = deps.storage
    const { items, total } = await listDirectoryEntries({ db, dialect, viewer }, organizers, asked)
    return { ids: items.map(({ id }) => id), total }
  },
}

const onEvents: Doings = {
  create: async ({ deps }, language, of, isDraft) => {
    const dates = { start: '2030-02-01 10:00', end: '2030-02-01 11:00' }
    const draft = { title: 'Concert', ...dates, status: isDraft ? 'draft' : 'publish' } as const
    const write = (tx: Tx) => writeContext({ deps, actor: editor }, tx)
    return (await deps.storage.write((tx) => createEvent(write(tx), draft, { language, of }))).id
  },
  regroup: ({ deps }, id, to) =>
    deps.storage.write((tx) => changeEvent(writeContext({ deps, actor: editor }, tx), id, { translationOf: to })),
  remove: ({ deps }, id) => deps.storage.write((tx) => trashEvent(writeContext({ deps, actor: editor }, tx), id)),
  list: async ({ deps }, language, settings) => {
    const asked = {
      ...{ ...page, window: { bounds: [], isInUtc: true, shown: {} }, status: none, search: none, categoryIds: none },
      ...{ tagIds: none, venueIds: none, organizerIds: none, isFeatured: none, ids: none, parentIds: none },
      ...{
        hasTickets: none,
        eventStatuses: none,
        attendances: none,
        hasPlace: false,
        around: none,
        preference: listPreference(language, settings, settings.fallback),
      },
    }
    const viewer = viewerOf({ actor: visitor, language, deps: { config: settings } })
    const context = { db: deps.storage.db, dialect: deps.storage.dialect, viewer }
    const { items, total } = await listEvents(context, await planEventList(context, asked))
    return { ids: items.map(({ id }) => id), total }
  },
}

async function take(app: TestApp, doings: Doings, model: Model, one: Step): Promise<void> {
  if (one.do === 'create') {
    const of = one.of === null ? undefined : model.at(one.of)
    const attempt = doings.create(app, one.language, of?.id, one.isDraft)
    if (of && !model.isFree(of, one.language)) await assert.rejects(attempt, isTaken)
    else model.add(await attempt, one.language, of, !one.isDraft)
    return
  }
  const record = model.at(one.at)
  if (!record) return
  if (one.do === 'delete') {
    if (record.isShown) await doings.remove(app, record.id)
    record.isShown = false
  } else if (one.do === 'leave') {
    await doings.regroup(app, record.id, 0)
    model.leave(record)
  } else if (one.do === 'join') {
    const to = model.at(one.to)
    if (!to || to.group === record.group) return
    const attempt = doings.regroup(app, record.id, to.id)
    if (!model.isFree(to, record.language)) return assert.rejects(attempt, isTaken)
    await attempt
    model.leave(record, to.group)
  }
}

const isTaken = (error: unknown) => error instanceof Problem && error.code === 'ml_translation_exists'

for (const [name, doings] of Object.entries({ events: onEvents, organizers: onOrganizers })) {
  test(`${name} are listed once per group, in the version that the reference model shows`, async (t) => {
    const app = await startTestApp(t)

    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 9 }), lists, async (steps, settings) => {
        await app.deps.storage.write((tx) => tx.deleteFrom('records').execute())
        const model = new Model()
        for (const one of steps) await take(app, doings, model, one)

        for (const language of [undefined, ...CONTRACT_LANGUAGES]) {
          const { ids, total } = await doings.list(app, language, settings)
          const expected = model.listed(language, settings)
          assert.deepEqual(
            [...ids].sort((a, b) => a - b),
            expected,
            `${language} of ${JSON.stringify(settings)}`,
          )
          assert.equal(total, expected.length)
        }
      }),
      { numRuns: Math.ceil(histories / 2) },
    )
  })
}
