import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../access/deps.ts'
import { matchesEtag } from '../../access/http/answers/etag.ts'
import { mimeTypeOf } from '../../storage/pictures/picture.formats.ts'
import { type ByteRange, isStoredName } from '../../storage/pictures/picture.store.ts'

const yearSeconds = 31_536_000

/**
 * Serves picture files. The content of a name never changes, so clients may cache it without limit. Browsers
 * execute nothing in a file, even if it contains a script.
 */
export function serveUploads(server: FastifyInstance, { pictures }: Deps): void {
  server.route({
    method: ['GET', 'HEAD'],
    url: '/uploads/*',
    handler: async (request, reply) => {
      reply.headers({
        'X-Content-Type-Options': 'nosniff',
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'Access-Control-Allow-Origin': '*',
      })
      const name = (request.params as { readonly '*': string })['*']
      const file = isStoredName(name) ? await pictures.store.find(name) : undefined
      if (!file) return reply.status(404).type('text/plain; charset=utf-8').send('Not found')
      const etag = `"${Buffer.from(name).toString('base64url')}"`
      reply.headers({
        ETag: etag,
        'Cache-Control': `public, max-age=${yearSeconds}, immutable`,
        'Accept-Ranges': 'bytes',
      })
      if (matchesEtag(etag, request.headers['if-none-match'])) return reply.status(304).send()
      const range = parseRange(request, etag, file.sizeBytes)
      if (range === 'unsatisfiable')
        return reply.status(416).header('Content-Range', `bytes */${file.sizeBytes}`).send()
      reply.type(mimeTypeOf(name))
      return send(request, reply, { file, range })
    },
  })
}

/** A file, or the requested byte range of it. */
interface FilePart {
  readonly file: NonNullable<Awaited<ReturnType<Deps['pictures']['store']['find']>>>
  readonly range: ByteRange | undefined
}

async function send(request: FastifyRequest, reply: FastifyReply, { file, range }: FilePart): Promise<FastifyReply> {
  if (range) reply.status(206).header('Content-Range', `bytes ${range.first}-${range.last}/${file.sizeBytes}`)
  reply.header('Content-Length', range ? range.last - range.first + 1 : file.sizeBytes)
  return reply.send(request.method === 'HEAD' ? undefined : await file.read(range))
}

/** Parses a request for one byte range (RFC 9110, 14.2). A request for several ranges gets the whole file. */
function parseRange(
  { method, headers }: FastifyRequest,
  etag: string,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.range ?? '') ?? []
  const condition = headers['if-range']
  if (method !== 'GET' || from === undefined || to === undefined || (from === '' && to === '')) return undefined
  if (condition !== undefined && condition !== etag) return undefined
  if (from === '') return to === '0' ? 'unsatisfiable' : { first: Math.max(0, size - Number(to)), last: size - 1 }
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (Number(from) >= size) return 'unsatisfiable'
  return Number(from) > last ? undefined : { first: Number(from), last }
}
