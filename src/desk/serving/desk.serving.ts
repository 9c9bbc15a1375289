import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../access/deps.ts'
import { once } from '../../access/http/answers/asset.ts'
import { TEXT_LANGUAGE_PATHS, TEXT_LANGUAGES } from '../../base/languages/language.ts'
import type { DeskOptions } from './desk.ts'

/**
 * Serves the desk of editors in every language of texts: `/admin/`, `/fr/admin/`. Its modules are loaded with the first
 * request of an editor: they are a seventh of the service, and most processes answer visitors only.
 */
export function serveDesk(server: FastifyInstance, deps: Deps, options: DeskOptions): void {
  if (!deps.config.isServingPages) return
  const desk = once(async () => (await import('./desk.ts')).createDesk(server, deps, options))
  server.route({
    method: ['GET', 'HEAD'],
    url: '/admin/assets/:name',
    handler: async (request, reply) => (await desk()).sendAsset(request, reply),
  })
  for (const textLanguage of TEXT_LANGUAGES) {
    const at = `${TEXT_LANGUAGE_PATHS[textLanguage]}/admin`
    const handler = async (request: FastifyRequest, reply: FastifyReply) =>
      (await desk()).answer(request, reply, textLanguage)
    void server.register(async (scope) => {
      // A form with a picture is read as it arrives. All other bodies are in memory, within the limit of the server.
      scope.addContentTypeParser('multipart/form-data', (_request, payload, parsed) => parsed(null, payload))
      scope.route({ method: ['GET', 'HEAD', 'POST'], url: `${at}/*`, handler })
    })
    server.route({
      method: ['GET', 'HEAD'],
      url: at,
      handler: async (request, reply) => (await desk()).redirect(request, reply, textLanguage),
    })
  }
}
