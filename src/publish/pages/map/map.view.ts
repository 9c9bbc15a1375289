// The map uses the projection of web maps (EPSG:3857). The Earth is a square of 256 pixels at zoom 0, and its width
// doubles with each zoom.

/** A point in degrees, WGS 84. */
export interface Point {
  readonly latitude: number
  readonly longitude: number
}

/** A point on the square of the Earth, 0 to 1 from the north-west. */
export interface MercatorPoint {
  readonly x: number
  readonly y: number
}

/** The visible part of the Earth. */
export interface MapView {
  readonly centre: MercatorPoint
  /** An integer. */
  readonly zoom: number
}

export const mapWidth = 960
export const mapHeight = 600
export const lowestZoom = 1
export const highestZoom = 16
/** The maximum initial zoom, at which streets are recognizable. */
const nearestFit = 12
/** The part of the events that the initial view contains. */
const maxShare = 0.6
const tileSize = 256
const lastLatitude = 85.05
const equatorKm = 40_075
/** The margin that places keep from the sides of the picture, in pixels: half of the largest marker. */
const edge = 76

export function toMercator({ latitude, longitude }: Point): MercatorPoint {
  const clampedView = Math.min(Math.max(latitude, -lastLatitude), lastLatitude)
  const sine = Math.sin((clampedView * Math.PI) / 180)
  return { x: (longitude + 180) / 360, y: 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI) }
}

export function fromMercator({ x, y }: MercatorPoint): Point {
  const latitude = (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI
  return { latitude, longitude: x * 360 - 180 }
}

/** Returns the width of the whole Earth in pixels. */
export function worldSize(zoom: number): number {
  return tileSize * 2 ** zoom
}

/** Returns the position of a spot in the picture, in pixels. */
export function toPixels({ centre, zoom }: MapView, { x, y }: MercatorPoint): MercatorPoint {
  const size = worldSize(zoom)
  return { x: (x - centre.x) * size + mapWidth / 2, y: (y - centre.y) * size + mapHeight / 2 }
}

/** Returns the closest view that contains all these spots, up to a zoom; without spots, the whole Earth. */
export function viewOf(spots: readonly MercatorPoint[], nearest = nearestFit): MapView {
  const [xs, ys] = [spots.map(({ x }) => x), spots.map(({ y }) => y)]
  if (spots.length === 0) return { centre: { x: 0.5, y: 0.45 }, zoom: lowestZoom }
  const [left, right] = [Math.min(...xs), Math.max(...xs)]
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)]
  const zoomFor = (extent: number, pixels: number) =>
    extent === 0 ? nearest : Math.floor(Math.log2((pixels - 2 * edge) / (extent * tileSize)))
  const zoom = Math.min(zoomFor(right - left, mapWidth), zoomFor(bottom - top, mapHeight), nearest)
  return clampedView({ centre: { x: (left + right) / 2, y: (top + bottom) / 2 }, zoom })
}

/**
 * Returns the closest view around a place that contains most events, for a calendar of a town that lists a few far away;
 * a view of all places if most are not near each other.
 */
export function viewOfMost(
  places: readonly { readonly spot: MercatorPoint; readonly count: number }[],
  nearest = nearestFit,
): MapView {
  const countOf = (some: typeof places) => some.reduce((sum, { count }) => sum + count, 0)
  const isSeen = (view: MapView, spot: MercatorPoint) => {
    const { x, y } = toPixels(view, spot)
    return Math.abs(x - mapWidth / 2) < mapWidth / 2 - edge && Math.abs(y - mapHeight / 2) < mapHeight / 2 - edge
  }
  for (let zoom = nearest; zoom > lowestZoom; zoom -= 1) {
    const around = places.map(({ spot: centre }) => places.filter(({ spot }) => isSeen({ centre, zoom }, spot)))
    const [most] = around.toSorted((one, other) => countOf(other) - countOf(one))
    if (most && countOf(most) > countOf(places) * maxShare) {
      return viewOf(
        most.map(({ spot }) => spot),
        nearest,
      )
    }
  }
  return viewOf(
    places.map(({ spot }) => spot),
    nearest,
  )
}

/** Returns the view clamped to the Earth and to the available zooms. */
function clampedView({ centre: { x, y }, zoom }: MapView): MapView {
  const within = (number: number) => Math.min(Math.max(number, 0), 1)
  return { centre: { x: within(x), y: within(y) }, zoom: Math.min(Math.max(zoom, lowestZoom), highestZoom) }
}

/**
 * Reads the view of an address: `z`, and `at` as latitude and longitude. Returns undefined if they are missing or
 * invalid.
 *
 * @param nearest The maximum zoom.
 */
export function readView(zoom: unknown, at: unknown, nearest = highestZoom): MapView | undefined {
  if (typeof zoom !== 'string' || typeof at !== 'string' || !/^\d{1,2}$/.test(zoom)) return undefined
  const [, latitude, longitude] = /^(-?\d{1,2}(?:\.\d{1,6})?),(-?\d{1,3}(?:\.\d{1,6})?)$/.exec(at) ?? []
  if (latitude === undefined || longitude === undefined) return undefined
  return clampedView({
    centre: toMercator({ latitude: Number(latitude), longitude: Number(longitude) }),
    zoom: Math.min(Number(zoom), nearest),
  })
}

export function viewParameters(view: MapView): { readonly z: number; readonly at: string } {
  const { centre, zoom } = clampedView(view)
  const { latitude, longitude } = fromMercator(centre)
  return { z: zoom, at: [latitude, longitude].map((degrees) => Number(degrees.toFixed(4))).join(',') }
}

/** Returns the view panned by these fractions of the picture. */
export function panned({ centre, zoom }: MapView, right: number, down: number): MapView {
  const size = worldSize(zoom)
  return clampedView({
    centre: { x: centre.x + (right * mapWidth) / size, y: centre.y + (down * mapHeight) / size },
    zoom,
  })
}

export function metresPerPixel({ centre, zoom }: MapView): number {
  const { latitude } = fromMercator(centre)
  return (equatorKm * 1000 * Math.cos((latitude * Math.PI) / 180)) / worldSize(zoom)
}

/** Items that are so close together that the map shows them as one. */
export interface Cluster<T> {
  readonly at: MercatorPoint
  readonly members: readonly T[]
}

/** Groups items that are within `pixels` of each other, in the given order. */
export function clustered<T extends { readonly spot: MercatorPoint }>(
  view: MapView,
  places: readonly T[],
  pixels: number,
): readonly Cluster<T>[] {
  const clusters: { at: MercatorPoint; members: T[] }[] = []
  for (const place of places) {
    const at = toPixels(view, place.spot)
    if (at.x < 0 || at.y < 0 || at.x > mapWidth || at.y > mapHeight) continue
    const near = clusters.find((cluster) => Math.hypot(cluster.at.x - at.x, cluster.at.y - at.y) < pixels)
    if (near) near.members.push(place)
    else clusters.push({ at, members: [place] })
  }
  return clusters
}
