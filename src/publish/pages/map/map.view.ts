// The map is drawn as web maps are (EPSG:3857): the Earth is a square, of 256 pixels at zoom 0, twice as wide at each next.

/** Degrees, WGS 84. */
export interface Point {
  readonly latitude: number
  readonly longitude: number
}

/** A place on the square of the Earth, 0 to 1 from the north-west. */
export interface MercatorPoint {
  readonly x: number
  readonly y: number
}

/** What of the Earth is shown. */
export interface MapView {
  readonly centre: MercatorPoint
  /** Whole. */
  readonly zoom: number
}

export const mapWidth = 960
export const mapHeight = 600
export const lowestZoom = 1
export const highestZoom = 16
/** So close that streets would be seen: nearer makes no sense to begin with. */
const nearestFit = 12
const tileSize = 256
const lastLatitude = 85.05
const equatorKm = 40_075
/** Pixels along the sides of the picture that places keep off: room for half of the largest marker. */
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

/** Pixels of the whole Earth. */
export function worldSize(zoom: number): number {
  return tileSize * 2 ** zoom
}

/** Where a spot is in the picture, in pixels. */
export function toPixels({ centre, zoom }: MapView, { x, y }: MercatorPoint): MercatorPoint {
  const size = worldSize(zoom)
  return { x: (x - centre.x) * size + mapWidth / 2, y: (y - centre.y) * size + mapHeight / 2 }
}

/** The nearest view of all these spots, up to a zoom; without any, the whole Earth. */
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

/** A view that shows some of the Earth, at a zoom that there is. */
function clampedView({ centre: { x, y }, zoom }: MapView): MapView {
  const within = (number: number) => Math.min(Math.max(number, 0), 1)
  return { centre: { x: within(x), y: within(y) }, zoom: Math.min(Math.max(zoom, lowestZoom), highestZoom) }
}

/**
 * The view that an address asks for: `z`, and `at` as latitude and longitude. Undefined where it names none.
 *
 * @param nearest The last zoom that may be asked for.
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

/** A view as an address asks for it. */
export function viewParameters(view: MapView): { readonly z: number; readonly at: string } {
  const { centre, zoom } = clampedView(view)
  const { latitude, longitude } = fromMercator(centre)
  return { z: zoom, at: [latitude, longitude].map((degrees) => Number(degrees.toFixed(4))).join(',') }
}

/** The view panned by these parts of the picture. */
export function panned({ centre, zoom }: MapView, right: number, down: number): MapView {
  const size = worldSize(zoom)
  return clampedView({
    centre: { x: centre.x + (right * mapWidth) / size, y: centre.y + (down * mapHeight) / size },
    zoom,
  })
}

/** Metres that a pixel in the middle stands for. */
export function metresPerPixel({ centre, zoom }: MapView): number {
  const { latitude } = fromMercator(centre)
  return (equatorKm * 1000 * Math.cos((latitude * Math.PI) / 180)) / worldSize(zoom)
}

/** What is so close together that it is shown as one. */
export interface Cluster<T> {
  readonly at: MercatorPoint
  readonly members: readonly T[]
}

/** Puts what is shown within `pixels` of each other together, in the order given. */
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
