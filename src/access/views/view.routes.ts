import { fail } from '../../base/problems.ts'
import { isoUtc } from '../../base/time/wire.ts'
import type { Actor, UserId } from '../auth/actor.ts'
import { mayCreate } from '../auth/policy.ts'
import { pathArgument } from '../http/arguments/argument.kinds.ts'
import { accepted, refused } from '../http/arguments/argument.rules.ts'
import { lengthSchema } from '../http/arguments/argument.schema.ts'
import type { Argument, ArgumentRule, Arguments } from '../http/arguments/argument.ts'
import { alwaysShort } from '../http/read.cost.ts'
import { endpoint, type Route, recordHeaders } from '../http/route.ts'
import { findView, listViews } from './view.repository.ts'
import { changeView, createView, deleteView } from './view.service.ts'
import { maxNameLetters, maxQueryLetters, type SavedView } from './view.ts'

const tag = 'Views'

/** A text of one line, without spaces around it. */
const lineRule =
  (least: number, most: number): ArgumentRule<string> =>
  (raw) => {
    const line = typeof raw === 'string' ? raw.trim() : ''
    const isLine = typeof raw === 'string' && line.length >= least && line.length <= most && !/\p{Cc}/u.test(line)
    return isLine ? accepted(line) : refused('fault.length', { least: String(least), most: String(most) })
  }

const nameArgument = {
  read: lineRule(1, maxNameLetters),
  ...{ schema: lengthSchema(1, maxNameLetters), description: 'view.name', type: 'string' },
} as const satisfies Argument<string>

const queryArgument = {
  read: lineRule(0, maxQueryLetters),
  ...{ schema: lengthSchema(0, maxQueryLetters), description: 'view.query', type: 'string' },
} as const satisfies Argument<string>

const newViewArguments = {
  name: { ...nameArgument, isRequired: true },
  query: { ...queryArgument, isRequired: true },
} as const satisfies Arguments

const viewPath = {
  id: pathArgument('record-not-found', 'id.view'),
} as const satisfies Arguments

function present({ id, name, query, version, modifiedAt }: SavedView) {
  return { id, name, query, version, modified: isoUtc(modifiedAt) }
}

/** Views belong to the user who keeps them: nobody else reads them. */
function ownerOf(actor: Actor): UserId {
  return actor.kind === 'user' ? actor.id : fail('rest_forbidden', { status: 401 })
}

const one = async () => (await import('./view.schema.ts')).SavedViewSchema

const listEndpoint = endpoint({
  methods: ['GET'],
  isShort: alwaysShort,
  operation: 'listSavedViews',
  summary: 'views.list',
  about: 'views.list.about',
  answer: { schema: async () => (await import('./view.schema.ts')).SavedViewListSchema },
  problems: ['rest_forbidden'],
  isOpenTo: mayCreate,
  handle: async ({ deps, actor }) => {
    const views = await listViews(deps.storage.db, ownerOf(actor))
    return { status: 200, body: views.map(present) }
  },
})

const createEndpoint = endpoint({
  methods: ['POST'],
  remembersAnswer: {},
  operation: 'createSavedView',
  summary: 'views.create',
  answer: { status: 201, schema: one, headers: recordHeaders },
  problems: ['rest_forbidden', 'too-many-views'],
  args: newViewArguments,
  isOpenTo: mayCreate,
  handle: async ({ deps, actor, values }) => {
    const { name, query } = values
    const view = await createView({ deps, userId: ownerOf(actor) }, { name, query })
    return { status: 201, body: present(view), version: view.version }
  },
})

const changeEndpoint = endpoint({
  methods: ['PATCH'],
  remembersAnswer: {},
  operation: 'changeSavedView',
  summary: 'views.change',
  answer: { schema: one, headers: recordHeaders },
  problems: ['rest_forbidden', 'record-not-found'],
  path: viewPath,
  args: { name: nameArgument, query: queryArgument },
  isOpenTo: mayCreate,
  handle: async ({ deps, actor, path, values: { name, query } }) => {
    const changes = { ...(name === undefined ? {} : { name }), ...(query === undefined ? {} : { query }) }
    const view = await changeView({ deps, userId: ownerOf(actor) }, path.id ?? 0, changes)
    return { status: 200, body: present(view), version: view.version }
  },
})

const deleteEndpoint = endpoint({
  methods: ['DELETE'],
  remembersAnswer: {},
  operation: 'deleteSavedView',
  summary: 'views.remove',
  answer: { schema: async () => (await import('./view.schema.ts')).RemovedViewSchema },
  problems: ['rest_forbidden', 'record-not-found'],
  path: viewPath,
  isOpenTo: mayCreate,
  handle: async ({ deps, actor, path }) => {
    const view = await deleteView({ deps, userId: ownerOf(actor) }, path.id ?? 0)
    return { status: 200, body: { deleted: true, previous: present(view) } }
  },
})

/** Views that people keep: named filters of lists. */
export const viewRoutes: readonly Route[] = [
  { path: '/saved-views', tag, endpoints: [listEndpoint, createEndpoint] },
  {
    ...{ path: '/saved-views/{id}', tag, endpoints: [changeEndpoint, deleteEndpoint] },
    validators: async (db, { id }, { actor }) =>
      actor.kind === 'user' ? findView(db, actor.id, Number(id)) : undefined,
  },
]
