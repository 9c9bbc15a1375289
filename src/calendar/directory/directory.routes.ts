import { mayCreate, mayEdit } from '../../access/auth/policy.ts'
import type { Arguments, ArgumentValues } from '../../access/http/arguments/argument.ts'
import {
  formatSent,
  pageLinks,
  pageRequest,
  type QueryPairs,
  totalHeaders,
  totalPages,
} from '../../access/http/arguments/paging.ts'
import type { Call } from '../../access/http/call.ts'
import { shortList } from '../../access/http/read.cost.ts'
import { type EndpointResult, endpoint, openToAll, type Route, recordHeaders } from '../../access/http/route.ts'
import { replayById, writeOnce } from '../../access/idempotency/idempotency.ts'
import { listPreference } from '../../base/languages/chain.ts'
import { fail } from '../../base/problems.ts'
import { slugFrom } from '../../base/text/slug.ts'
import { changesCursorHeader } from '../changelog/change.log.repository.ts'
import { assertMayRecall } from '../records/recall.ts'
import { translationRule } from '../records/record.arguments.ts'
import { modifiedRangeOf } from '../records/record.modified.repository.ts'
import { findOwnedRecord } from '../records/record.repository.ts'
import { findIdBySlug } from '../records/record.translations.repository.ts'
import type { RecordStatus } from '../records/record.ts'
import { editableValidators, validatorsInPath } from '../records/record.validators.ts'
import { writeContext } from '../records/write.context.ts'
import { sentName, sourceNameArguments } from '../sources/source.arguments.ts'
import { createNamed, presentSourceOf } from '../sources/source.service.ts'
import { translationOf } from '../translations/group.service.ts'
import { contentLanguage, readContext, viewerOf } from '../translations/viewer.ts'
import { apartArguments } from './directory.apart.ts'
import {
  directoryListArguments,
  directoryWriteArguments,
  entryIdArgument,
  entrySlugArgument,
  readEntryIdArgument,
  readEntrySlugArgument,
} from './directory.arguments.ts'
import { findEntry, listDirectoryEntries, withTranslationIds } from './directory.repository.ts'
import { changeEntry, createEntry, readEntry, trashEntry } from './directory.service.ts'
import { entryStanding } from './directory.standing.ts'
import type { Directory, DirectoryEntry, EntryPatch, Fields } from './directory.ts'

/** Returns the three routes of venues or of organizers (venues-organizers.md §1). */
export function directoryRoutes<F extends Fields>(directory: Directory<F>): readonly Route[] {
  const { kind, plural, tag } = directory
  return [
    { path: `/${plural}`, tag, endpoints: [listEndpoint(directory), createEndpoint(directory)] },
    {
      path: `/${plural}/{id}`,
      tag,
      endpoints: itemEndpoints(
        directory,
        { path: { id: entryIdArgument(kind) }, readPath: { id: readEntryIdArgument(kind) } },
        byId,
      ),
      target: (db, path) => findOwnedRecord(db, kind, Number(path.id)),
      validators: validatorsInPath(kind),
    },
    {
      path: `/${plural}/by-slug/{slug}`,
      tag,
      endpoints: itemEndpoints(
        directory,
        { path: { slug: entrySlugArgument(kind) }, readPath: { slug: readEntrySlugArgument(kind) } },
        bySlug,
      ),
      target: async (db, path, asker) => {
        const id = await findIdBySlug(db, { kind, slug: slugFrom(String(path.slug)) }, asker)
        return id === undefined ? undefined : findOwnedRecord(db, kind, id)
      },
      validators: async (db, path, asker) => {
        const id = await findIdBySlug(db, { kind, slug: slugFrom(String(path.slug)) }, asker)
        return id === undefined ? undefined : editableValidators(db, { kind, id }, asker.actor)
      },
    },
  ]
}

