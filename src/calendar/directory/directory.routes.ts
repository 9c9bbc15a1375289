import { mayCreate, mayEdit } from '../../access/auth/policy.ts'
import type { Arguments, Values } from '../../access/http/argument.ts'
import { asSent, type Pairs, pageHeaders, pageLinks, pageRequest, totalPages } from '../../access/http/paging.ts'
import { type Answer, type Call, endpoint, openToAll, type Route } from '../../access/http/route.ts'
import { listPreference } from '../../base/languages/chain.ts'
import { fail } from '../../base/problems.ts'
import { slugFrom } from '../../base/text/slug.ts'
import { translationRule } from '../records/record.arguments.ts'
import { findOwnedRecord } from '../records/record.repository.ts'
import { findIdBySlug } from '../records/record.versions.repository.ts'
import { translationOf } from '../translations/group.service.ts'
import { contentLanguage, viewerOf } from '../translations/viewer.ts'
import {
  directoryListArguments,
  directoryWriteArguments,
  entryIdArgument,
  entrySlugArgument,
} from './directory.arguments.ts'
import { presentEntry } from './directory.present.ts'
import { listDirectoryEntries, withTranslationIds } from './directory.repository.ts'
import { changeEntry, createEntry, readEntry, trashEntry, writeContext } from './directory.service.ts'
import type { Directory, DirectoryEntry, DirectoryEntryInput, Fields } from './directory.ts'

/** The three routes of venues or of organizers (venues-organizers.md §1). */
export function directoryRoutes<F extends Fields>(directory: Directory<F>): readonly Route[] {
  const { kind, plural, tag } = directory
  return [
    { path: `/${plural}`, tag, endpoints: [listEndpoint(directory), createEndpoint(directory)] },
    {
      path: `/${plural}/{id}`,
      tag,
      endpoints: itemEndpoints(directory, { id: entryIdArgument(kind) }, byId),
      target: (db, path) => findOwnedRecord(db, kind, Number(path.id)),
    },
    {
      path: `/${plural}/by-slug/{slug}`,
      tag,
      endpoints: itemEndpoints(directory, { slug: entrySlugArgument(kind) }, bySlug),
      target: async (db, path, asker) => {
        const id = await findIdBySlug(db, kind, slugFrom(String(path.slug)), asker)
        return id === undefined ? undefined : findOwnedRecord(db, kind, id)
      },
    },
  ]
}

function listEndpoint<F extends Fields>(directory: Directory<F>) {
  return endpoint({
    methods: ['GET'],
    operation: `list${directory.tag}`,
    summary: `${directory.plural}.list`,
    answer: { schema: directory.schemas.list, headers: ['X-TEC-Total', 'X-TEC-TotalPages'] },
    problems: [`${directory.kind}-archive-page-not-found`],
    path: {},
    args: directoryListArguments(directory),
    isOpenTo: openToAll,
    handle: (call) => answerList(directory, call),
  })
}

async function answerList<F extends Fields>(
  directory: Directory<F>,
  call: Call<Record<never, never>, ReturnType<typeof directoryListArguments>>,
): Promise<Answer> {
  const { deps, actor, values, sent, addresses } = call
  const { config, storage } = deps
  const request = pageRequest(call, config)
  const { items, total } = await listDirectoryEntries(
    storage.db,
    storage.dialect,
    directory,
    viewerOf(call),
    {
      ...request,
      status: values.status,
      preference: listPreference(call.language, config, config.namesFallback),
      words: values.search,
      eventIds: values.event,
      hasEvents: values.has_events,
      isUpcoming: values.only_with_upcoming ?? false,
    },
    deps.now(),
  )
  if (request.page > 1 && request.page > totalPages(total, request.perPage)) {
    fail(`${directory.kind}-archive-page-not-found`)
  }
  const pairs: Pairs = [
    ['per_page', request.perPage],
    ...(['search', 'event', 'has_events', 'only_with_upcoming'] as const).flatMap((name) =>
      sent[name] === undefined ? [] : [[name, asSent(sent[name])] as const],
    ),
    ['status', sent.status === undefined ? (mayCreate(actor) ? 'any' : 'publish') : asSent(sent.status)],
  ]
  return {
    status: 200,
    body: {
      [directory.plural]: items.map((entry) => presentEntry(directory, entry, addresses, config.siteZone)),
      ...pageLinks(call, `/${directory.plural}`, pairs, request, total),
      total,
      total_pages: totalPages(total, request.perPage),
    },
    headers: { ...pageHeaders(total, request.perPage), ...contentLanguage(items) },
  }
}

