import { assertAllowed, mayCreate, mayEdit, mayEditOthers } from '../../access/auth/policy.ts'
import { booleanFromWord, oneOf, pathNumberOr } from '../../access/http/arguments/argument.rules.ts'
import { booleanSchema, integerSchema, wordSchema } from '../../access/http/arguments/argument.schema.ts'
import type { Argument } from '../../access/http/arguments/argument.ts'
import { totalPages } from '../../access/http/arguments/paging.ts'
import { endpoint, type Route, recordHeaders } from '../../access/http/route.ts'
import { fullLanguageChain } from '../../base/languages/chain.ts'
import { contentLanguageOf } from '../../base/languages/language.ts'
import { fail } from '../../base/problems.ts'
import { listTranslations } from '../records/record.translations.repository.ts'
import { readContext } from '../translations/viewer.ts'
import { listAlike, maxAlikePairs } from './directory.alike.repository.ts'
import { directoryListArguments } from './directory.arguments.ts'
import { findEntry, listDirectoryEntries } from './directory.repository.ts'
import type { Directory, Fields } from './directory.ts'
import { countEventsByGroup } from './directory.usage.repository.ts'

const ORDERS = ['title', 'date'] as const

/** Venues or organizers with the number of their events, and one of them as it was written. */
export function directoryUsageRoutes<F extends Fields>(directory: Directory<F>): readonly Route[] {
  const { plural, tag } = directory
  return [
    { path: `/${plural}/usage`, tag, endpoints: [usageEndpoint(directory)] },
    { path: `/${plural}/{id}/source`, tag, endpoints: [sourceEndpoint(directory)] },
  ]
}

function usageEndpoint<F extends Fields>(directory: Directory<F>) {
  const { page, per_page, search, status, has_events } = directoryListArguments(directory)
  const orderby = {
    ...{ read: oneOf(ORDERS), schema: wordSchema(ORDERS), description: 'usage.orderby' },
    ...{ type: 'string', enum: ORDERS, default: ORDERS[0] },
  } as const satisfies Argument<(typeof ORDERS)[number]>
  const alike = {
    read: booleanFromWord,
    schema: booleanSchema,
    description: 'usage.alike',
  } as const satisfies Argument<boolean>
  return endpoint({
    methods: ['GET'],
    operation: `list${directory.tag.slice(0, -1)}Usage`,
    summary: `${directory.plural}.usage`,
    about: 'usage.about',
    answer: { schema: directory.schemas.usage },
    problems: ['rest_forbidden'],
    args: { page, per_page, search, status, has_events, orderby, alike },
    isOpenTo: mayCreate,
    handle: async ({ deps, actor, addresses, values, textLanguage }) => {
      const { config, storage } = deps
      const language = contentLanguageOf(config, textLanguage)
      const context = readContext({ deps, actor, language })
      const pairs = values.alike ? await listAlike({ ...storage, actor }, directory) : []
      const perPage = values.alike
        ? 2 * maxAlikePairs
        : Math.max(1, Math.min(values.per_page ?? config.perPage, config.maxPerPage))
      const { items, total } = await listDirectoryEntries(context, directory, {
        groupIds: values.alike ? pairs.flatMap(({ one, other }) => [one, other]) : undefined,
        ...{ page: Math.max(1, values.page ?? 1), perPage, order: values.orderby ?? ORDERS[0] },
        ...{ status: values.status ?? 'any', preference: fullLanguageChain(language, config) },
        ...{ words: values.search, hasEvents: values.has_events, eventIds: undefined, eventsFrom: undefined },
      })
      const isAll = mayEditOthers(actor)
      const groups = items.map(({ groupId }) => groupId)
      const counts = await countEventsByGroup({ db: storage.db, dialect: storage.dialect, isAll }, groups)
      const shown = new Map(items.map(({ groupId, id }) => [groupId, id]))
      const alikeOf = ({ groupId }: (typeof items)[number]) =>
        pairs.flatMap(({ one, other, reason }) => {
          const id = one === groupId ? shown.get(other) : undefined
          return id === undefined ? [] : [{ id, reason }]
        })
      const view = { addresses, siteZone: config.siteZone }
      const body = {
        items: items.map((entry) => ({
          [directory.kind]: directory.present({ ...entry, translations: undefined } as never, view),
          language: entry.language,
          versions: Object.entries(entry.translations ?? {}).map(([tag, id]) => ({ language: tag, id })),
          events: counts.get(entry.groupId) ?? 0,
          ...(values.alike && { alike: alikeOf(entry) }),
        })),
        ...{ total, total_pages: totalPages(total, perPage) },
      }
      return { status: 200, body }
    },
  })
}

function sourceEndpoint<F extends Fields>(directory: Directory<F>) {
  const { kind } = directory
  return endpoint({
    methods: ['GET'],
    operation: `get${directory.tag.slice(0, -1)}Source`,
    summary: `${directory.plural}.source`,
    about: 'events.source.about',
    answer: { schema: directory.schemas.source, headers: recordHeaders },
    problems: ['rest_forbidden', 'record-not-found'],
    path: {
      id: {
        read: pathNumberOr('record-not-found'),
        ...{ schema: integerSchema, type: 'integer', isRequired: true, description: `id.${kind}` },
      },
    },
    isOpenTo: mayCreate,
    handle: async ({ deps, actor, path }) => {
      const { db, dialect } = deps.storage
      const entry = (await findEntry(db, directory, path.id ?? 0)) ?? fail('record-not-found')
      assertAllowed(actor, mayEdit(actor, entry))
      const { id, status, language, title: name, content: description, groupId, changeCount: version } = entry
      const versions = (await listTranslations(db, actor, [id])).get(id) ?? {}
      const events = await countEventsByGroup({ db, dialect, isAll: mayEditOthers(actor) }, [groupId])
      const values = entry.fields as Readonly<Record<string, unknown>>
      const fields = Object.entries(directory.fields).map(([property, field]) => [field.name, values[property]])
      const translations = Object.entries(versions).flatMap(([tag, other]) =>
        other === id ? [] : [{ language: tag, id: other }],
      )
      return {
        status: 200,
        body: {
          ...{ id, status, language, name, description, fields: Object.fromEntries(fields), translations },
          events: events.get(groupId) ?? 0,
        },
        version,
      }
    },
  })
}
