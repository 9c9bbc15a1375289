import type { TestContext } from 'node:test'
import { geoJSONToTile } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import { archiveFile, type GivenTile, pmtiles } from './pmtiles.ts'

// A fictional town, on the north shore of a river, in the layers of the Protomaps basemap.

type Position = [number, number]
type Properties = Readonly<Record<string, string | number>>
type Shape = GeoJSON.Feature<GeoJSON.Geometry, Properties>

const [west, south, east, north]: [number, number, number, number] = [-73.74, 45.54, -73.68, 45.58]
/** The bounds of its map. */
export const townBounds = [west, south, east, north] as const
const deepest = 14

const at = (right: number, up: number): Position => [west + (east - west) * right, south + (north - south) * up]
const line = (properties: Properties, ...points: readonly Position[]): Shape => ({
  type: 'Feature',
  properties,
  geometry: { type: 'LineString', coordinates: [...points] },
})
const area = (properties: Properties, ...points: readonly Position[]): Shape => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Polygon', coordinates: [[...points, points[0] ?? at(0, 0)]] },
})
const box = (properties: Properties, left: number, low: number, right: number, high: number) =>
  area(properties, at(left, low), at(right, low), at(right, high), at(left, high))

const steps = Array.from({ length: 9 }, (_, place) => place)
const shore = (right: number) => 0.22 + 0.06 * Math.sin(right * 7)

const avenues = ['1re Avenue', '2e Avenue', '3e Avenue', '4e Avenue', '5e Avenue', '6e Avenue', '7e Avenue']
const streets = ['Rue des Érables', 'Rue du Moulin', 'Rue Principale', 'Rue de la Gare', 'Rue du Marché', 'Rue Haute']

const layers: Readonly<Record<string, readonly Shape[]>> = {
  earth: [box({ kind: 'earth' }, -0.2, -0.2, 1.2, 1.2)],
  water: [
    area(
      { kind: 'river', name: 'Rivière des Prairies' },
      ...steps.map((step) => at(-0.2 + (step / 8) * 1.4, shore(step / 8))),
      ...steps.toReversed().map((step) => at(-0.2 + (step / 8) * 1.4, shore(step / 8) - 0.14)),
    ),
  ],
  landuse: [box({ kind: 'park', name: 'Parc du Centre' }, 0.42, 0.55, 0.58, 0.72)],
  roads: [
    line({ kind: 'highway', name: 'Autoroute 15' }, at(-0.1, 0.9), at(0.5, 0.86), at(1.1, 0.93)),
    ...streets.map((name, place) =>
      line(
        { kind: place === 2 ? 'major_road' : 'minor_road', name },
        at(0.05, 0.36 + place * 0.09),
        at(0.95, 0.36 + place * 0.09),
      ),
    ),
    ...avenues.map((name, place) =>
      line({ kind: 'minor_road', name }, at(0.12 + place * 0.13, 0.34), at(0.12 + place * 0.13, 0.84)),
    ),
    line({ kind: 'major_road', name: 'Pont Neuf' }, at(0.51, 0), at(0.51, 0.36)),
    line({ kind: 'path' }, at(0.42, 0.55), at(0.58, 0.72)),
    line({ kind: 'rail' }, at(-0.1, 0.8), at(1.1, 0.76)),
  ],
  buildings: steps.flatMap((column) =>
    steps.map((row) =>
      box(
        { kind: 'building' },
        ...([0.14 + column * 0.09, 0.38 + row * 0.05, 0.16 + column * 0.09, 0.4 + row * 0.05] as const),
      ),
    ),
  ),
  places: [
    {
      type: 'Feature',
      properties: { kind: 'locality', kind_detail: 'town', name: 'Sainte-Fiction', 'name:en': 'Saint Fiction' },
      geometry: { type: 'Point', coordinates: at(0.5, 0.6) },
    },
  ],
  boundaries: [],
}

/** Returns all tiles that show a part of the town. */
function townTiles(): readonly GivenTile[] {
  const column = (longitude: number, z: number) => Math.floor(((longitude + 180) / 360) * 2 ** z)
  const row = (latitude: number, z: number) => {
    const sine = Math.sin((latitude * Math.PI) / 180)
    return Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** z)
  }
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, place) => from + place)
  return range(0, deepest).flatMap((z) =>
    range(column(west, z), column(east, z)).flatMap((x) =>
      range(row(north, z), row(south, z)).map((y) => ({ z, x, y, bytes: tileOf(z, x, y) })),
    ),
  )
}

function tileOf(z: number, x: number, y: number): Uint8Array {
  const tiles = Object.entries(layers).flatMap(([name, features]) => {
    const tile = geoJSONToTile({ type: 'FeatureCollection', features: [...features] }, z, x, y, {
      ...{ buffer: 64, tolerance: 0, clip: true },
    })
    return tile.features.length > 0 ? [[name, tile] as const] : []
  })
  return fromGeojsonVt(Object.fromEntries(tiles), { version: 2 })
}

/** Writes the town as an archive to a file, which is removed when the test ends. */
export async function townFile(t: Pick<TestContext, 'after'>): Promise<string> {
  const bytes = pmtiles({
    tiles: townTiles(),
    bounds: townBounds,
    metadata: {
      vector_layers: Object.keys(layers).map((id) => ({ id, fields: { kind: 'String', name: 'String' } })),
      version: '4.0.0',
    },
  })
  return archiveFile(t, bytes)
}
