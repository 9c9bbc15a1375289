import { mayCreate } from '../../access/auth/policy.ts'
import { pathArgument } from '../../access/http/arguments/argument.kinds.ts'
import { endpoint, type Route } from '../../access/http/route.ts'
import { isoUtc } from '../../base/time/wire.ts'
import { undoableUntil } from '../../calendar/undo/undo.service.ts'
import { listImports, undoImport } from './import.undo.ts'

const listEndpoint = endpoint({
  methods: ['GET'],
  operation: 'listImports',
  summary: 'imports.list',
  about: 'imports.list.about',
  answer: { schema: async () => (await import('./upsert.schema.ts')).ImportListSchema },
  problems: ['rest_forbidden'],
  isOpenTo: mayCreate,
  handle: async (call) => ({
    status: 200,
    body: (await listImports(call)).map(({ id, at, userId, isUndone, count, details: { source } }) => ({
      ...{ id, source, at: isoUtc(at), user: userId ?? null, count, is_undone: isUndone },
      until: isoUtc(undoableUntil(at)),
    })),
  }),
})

const undoEndpoint = endpoint({
  methods: ['POST'],
  remembersAnswer: {},
  operation: 'undoImport',
  summary: 'imports.undo',
  about: 'imports.undo.about',
  answer: { schema: async () => (await import('./upsert.schema.ts')).UndoneImportSchema },
  problems: ['rest_forbidden', 'record-not-found'],
  path: { id: pathArgument('record-not-found', 'id.import') },
  isOpenTo: mayCreate,
  handle: async (call) => ({ status: 200, body: await undoImport(call, call.path.id ?? 0) }),
})

/** The imports that can be undone. */
export const undoneImportRoute: Route = { path: '/imports/{id}/undo', tag: 'Sources', endpoints: [undoEndpoint] }
export const listImportsEndpoint = listEndpoint