function listEndpoint<F extends Fields>(directory: Directory<F>) {
  return endpoint({
    methods: ['GET'],
    operation: `list${directory.tag}`,
    summary: `${directory.plural}.list`,
    answer: { schema: directory.schemas.list, headers: ['X-TEC-Total', 'X-TEC-TotalPages', 'X-Changes-Cursor'] },
    problems: [`${directory.kind}-archive-page-not-found`],
    args: directoryListArguments(directory),
    isOpenTo: openToAll,
    isShort: shortList({ free: [], filters: ['event'] }),
    handle: (call) => answerList(directory, call),
  })
}

async function answerList<F extends Fields>(
  directory: Directory<F>,
  call: Call<Record<never, never>, ReturnType<typeof directoryListArguments>>,
): Promise<EndpointResult> {
  const { deps, actor, values, sent, addresses } = call
  const { config } = deps
  const { siteZone } = config
  const request = pageRequest(call, config)
  const cursor = await changesCursorHeader(deps.storage.db)
  const { items, total } = await listDirectoryEntries(readContext(call), directory, {
    ...request,
    status: values.status,
    preference: listPreference(call.language, config, config.namesFallback),
    words: values.search,
    eventIds: values.event,
    hasEvents: values.has_events,
    eventsFrom: values.only_with_upcoming ? deps.now() : undefined,
    modified: modifiedRangeOf(values, deps.now),
  })
  if (request.page > 1 && request.page > totalPages(total, request.perPage)) {
    fail(`${directory.kind}-archive-page-not-found`)
  }
  const pairs: QueryPairs = [
    ['per_page', request.perPage],
    ...linkedParameters.flatMap((name) => (sent[name] === undefined ? [] : [[name, formatSent(sent[name])] as const])),
    ['status', sent.status === undefined ? (mayCreate(actor) ? 'any' : 'publish') : formatSent(sent.status)],
  ]
  return {
    status: 200,
    body: {
      [directory.plural]: items.map((entry) => directory.present(entry, { addresses, siteZone })),
      ...pageLinks(call, { path: `/${directory.plural}`, pairs }, { request, total }),
      total,
      total_pages: totalPages(total, request.perPage),
    },
    headers: { ...totalHeaders(total, request.perPage), ...cursor, ...contentLanguage(items) },
  }
}

const linkedParameters = [
  ...['search', 'event', 'has_events', 'only_with_upcoming', 'modified_after', 'modified_before'],
] as const

function createEndpoint<F extends Fields>(directory: Directory<F>) {
  return endpoint({
    methods: ['POST'],
    isRepeatable: true,
    isBatchable: true,
    operation: `create${directory.tag.slice(0, -1)}`,
    summary: `${directory.plural}.create`,
    about: 'namesake.about',
    answer: { status: 201, schema: directory.schemas.one, headers: recordHeaders },
    problems: ['rest_forbidden', `could-not-create-${directory.kind}`, 'source-of-another-user', 'external-id-exists'],
    args: {
      ...directoryWriteArguments(directory, { isNameRequired: true }),
      ...apartArguments,
      ...sourceNameArguments,
    },
    isOpenTo: mayCreate,
    translationOf: translationRule(directory.kind),
    handle: async (call) => {
      const draft = { ...translationOf(call), draft: patchOf(directory, call.values) }
      const sent = sentName(call.values)
      const entry = await writeOnce(call, replayEntry(call, directory), (tx) => {
        const write = writeContext(call, tx)
        const standing = (id: number) => entryStanding(tx, directory, id)
        return createNamed(write, { kind: directory.kind, sent, standing }, () => createEntry(write, directory, draft))
      })
      return answerEntry(call, directory, { entry, status: 201 })
    },
  })
}

/** The names of operations on one record, by id and by slug. */
const byId = { operation: '', summary: '' } as const
const bySlug = { operation: 'BySlug', summary: '.slug' } as const

