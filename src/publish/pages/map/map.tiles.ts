import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../access/deps.ts'
import { acceptedCodings } from '../../../access/http/answers/accept.encoding.ts'
import { assetDigest } from '../../../access/http/answers/asset.ts'
import { matchesEtag } from '../../../access/http/answers/etag.ts'
import type { Headers } from '../../../access/http/answers/headers.ts'
import { decodeBytes, type StoredTile, type TileArchive, type TileCoordinates } from '../../../storage/tiles/tile.ts'

/** The address contains the version of the archive, so a tile never changes. */
const immutableHeaders: Headers = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'public, max-age=31536000, immutable',
}

/** Returns the address of the tiles of an archive, with `{z}`, `{x}` and `{y}`. */
export function tilesPath({ version }: TileArchive): string {
  return `/assets/map/${version}/{z}/{x}/{y}.mvt`
}

/** Serves the tiles of the street map in their stored encoding. */
export function serveMapTiles(server: FastifyInstance, { streets }: Deps): void {
  server.route({
    method: ['GET', 'HEAD'],
    url: '/assets/map/:version/:z/:x/:file',
    handler: async (request, reply) => {
      const asked = request.params as Readonly<Record<'version' | 'z' | 'x' | 'file', string>>
      const archive = await streets.archive()
      const place = archive?.version === asked.version ? placeIn(archive, asked) : undefined
      if (!archive || !place) {
        reply.callNotFound()
        return reply
      }
      const tile = await archive.find(place)
      // A place without any features is not an error.
      if (!tile) return reply.status(204).headers(immutableHeaders).send()
      const etag = `W/"${assetDigest(tile.bytes)}"`
      reply.headers({ ...immutableHeaders, ETag: etag, Vary: 'Accept-Encoding' })
      if (matchesEtag(etag, request.headers['if-none-match'])) return reply.status(304).send()
      reply.type('application/vnd.mapbox-vector-tile')
      return reply.send(
        await bodyFor(tile, String(request.headers['accept-encoding'] ?? ''), (coding) => {
          // The tile is already encoded. This header keeps the server from compressing it again.
          reply.header('Content-Encoding', coding)
        }),
      )
    },
  })
}

/** Returns the tile that an address names, or undefined if the archive cannot contain it. */
function placeIn(
  { minZoom, maxZoom }: TileArchive,
  { z, x, file }: Readonly<Record<'z' | 'x' | 'file', string>>,
): TileCoordinates | undefined {
  const [, y = ''] = /^(.*)\.mvt$/.exec(file) ?? []
  if (![z, x, y].every((text) => /^(?:0|[1-9]\d{0,8})$/.test(text))) return undefined
  const place = { z: Number(z), x: Number(x), y: Number(y) }
  const isThere = place.z >= minZoom && place.z <= maxZoom && Math.max(place.x, place.y) < 2 ** place.z
  return isThere ? place : undefined
}

/** Returns the stored bytes if the client accepts their content coding, else the decoded bytes (RFC 9110, 12.5.3). */
async function bodyFor(
  { bytes, coding }: StoredTile,
  accepted: string,
  say: (coding: string) => void,
): Promise<Buffer> {
  if (coding === undefined) return bytes
  // A client that sends no `Accept-Encoding` may not support any coding.
  const isTaken = accepted !== '' && acceptedCodings(accepted).taken.includes(coding)
  if (!isTaken) return decodeBytes(bytes, coding)
  say(coding)
  return bytes
}
