import { readFile } from 'node:fs/promises'
import { feature, mesh } from 'topojson-client'
import { once } from '../../../access/http/answers/asset.ts'
import { type MapView, type MercatorPoint, mapHeight, mapWidth, toMercator, toPixels } from './map.view.ts'

// Land and borders of the world by Natural Earth, which are in the public domain, from the package world-atlas.

type World = Parameters<typeof feature>[0]
type LandLine = readonly MercatorPoint[]

interface Atlas {
  readonly coasts: readonly BoundedLine[]
  readonly borders: readonly BoundedLine[]
}

interface BoundedLine {
  readonly line: LandLine
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** The coarse atlas is precise enough up to this zoom. */
const coarseZoom = 3
/**
 * The last zoom at which the drawn land is accurate. The outlines of 1:50m are within 2.7 km of those of 1:10m for 95
 * of 100 points, which is less than two pixels here. One zoom further, coastal towns would be in the water.
 */
export const lastLandZoom = 6
/** The distance that lines extend beyond the picture, so that their ends are not visible. */
const margin = 8
/** Points closer than this are drawn as one. */
const finestPixels = 1.6

const coarse = once(() => readAtlas('countries-110m'))
const fine = once(() => readAtlas('countries-50m'))

/** Returns land and borders of a view as SVG paths. */
export async function landPaths(view: MapView): Promise<{ readonly land: string; readonly borders: string }> {
  const { coasts, borders } = await (view.zoom <= coarseZoom ? coarse() : fine())
  return {
    land: coasts
      .filter(isSeen(view))
      .map(({ line }) => pathOfRing(view, line))
      .join(''),
    borders: borders
      .filter(isSeen(view))
      .map(({ line }) => pathOfBorder(view, line))
      .join(''),
  }
}

async function readAtlas(name: string): Promise<Atlas> {
  const file = import.meta.resolve(`world-atlas/${name}.json`)
  const world = JSON.parse(await readFile(new URL(file), 'utf8')) as World
  const { land, countries } = world.objects
  if (!land || !countries) throw new Error(`There is no land in ${name}.`)
  const shapes = feature(world, land)
  const features = shapes.type === 'FeatureCollection' ? shapes.features : [shapes]
  const rings = features.flatMap(({ geometry }) =>
    geometry.type === 'MultiPolygon'
      ? geometry.coordinates.flat()
      : geometry.type === 'Polygon'
        ? geometry.coordinates
        : [],
  )
  const inner = mesh(world, countries as Parameters<typeof mesh>[1], (one, other) => one !== other)
  return {
    coasts: rings.flatMap((ring) => aroundTheWorld(lineOf(ring))).map(boundedLine),
    borders: inner.coordinates.map((border) => boundedLine(lineOf(border))),
  }
}

function lineOf(positions: readonly (readonly number[])[]): LandLine {
  return positions.map(([longitude = 0, latitude = 0]) => toMercator({ latitude, longitude }))
}

/**
 * Returns a coast that crosses the antimeridian, the edge of the map, as two copies: one that continues beyond that
 * edge, and one beyond the opposite edge. A coast around a pole stays unchanged, because its edge is out of sight.
 */
function aroundTheWorld(line: LandLine): readonly LandLine[] {
  let turns = 0
  const whole = line.map((spot, place) => {
    const step = spot.x - (line[place - 1] ?? spot).x
    if (Math.abs(step) > 0.5) turns -= Math.sign(step)
    return { x: spot.x + turns, y: spot.y }
  })
  if (turns !== 0) return [line]
  const shifted = (by: number) => whole.map(({ x, y }) => ({ x: x + by, y }))
  return [
    whole,
    ...(whole.some(({ x }) => x > 1) ? [shifted(-1)] : []),
    ...(whole.some(({ x }) => x < 0) ? [shifted(1)] : []),
  ]
}

function boundedLine(line: LandLine): BoundedLine {
  const [xs, ys] = [line.map(({ x }) => x), line.map(({ y }) => y)]
  return { line, left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) }
}

function isSeen(view: MapView): (line: BoundedLine) => boolean {
  return ({ left, right, top, bottom }) => {
    const [from, to] = [toPixels(view, { x: left, y: top }), toPixels(view, { x: right, y: bottom })]
    const isLarge = to.x - from.x >= finestPixels || to.y - from.y >= finestPixels
    return isLarge && to.x > -margin && from.x < mapWidth + margin && to.y > -margin && from.y < mapHeight + margin
  }
}

/** A side of the picture: its axis, its coordinate, and the direction in which the picture extends from it. */
type Side = readonly [axis: 'x' | 'y', limit: number, sign: 1 | -1]

/** Returns the path of a coast. It is clipped at the sides of the picture, so that land stays filled. */
function pathOfRing(view: MapView, line: LandLine): string {
  const sides: readonly Side[] = [
    ['x', -margin, 1],
    ['x', mapWidth + margin, -1],
    ['y', -margin, 1],
    ['y', mapHeight + margin, -1],
  ]
  const cut = sides.reduce<LandLine>(
    clipped,
    line.map((spot) => toPixels(view, spot)),
  )
  const points = thinned(cut)
  return points.length < 3 ? '' : `${pathOf(points)}z`
}

/** Returns the part of a ring on the inner side of a line, by the algorithm of Sutherland and Hodgman. */
function clipped(ring: LandLine, [axis, limit, sign]: Side): LandLine {
  const isInside = (spot: MercatorPoint) => (spot[axis] - limit) * sign >= 0
  return ring.flatMap((spot, place) => {
    const before = ring.at(place - 1) ?? spot
    const isIn = isInside(spot)
    if (isIn === isInside(before)) return isIn ? [spot] : []
    const part = (limit - before[axis]) / (spot[axis] - before[axis])
    const crossing = { x: before.x + (spot.x - before.x) * part, y: before.y + (spot.y - before.y) * part }
    return isIn ? [crossing, spot] : [crossing]
  })
}

/** Returns the path of a border: those runs of it that are near the picture. */
function pathOfBorder(view: MapView, line: LandLine): string {
  const runs: MercatorPoint[][] = [[]]
  for (const spot of line.map((one) => toPixels(view, one))) {
    const isNear = Math.abs(spot.x - mapWidth / 2) < mapWidth && Math.abs(spot.y - mapHeight / 2) < mapHeight
    if (isNear) runs.at(-1)?.push(spot)
    else if (runs.at(-1)?.length) runs.push([])
  }
  return runs
    .filter((run) => run.length > 1)
    .map((run) => pathOf(thinned(run)))
    .join('')
}

function thinned(line: LandLine): LandLine {
  let last: MercatorPoint | undefined
  return line.filter((spot, place) => {
    const isFar = !last || place === line.length - 1 || Math.hypot(spot.x - last.x, spot.y - last.y) >= finestPixels
    if (isFar) last = spot
    return isFar
  })
}

/** Returns a path in whole pixels, each point relative to the previous one. This is the shortest notation. */
function pathOf(line: LandLine): string {
  let [x, y] = [0, 0]
  return line
    .map((spot, place) => {
      const [toX, toY] = [Math.round(spot.x), Math.round(spot.y)]
      const [dx, dy] = [toX - x, toY - y]
      if (place > 0 && dx === 0 && dy === 0) return ''
      ;[x, y] = [toX, toY]
      return place === 0 ? `M${toX} ${toY}` : `l${dx} ${dy}`
    })
    .join('')
}