/** Reads, trashes and changes one record. The value of `path` is the id of the record. */
function itemEndpoints<F extends Fields, P extends Arguments>(
  directory: Directory<F>,
  { path, readPath }: { readonly path: P; readonly readPath: P },
  by: typeof byId | typeof bySlug,
) {
  const { kind, plural } = directory
  const singular = directory.tag.slice(0, -1)
  const answer = { schema: directory.schemas.one, headers: recordHeaders }
  const idOf = (values: ArgumentValues<P>) => Object.values(values)[0] as number
  return [
    endpoint({
      methods: ['GET'],
      operation: `get${singular}${by.operation}`,
      summary: `${plural}.get${by.summary}`,
      answer,
      problems: [`${kind}-not-accessible`],
      path: readPath,
      isOpenTo: openToAll,
      handle: async (call) => {
        const entry = await readEntry(readContext(call), directory, idOf(call.path))
        return answerEntry(call, directory, { entry, hasJsonLd: true })
      },
    }),
    endpoint({
      methods: ['DELETE'],
      isRepeatable: true,
      isBatchable: true,
      operation: `trash${singular}${by.operation}`,
      summary: `${plural}.remove${by.summary}`,
      about: 'remove.about',
      answer,
      problems: ['rest_forbidden', `${kind}-is-in-trash`],
      path,
      isOpenTo: (actor, target) => target !== undefined && mayEdit(actor, target),
      handle: async (call) => {
        const { path: found } = call
        const entry = await writeOnce(call, replayEntry(call, directory), (tx) =>
          trashEntry(writeContext(call, tx), directory, idOf(found)),
        )
        return answerEntry(call, directory, { entry })
      },
    }),
    endpoint({
      methods: ['POST', 'PUT', 'PATCH'],
      isRepeatable: true,
      isBatchable: true,
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
        const { path: found, values, translationOf } = call
        const change = { id: idOf(found), patch: patchOf(directory, values), translationOf }
        const entry = await writeOnce(call, replayEntry(call, directory), (tx) =>
          changeEntry(writeContext(call, tx), directory, change),
        )
        return answerEntry(call, directory, { entry })
      },
    }),
  ]
}

/** How the result of an entry's write is found again. */
export const replayEntry = <F extends Fields>({ actor }: Pick<Call, 'actor'>, directory: Directory<F>) =>
  replayById(async (tx, id) => assertMayRecall(actor, (await findEntry(tx, directory, id)) ?? fail('record-not-found')))

interface EntryAnswer<F extends Fields> {
  readonly entry: DirectoryEntry<F>
  readonly status?: number
  readonly hasJsonLd?: boolean
}

/** Returns a response with an entry and the translations that the caller may see. */
export async function answerEntry<F extends Fields>(
  call: Pick<Call, 'deps' | 'actor' | 'addresses' | 'language'>,
  directory: Directory<F>,
  { entry, status = 200, hasJsonLd = false }: EntryAnswer<F>,
): Promise<EndpointResult> {
  const { config, storage } = call.deps
  const [shown = entry] = await withTranslationIds(storage.db, viewerOf(call), [entry])
  return {
    status,
    body: {
      ...directory.present(shown, { addresses: call.addresses, siteZone: config.siteZone, hasJsonLd }),
      ...(await presentSourceOf(storage.db, call.actor, entry)),
    },
    headers: contentLanguage([entry]),
    version: entry.changeCount,
  }
}

/** Returns the sent values in the shape that the service takes. */
export function patchOf<F extends Fields>(
  directory: Directory<F>,
  values: Readonly<Record<string, unknown>>,
): EntryPatch<F> {
  const fields = Object.entries(directory.fields).filter(([, { name }]) => values[name] !== undefined)
  return {
    name: values[directory.kind] as string | undefined,
    authorId: values.author as number | undefined,
    date: values.date as string | undefined,
    dateUtc: values.date_utc as string | undefined,
    description: values.description as string | undefined,
    status: values.status as RecordStatus | undefined,
    imageId: values.image as number | null | undefined,
    isApart: values.apart as boolean | undefined,
    fields: Object.fromEntries(fields.map(([property, { name }]) => [property, values[name]])) as Partial<F>,
  }
}
