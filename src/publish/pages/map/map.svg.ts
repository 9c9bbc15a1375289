import { type Html, html, raw } from '../../../base/text/html.ts'
import { countText } from '../event/event.card.ts'
import type { PageCall } from '../frame/page.ts'
import { numberText } from './map.distances.ts'
import { landPaths } from './map.land.ts'
import {
  type Cluster,
  clustered,
  type MapView,
  type MercatorPoint,
  mapHeight,
  mapWidth,
  metresPerPixel,
  toPixels,
  worldSize,
} from './map.view.ts'

export interface MapPlace {
  readonly name: string
  readonly path: string
  readonly spot: MercatorPoint
  readonly count: number
}

/** The distance between markers and the size of one in the picture: 44 pixels of a screen (WCAG 2.5.5). */
const markerPixels = 60
/** The same size on phones, which show the picture at a third of its size. */
const phonePixels = 150
const tilePixels = 256
const maxLabels = 12
const longestScale = 160

interface MapPictureOptions {
  readonly places: readonly MapPlace[]
  /** The last available zoom. */
  readonly nearest: number
  /** Returns the address of the page with another view. */
  readonly viewPath: (view: MapView) => string
}

/**
 * Returns the map as a picture with links. It needs no script. Each marker leads to its place, or to a closer view of
 * several places.
 */
export async function mapPicture(
  call: PageCall,
  view: MapView,
  { places, nearest, viewPath }: MapPictureOptions,
): Promise<Html> {
  const { say, deps } = call
  const { mapTileUrl } = deps.config
  const ground = mapTileUrl === undefined ? await landBackground(view) : tileBackground(view, mapTileUrl)
  const nearer = (at: MercatorPoint) =>
    view.zoom >= nearest
      ? html`href="#places"`
      : html`href="${viewPath({ centre: spotAt(view, at), zoom: Math.min(view.zoom + 2, nearest) })}" data-swap`
  return html`<svg class="map" viewBox="0 0 ${mapWidth} ${mapHeight}" role="group" aria-label="${say('map.label', { count: places.length })}">
<g aria-hidden="true">${ground}</g>
<g class="markers wide">${markers(call, clustered(view, places, markerPixels), { nearer, reach: markerPixels / 2 })}</g>
<g class="markers narrow">${markers(call, clustered(view, places, phonePixels), { nearer, reach: phonePixels / 2 })}</g>
${scaleBar(call, view)}
</svg>`
}

interface MarkerOptions {
  /** Returns the attributes of a link to a closer view. */
  readonly nearer: (at: MercatorPoint) => Html
  /** The radius of the hit area of a marker, in pixels of the picture. */
  readonly reach: number
}

function markers(
  call: PageCall,
  clusters: readonly Cluster<MapPlace>[],
  { nearer, reach }: MarkerOptions,
): readonly Html[] {
  const hasLabels = clusters.length <= maxLabels
  return clusters.map(({ at, members }) => {
    const [first] = members
    const position = html`transform="translate(${Math.round(at.x)} ${Math.round(at.y)})"`
    const target = html`<circle class="target" r="${reach}"/>`
    if (!first || members.length > 1) {
      const text = call.say('map.together', { count: members.length })
      return html`<a class="marker many" ${nearer(at)} ${position}><title>${text}</title><g aria-hidden="true">${target}<circle r="18"/><text dy=".35em">${members.length}</text></g></a>\n`
    }
    const isLeft = at.x > mapWidth * 0.75
    return html`<a class="marker" href="${first.path}" ${position}><title>${first.name}, ${countText(call, first.count)}</title><g aria-hidden="true">${target}<circle r="12"/><text dy=".35em">${first.count}</text>${hasLabels && html`<text class="label${isLeft && ' left'}" x="${isLeft ? -18 : 18}" dy=".35em">${first.name}</text>`}</g></a>\n`
  })
}

/** Reports if a view shows these places as more than one marker. */
export function areDistinguishable(view: MapView, places: readonly MapPlace[]): boolean {
  return clustered(view, places, markerPixels).length > 1
}

function spotAt({ centre, zoom }: MapView, { x, y }: MercatorPoint): MercatorPoint {
  const size = worldSize(zoom)
  return { x: centre.x + (x - mapWidth / 2) / size, y: centre.y + (y - mapHeight / 2) / size }
}

async function landBackground(view: MapView): Promise<Html> {
  const { land, borders } = await landPaths(view)
  return html`<rect class="water" width="${mapWidth}" height="${mapHeight}"/><path class="land" d="${raw(land)}"/><path class="borders" d="${raw(borders)}"/>`
}

function tileBackground(view: MapView, tileUrl: string): Html {
  const { zoom } = view
  const corner = toPixels(view, { x: 0, y: 0 })
  const [left, top] = [Math.floor(-corner.x / tilePixels), Math.floor(-corner.y / tilePixels)]
  const count = 2 ** zoom
  const tiles = Array.from({ length: Math.ceil(mapHeight / tilePixels) + 1 }, (_, row) => top + row).flatMap((y) =>
    Array.from({ length: Math.ceil(mapWidth / tilePixels) + 1 }, (_, column) => ({ x: left + column, y })),
  )
  return html`<rect class="water" width="${mapWidth}" height="${mapHeight}"/>${tiles
    .filter(({ x, y }) => x >= 0 && y >= 0 && x < count && y < count)
    .map(({ x, y }) => {
      const url = tileUrl.replace('{z}', String(zoom)).replace('{x}', String(x)).replace('{y}', String(y))
      return html`<image href="${url}" x="${Math.round(corner.x + x * tilePixels)}" y="${Math.round(corner.y + y * tilePixels)}" width="${tilePixels}" height="${tilePixels}"/>`
    })}`
}

function scaleBar({ say, textLanguage }: PageCall, view: MapView): Html {
  const unit = metresPerPixel(view)
  const steps = [1, 2, 5].flatMap((step) => Array.from({ length: 8 }, (_, power) => step * 10 ** power))
  const metres = Math.max(1, ...steps.filter((step) => step / unit <= longestScale))
  const text =
    metres >= 1000
      ? say('kilometres', { count: numberText(textLanguage, metres / 1000) })
      : say('metres', { count: metres })
  const length = Math.round(metres / unit)
  return html`<g class="scale" transform="translate(16 ${mapHeight - 16})"><path d="M0-6V0H${length}V-6"/><text y="-8">${text}</text></g>`
}
