import { mayCreate, mayEdit } from '../auth/policy.ts'
import type { Arguments, Values } from '../http/argument.ts'
import { asSent, type Pairs, pageHeaders, pageLinks, pageRequest, totalPages } from '../http/paging.ts'
import { type Answer, type Call, endpoint, openToAll, type Route } from '../http/route.ts'
import { fail } from '../problems.ts'
import { findIdBySlug, findOwned } from '../records/record.repository.ts'
import { words } from '../text/fold.ts'
import { slugFrom } from '../text/slug.ts'
import { entryId, entrySlug, listArguments, writeArguments } from './directory.arguments.ts'
import { presentEntry } from './directory.present.ts'
import { listEntries } from './directory.repository.ts'
import { changeEntry, createEntry, type EntryInput, readEntry, trashEntry } from './directory.service.ts'
import type { Directory, Fields } from './directory.ts'

/** The three routes of venues or of organizers (venues-organizers.md §1). */
export function directoryRoutes<F extends Fields>(directory: Directory<F>): readonly Route[] {
  const { kind, plural, tag } = directory
  return [
    { path: `/${plural}`, tag, endpoints: [listEndpoint(directory), createEndpoint(directory)] },
    {
      path: `/${plural}/{id}`,
      tag,
      endpoints: itemEndpoints(directory, { id: entryId(kind) }, ''),
      target: (db, path) => findOwned(db, kind, Number(path.id)),
    },
    {
      path: `/${plural}/by-slug/{slug}`,
      tag,
      endpoints: itemEndpoints(directory, { slug: entrySlug(kind) }, 'BySlug'),
      target: async (db, path) => {
        const id = await findIdBySlug(db, kind, slugFrom(String(path.slug)))
        return id === undefined ? undefined : findOwned(db, kind, id)
      },
    },
  ]
}

function listEndpoint<F extends Fields>(directory: Directory<F>) {
  return endpoint({
    methods: ['GET'],
    operation: `list${directory.tag}`,
    path: {},
    args: listArguments(directory),
    isOpenTo: openToAll,
    handle: (call) => answerList(directory, call),
  })
}

async function answerList<F extends Fields>(
  directory: Directory<F>,
  call: Call<Record<never, never>, ReturnType<typeof listArguments>>,
): Promise<Answer> {
  const { deps, actor, values, sent, addresses } = call
  const { config, storage } = deps
  const request = pageRequest(values, config)
  const { items, total } = await listEntries(
    storage.db,
    storage.dialect,
    directory,
    actor,
    {
      ...request,
      status: values.status,
      words: values.search === undefined ? undefined : words(values.search),
      eventId: values.event,
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
    headers: pageHeaders(total, request.perPage),
  }
}

function createEndpoint<F extends Fields>(directory: Directory<F>) {
  return endpoint({
    methods: ['POST'],
    operation: `create${directory.tag.slice(0, -1)}`,
    path: {},
    args: writeArguments(directory, { isNameRequired: true }),
    isOpenTo: mayCreate,
    handle: async ({ deps, actor, values, addresses, language }) => {
      const entry = await deps.storage.write((tx) =>
        createEntry(tx, deps, directory, actor, inputOf(directory, values), language),
      )
      return { status: 201, body: presentEntry(directory, entry, addresses, deps.config.siteZone) }
    },
  })
}

/** Reading, trashing and changing one record, which `path` finds: its value is the record's id. */
function itemEndpoints<F extends Fields, P extends Arguments>(directory: Directory<F>, path: P, by: string) {
  const singular = directory.tag.slice(0, -1)
  const idOf = (values: Values<P>) => Object.values(values)[0] as number
  return [
    endpoint({
      methods: ['GET'],
      operation: `get${singular}${by}`,
      path,
      args: {},
      isOpenTo: openToAll,
      handle: async ({ deps, actor, path: found, addresses }) => {
        const entry = await readEntry(deps.storage.db, directory, actor, idOf(found))
        const { siteZone } = deps.config
        return { status: 200, body: presentEntry(directory, entry, addresses, siteZone, { hasJsonLd: true }) }
      },
    }),
    endpoint({
      methods: ['DELETE'],
      operation: `trash${singular}${by}`,
      path,
      args: {},
      isOpenTo: (actor, target) => target !== undefined && mayEdit(actor, target),
      handle: async ({ deps, actor, path: found, addresses }) => {
        const entry = await deps.storage.write((tx) => trashEntry(tx, deps, directory, actor, idOf(found)))
        return { status: 200, body: presentEntry(directory, entry, addresses, deps.config.siteZone) }
      },
    }),
    endpoint({
      methods: ['POST', 'PUT', 'PATCH'],
      operation: `change${singular}${by}`,
      path,
      args: writeArguments(directory, { isNameRequired: false }),
      isOpenTo: (actor, target) => target !== undefined && mayEdit(actor, target),
      handle: async ({ deps, actor, path: found, values, addresses }) => {
        const entry = await deps.storage.write((tx) =>
          changeEntry(tx, deps, directory, actor, idOf(found), inputOf(directory, values)),
        )
        return { status: 200, body: presentEntry(directory, entry, addresses, deps.config.siteZone) }
      },
    }),
  ]
}

/** What was sent, as the service takes it. */
export function inputOf<F extends Fields>(
  directory: Directory<F>,
  values: Readonly<Record<string, unknown>>,
): EntryInput<F> {
  const own = Object.keys(directory.arguments).filter((name) => values[name] !== undefined)
  const shared = values as unknown as EntryInput<F>
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
