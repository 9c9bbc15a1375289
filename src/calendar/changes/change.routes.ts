import { type Addresses, query } from '../../access/http/addresses.ts'
import { formatSent } from '../../access/http/arguments/paging.ts'
import type { Call, Wait } from '../../access/http/call.ts'
import { type EndpointResult, endpoint, openToAll, type Route } from '../../access/http/route.ts'
import { isoUtc } from '../../base/time/wire.ts'
import { readChangeLog } from '../changelog/change.log.repository.ts'
import { CHANGE_KINDS, type ChangeCursor, formatChangeCursor } from '../changelog/change.log.ts'
import { linkFilters, valueFilters } from '../events/list/list.plan.ts'
import { readContext } from '../translations/viewer.ts'
import { changeArguments, defaultPerPage, rpdeArguments } from './change.arguments.ts'
import { type ChangedItem, withItems } from './change.items.service.ts'
import { readChangePage } from './change.page.service.ts'
import { type Change, type ChangePage, type ChangeQuery, placeAfter } from './change.page.ts'
import { waitForChange } from './change.wait.ts'

const tag = 'Changes'
/** RPDE 1.0 recommends at least as many. */
const rpdePerPage = 500

type ChangesCall = Call<Record<never, never>, typeof changeArguments>

const changesEndpoint = endpoint({
  methods: ['GET'],
  operation: 'listChanges',
  summary: 'changes.list',
  about: 'changes.list.about',
  answer: { schema: async () => (await import('./change.schema.ts')).ChangesSchema },
  problems: ['sync-expired'],
  args: changeArguments,
  isOpenTo: openToAll,
  hasValidator: true,
  waitFor: ({ storage: { db } }, wait, end) => waitForChange(db, (wait as ChangeWait).after.number, end),
  handle: async (call) => {
    const { after, forMs } = (call.waited as ChangeWait | undefined) ?? {
      ...{ after: call.values.after, forMs: (call.values.wait ?? 0) * 1000 },
    }
    return answerChanges(call, { ...(await changeQuery(call)), after }, forMs)
  },
})

interface ChangeWait extends Wait {
  /** Waits for a change after this one. */
  readonly after: ChangeCursor
}

async function changeQuery(call: ChangesCall): Promise<Omit<ChangeQuery, 'after'>> {
  const { deps, actor, values } = call
  const { kinds = CHANGE_KINDS, language, linked: isLinked = false, per_page: perPage = defaultPerPage } = values
  const asked = {
    ...{ venueIds: values.venue, organizerIds: values.organizer, categoryIds: values.categories },
    ...{ tagIds: values.tags, isFeatured: values.featured, hasTickets: undefined },
  }
  const filters = [
    ...(await linkFilters(readContext({ deps, actor, language: undefined }), asked)),
    ...valueFilters(asked),
  ]
  return { kinds, language, filters, isLinked, isOfUnprotected: false, perPage }
}

/** Answers with what has changed. If nothing has, the client waits this long for a change. */
async function answerChanges(call: ChangesCall, query: ChangeQuery, forMs: number): Promise<EndpointResult> {
  const { deps, addresses, values } = call
  const page = await readChangePage(deps.storage, query)
  const view = { deps, addresses, form: 'v1' } as const
  const changes = values.data === 'ids' ? page.changes : await withItems(view, page.changes)
  const { next, hasMore } = endOf(page, changes, query.isLinked)
  return {
    status: 200,
    body: {
      items: changes.map(presentChange),
      next: nextUrl(call, next),
      has_more: hasMore,
      ...licenseOf(call),
    },
    ...(page.changes.length === 0 && !page.hasMore && forMs > 0
      ? { wait: { after: page.next, forMs } satisfies ChangeWait }
      : {}),
  }
}

/** Returns where a page ends of which only some changes fit into the response. */
function endOf(
  { changes, next, hasMore }: ChangePage,
  shown: readonly Change[],
  isLinked: boolean,
): Omit<ChangePage, 'changes'> {
  const last = shown.at(-1)
  if (!last || shown.length === changes.length) return { next, hasMore }
  return { next: { ...next, ...placeAfter(last, isLinked) }, hasMore: true }
}

function licenseOf({ deps: { config } }: Pick<Call, 'deps'>) {
  return config.dataLicense === undefined ? {} : { license: config.dataLicense }
}