function createEndpoint<F extends Fields>(directory: Directory<F>) {
  return endpoint({
    methods: ['POST'],
    operation: `create${directory.tag.slice(0, -1)}`,
    summary: `${directory.plural}.create`,
    about: 'namesake.about',
    answer: { status: 201, schema: directory.schemas.one },
    problems: ['rest_forbidden', `could-not-create-${directory.kind}`],
    path: {},
    args: directoryWriteArguments(directory, { isNameRequired: true }),
    isOpenTo: mayCreate,
    translationOf: translationRule(directory.kind),
    handle: async (call) => {
      const { deps, actor, values } = call
      const translation = translationOf(call)
      const entry = await deps.storage.write((tx) =>
        createEntry(tx, writeContext(call), directory, actor, inputOf(directory, values), translation),
      )
      return answerEntry(directory, call, entry, { status: 201 })
    },
  })
}

/** How operations on one record are named, by what names the record. */
const byId = { operation: '', summary: '' } as const
const bySlug = { operation: 'BySlug', summary: '.slug' } as const

/** Reading, trashing and changing one record, which `path` finds: its value is the record's id. */
function itemEndpoints<F extends Fields, P extends Arguments>(
  directory: Directory<F>,
  path: P,
  by: typeof byId | typeof bySlug,
) {
  const { kind, plural } = directory
  const singular = directory.tag.slice(0, -1)
  const answer = { schema: directory.schemas.one }
  const idOf = (values: Values<P>) => Object.values(values)[0] as number
  return [
    endpoint({
      methods: ['GET'],
      operation: `get${singular}${by.operation}`,
      summary: `${plural}.get${by.summary}`,
      answer,
      problems: [`${kind}-not-accessible`],
      path,
      args: {},
      isOpenTo: openToAll,
      handle: async (call) => {
        const entry = await readEntry(call.deps.storage.db, directory, call.actor, idOf(call.path))
        return answerEntry(directory, call, entry, { hasJsonLd: true })
      },
    }),
    endpoint({
      methods: ['DELETE'],
      operation: `trash${singular}${by.operation}`,
      summary: `${plural}.remove${by.summary}`,
      about: 'remove.about',
      answer,
      problems: ['rest_forbidden', `${kind}-is-in-trash`],
      path,
      args: {},
      isOpenTo: (actor, target) => target !== undefined && mayEdit(actor, target),
      handle: async (call) => {
        const { deps, actor, path: found } = call
        const entry = await deps.storage.write((tx) => trashEntry(tx, deps, directory, actor, idOf(found)))
        return answerEntry(directory, call, entry)
      },
    }),
    endpoint({
      methods: ['POST', 'PUT', 'PATCH'],
      operation: `change${singular}${by.operation}`,
      summary: `${plural}.change${by.summary}`,
      about: 'change.about',
      answer,
      problems: ['rest_forbidden', `could-not-create-${kind}`],
      path,
      args: directoryWriteArguments(directory, { isNameRequired: false }),
      isOpenTo: (actor, target) => target !== undefined && mayEdit(actor, target),
      translationOf: translationRule(directory.kind),
      handle: async (call) => {
        const { deps, actor, path: found, values } = call
        const entry = await deps.storage.write((tx) =>
          changeEntry(
            tx,
            writeContext(call),
            directory,
            actor,
            idOf(found),
            inputOf(directory, values),
            call.translationOf,
          ),
        )
        return answerEntry(directory, call, entry)
      },
    }),
  ]
}

/** An entry as an answer, with what the caller is shown of its translations. */
export async function answerEntry<F extends Fields>(
  directory: Directory<F>,
  call: Pick<Call, 'deps' | 'actor' | 'addresses' | 'language'>,
  entry: DirectoryEntry<F>,
  { status = 200, hasJsonLd = false } = {},
): Promise<Answer> {
  const { config, storage } = call.deps
  const [shown = entry] = await withTranslationIds(storage.db, viewerOf(call), [entry])
  return {
    status,
    body: presentEntry(directory, shown, call.addresses, config.siteZone, { hasJsonLd }),
    headers: contentLanguage([entry]),
  }
}

/** What was sent, as the service takes it. */
export function inputOf<F extends Fields>(
  directory: Directory<F>,
  values: Readonly<Record<string, unknown>>,
): DirectoryEntryInput<F> {
  const own = Object.keys(directory.arguments).filter((name) => values[name] !== undefined)
  const shared = values as unknown as DirectoryEntryInput<F>
  return {
    name: values[directory.kind] as string | undefined,
    author: shared.author,
    date: shared.date,
    date_utc: shared.date_utc,
    description: shared.description,
    status: shared.status,
    image: shared.image,
    fields: Object.fromEntries(own.map((name) => [name, values[name]])) as Partial<F>,
  }
}
