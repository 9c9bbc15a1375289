import type { PageKey } from '../../../base/languages/catalogue.ts'
import { TEXT_LANGUAGE_CODES, type TextLanguage } from '../../../base/languages/language.ts'
import type { PageCall } from '../frame/page.ts'
import { fromMercator, type MercatorPoint, type Point } from './map.view.ts'

const earthRadiusMetres = 6_371_000
/** Places closer than this count as the same place. */
const sameMetres = 15

/** The eight directions, clockwise from the north. */
const directions = [
  ...['north', 'northeast', 'east', 'southeast'],
  ...['south', 'southwest', 'west', 'northwest'],
] as readonly ('north' | 'northeast' | 'east' | 'southeast' | 'south' | 'southwest' | 'west' | 'northwest')[]

interface Located {
  readonly spot: MercatorPoint
}

/** Returns the place with the smallest sum of distances to all others. Distances are measured from it. */
export function centralPlace<T extends Located>(places: readonly T[]): T | undefined {
  const points = places.map(({ spot }) => fromMercator(spot))
  const sums = points.map((from) => points.reduce((sum, to) => sum + metresBetween(from, to), 0))
  return places[sums.indexOf(Math.min(...sums))]
}

/** Returns the places sorted by distance, nearest first. */
export function byDistance<T extends Located>(places: readonly T[], { spot }: Located): readonly T[] {
  const from = fromMercator(spot)
  const distances = new Map(places.map((place) => [place, metresBetween(from, fromMercator(place.spot))]))
  return places.toSorted((one, other) => (distances.get(one) ?? 0) - (distances.get(other) ?? 0))
}

/** Returns distance and direction from one place to another: “1.2 km northeast”. */
export function distanceText({ say, textLanguage }: PageCall, from: Located, to: Located): string {
  const [start, end] = [fromMercator(from.spot), fromMercator(to.spot)]
  const metres = metresBetween(start, end)
  if (metres < sameMetres) return say('map.same-place')
  const distance =
    metres < 995
      ? say('metres', { count: numberText(textLanguage, Math.round(metres / 10) * 10) })
      : say('kilometres', { count: numberText(textLanguage, metres / 1000, metres < 9950 ? 1 : 0) })
  const key: PageKey = `map.direction.${directionOf(start, end)}`
  return say(key, { distance })
}

/** Returns a number in the notation of this language: “1,2”. */
export function numberText(language: TextLanguage, number: number, digits = 0): string {
  return new Intl.NumberFormat(TEXT_LANGUAGE_CODES[language], { maximumFractionDigits: digits }).format(number)
}

/** Returns the great-circle distance between two points, in metres. */
export function metresBetween(from: Point, to: Point): number {
  const [fromLatitude, toLatitude] = [radians(from.latitude), radians(to.latitude)]
  const [dLatitude, dLongitude] = [toLatitude - fromLatitude, radians(to.longitude - from.longitude)]
  const square =
    Math.sin(dLatitude / 2) ** 2 + Math.cos(fromLatitude) * Math.cos(toLatitude) * Math.sin(dLongitude / 2) ** 2
  return 2 * earthRadiusMetres * Math.asin(Math.sqrt(Math.min(1, square)))
}

/** Returns the initial direction from one point to another, one of eight. */
export function directionOf(from: Point, to: Point): (typeof directions)[number] {
  const [fromLatitude, toLatitude] = [radians(from.latitude), radians(to.latitude)]
  const dLongitude = radians(to.longitude - from.longitude)
  const east = Math.sin(dLongitude) * Math.cos(toLatitude)
  const north =
    Math.cos(fromLatitude) * Math.sin(toLatitude) - Math.sin(fromLatitude) * Math.cos(toLatitude) * Math.cos(dLongitude)
  const eighth = Math.round(Math.atan2(east, north) / (Math.PI / 4))
  return directions.at(eighth % 8) ?? 'north'
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}
