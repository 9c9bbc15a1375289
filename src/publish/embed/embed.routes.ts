import type { FastifyInstance } from 'fastify'
import { assetOf, once, sendAsset } from '../../access/http/answers/asset.ts'
import type { Headers } from '../../access/http/answers/headers.ts'
import type { Config } from '../../base/config/config.ts'
import { embedScript } from './embed.script.ts'

/** Any page may load the script. Clients revalidate it on every use, because its address never changes. */
const shared: Headers = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-cache',
}

/** Serves `/embed.js`, with which other sites show the calendar in their pages. */
export function serveEmbed(server: FastifyInstance, config: Config): void {
  const asset = once(async () => assetOf('text/javascript; charset=utf-8', await embedScript(config)))
  server.route({
    method: ['GET', 'HEAD'],
    url: '/embed.js',
    handler: async (request, reply) => sendAsset(request, reply, { asset: await asset(), headers: shared }),
  })
}