const rpdeEndpoint = endpoint({
  methods: ['GET'],
  operation: 'listRpdeEvents',
  summary: 'rpde.list',
  about: 'rpde.list.about',
  answer: { schema: async () => (await import('./change.schema.ts')).RpdePageSchema },
  problems: ['sync-expired'],
  args: rpdeArguments,
  isOpenTo: openToAll,
  hasValidator: true,
  handle: async (call) => {
    const { deps, addresses, values } = call
    const { afterChangeNumber: asked, log } = values
    const query = {
      ...({ after: await rpdeCursor(call), kinds: ['event'], language: undefined, filters: [] } as const),
      ...{ isLinked: false, isOfUnprotected: true, perPage: rpdePerPage },
    }
    const page = await readChangePage(deps.storage, query)
    const changes: readonly ChangedItem[] = await withItems({ deps, addresses, form: 'schema.org' }, page.changes)
    const { next, hasMore } = endOf(page, changes, query.isLinked)
    // The last page names itself (RPDE 1.0, “Last page definition”).
    const isLast = changes.length === 0 && !hasMore && asked !== undefined
    const end = isLast ? { number: asked, log } : { number: next.number, log: next }
    return {
      status: 200,
      body: { items: changes.map(presentRpdeChange), next: nextRpdeUrl(call, end), ...licenseOf(call) },
    }
  },
})

/** Returns the place that a consumer names by its number. A number without its log belongs to the current log. */
async function rpdeCursor({
  deps,
  values: { afterChangeNumber: number, log },
}: Call<Record<never, never>, typeof rpdeArguments>): Promise<ChangeCursor | undefined> {
  if (number === undefined) return undefined
  if (log) return { ...log, number, part: undefined }
  const { epoch, last } = await readChangeLog(deps.storage.db)
  return { epoch, number: Math.min(number, last), part: undefined, since: 0 }
}

/** The feed of changes, and the same for consumers of OpenActive. */
export const changeRoutes: readonly Route[] = [
  { path: '/changes', tag, endpoints: [changesEndpoint] },
  { path: '/rpde/events', tag, endpoints: [rpdeEndpoint] },
]

/** The address of a request. */
interface Asked {
  readonly addresses: Addresses
  readonly namespace: string
  readonly query: Readonly<Record<string, unknown>>
}

/** Returns the address of the next page, with the parameters of this one. */
function nextUrl({ addresses, namespace, query: sent }: Asked, next: ChangeCursor): string {
  const names = Object.keys(changeArguments).filter((name) => name !== 'after' && sent[name] !== undefined)
  const pairs = names.map((name) => [name, formatSent(sent[name])] as const)
  return `${addresses.base}/${namespace}/changes?${query([['after', formatChangeCursor(next)], ...pairs])}`
}

/**
 * Returns the address of the next page in the form of OpenActive.
 *
 * @param log Undefined for the page of a consumer that named only a number.
 */
function nextRpdeUrl(
  { addresses, namespace }: Omit<Asked, 'query'>,
  { number, log }: { readonly number: number; readonly log: ChangeCursor | undefined },
): string {
  const pairs = [['afterChangeNumber', number] as const, ...(log ? [['log', formatChangeCursor(log)] as const] : [])]
  return `${addresses.base}/${namespace}/rpde/events?${query(pairs)}`
}

function presentChange(change: Change | ChangedItem) {
  const { kind, id, number, at } = change
  const isItem = 'data' in change
  const isDeleted = change.isDeleted || (isItem && change.data === undefined)
  return {
    state: isDeleted ? 'deleted' : 'updated',
    ...{ kind, id, modified: number, at: isoUtc(at) },
    ...(isItem && !isDeleted && change.affects !== undefined ? { affects: change.affects } : {}),
    ...(isItem && !isDeleted ? { data: change.data } : {}),
  }
}

/** Returns a change as RPDE 1.0 has it. The data names the event by its page (schema.org, `@id`). */
function presentRpdeChange({ id, number, data, isDeleted }: ChangedItem) {
  const item = { kind: 'Event', id, modified: number }
  return isDeleted || data === undefined ? { state: 'deleted', ...item } : { state: 'updated', ...item, data }
}
