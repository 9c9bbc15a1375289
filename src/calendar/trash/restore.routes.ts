import type { FastifyRequest } from 'fastify'
import type { AddRoute } from '../../access/http/service.ts'
import { fail } from '../../base/problems.ts'
import { answerEntry } from '../directory/directory.routes.ts'
import { restoreEntry } from '../directory/directory.service.ts'
import type { Directory, Fields } from '../directory/directory.ts'
import { answerEvent } from '../events/event.routes.ts'
import { restoreEvent } from '../events/event.service.ts'
import { organizers } from '../organizers/organizer.directory.ts'
import { writeContext } from '../records/write.context.ts'
import { venues } from '../venues/venue.directory.ts'

/** Taking events, venues and organizers out of the trash. What is answered is the record as the interface has it. */
export function restoreRoutes(add: AddRoute): void {
  add('POST', '/events/:id/restore', async ({ deps, actor, addresses }, request) => {
    const id = recordIdInPath(request)
    const event = await deps.storage.write((tx) => restoreEvent(writeContext({ deps, actor }, tx), id))
    return (await answerEvent({ deps, actor, addresses, language: undefined }, event)).body
  })
  entryRestoreRoutes(add, venues)
  entryRestoreRoutes(add, organizers)
}

function entryRestoreRoutes<F extends Fields>(add: AddRoute, directory: Directory<F>): void {
  add('POST', `/${directory.plural}/:id/restore`, async ({ deps, actor, addresses }, request) => {
    const id = recordIdInPath(request)
    const entry = await deps.storage.write((tx) => restoreEntry(writeContext({ deps, actor }, tx), directory, id))
    return (await answerEntry({ deps, actor, addresses, language: undefined }, directory, { entry })).body
  })
}

/** Who may write nothing does not learn what exists: what is no id is one that nothing has. */
function recordIdInPath({ params }: Pick<FastifyRequest, 'params'>): number {
  const { id } = params as { readonly id: string }
  return /^\d{1,15}$/.test(id) ? Number(id) : fail('record-not-found')
}
