import { htmlToText } from '../../../base/text/escape.ts'
import { type Html, html } from '../../../base/text/html.ts'
import { addMonths, endOfDay } from '../../../base/time/local.date.time.ts'
import { listEventsUncounted } from '../../../calendar/events/list/list.repository.ts'
import type { LinkedEvent } from '../../../calendar/events/model/event.ts'
import { recordUrl } from '../../../calendar/records/record.present.ts'
import type { TileArchive } from '../../../storage/tiles/tile.ts'
import { dateText, isSameDay, lastDayOf } from '../date.texts.ts'
import { cardTitle, countText, isMasked } from '../event/event.card.ts'
import { addressLines, pointOf } from '../event/event.place.ts'
import { isOff, stateBadges, struckIf } from '../event/event.states.ts'
import { feedQuery, ofDays, ofFilters } from '../feed.query.ts'
import { type Page, type PageCall, readContextOf } from '../frame/page.ts'
import { boundsOfDays, planFiltered, plannedFor, today, untilMidnight } from '../list/event.lists.ts'
import { filterForm } from '../list/filters.form.ts'
import { filterNote, filtersExcept, readFilters, sharedFilters } from '../list/filters.ts'
import { listVersions } from '../list/list.page.ts'
import { inLanguage, pathOf, withQuery } from '../page.addresses.ts'
import { byDistance, centralPlace, distanceText } from './map.distances.ts'
import { lastLandZoom } from './map.land.ts'
import { areDistinguishable, type MapPlace, mapPicture } from './map.svg.ts'
import { tilesPath } from './map.tiles.ts'
import {
  highestZoom,
  lowestZoom,
  type MapView,
  type MercatorPoint,
  type Point,
  panned,
  readView,
  toMercator,
  viewOf,
  viewOfMost,
  viewParameters,
} from './map.view.ts'

const openStreetMap = 'https://www.openstreetmap.org/copyright'

/**
 * Returns the container of the map that a script draws, with its settings and buttons. It is hidden without scripts. If
 * the script cannot draw the map, it hides the container and shows the alternative for pages without scripts.
 */
function streetMap(call: PageCall, archive: TileArchive, count: number): Html {
  const { say, files, textLanguage, query } = call
  if (!files.streets) return html``
  const { script, engine, worker, style } = files.streets
  const settings = {
    ...{ engine: pathOf(call, engine), worker: pathOf(call, worker), style: pathOf(call, style) },
    tiles: pathOf(call, tilesPath(archive)),
    ...{ minZoom: archive.minZoom, maxZoom: archive.maxZoom, bounds: archive.bounds },
    language: textLanguage,
    view: typeof query.z === 'string' && typeof query.at === 'string' ? [query.z, query.at] : undefined,
    texts: {
      together: say('map.together', { count: '{count}' }),
      canvas: say('map.canvas'),
      close: say('map.close'),
      ctrl: say('map.gesture.ctrl'),
      command: say('map.gesture.command'),
      touch: say('map.gesture.touch'),
    },
  }
  const button = (name: string, sign: string, text: string) =>
    html`<button type="button" class="button quiet" data-zoom="${name}" aria-label="${text}" title="${text}">${sign}</button>`
  return html`<section class="streets" data-streets="${pathOf(call, script)}" data-settings="${JSON.stringify(settings)}" aria-label="${say('map.label', { count })}">
<div class="streets-map"></div>
<div class="map-controls" role="group" aria-label="${say('map')}">
${button('in', '+', say('map.zoom-in'))}
${button('out', '−', say('map.zoom-out'))}
<button type="button" class="button quiet" data-zoom="all">${say('map.all')}</button>
</div>
<p class="map-source"><a href="${openStreetMap}">${say('map.streets.source')}</a></p>
</section>`
}

const mapPath = '/events/map/'
/** The maximum number of events that are read, from the next months. */
const maxEvents = 150
const months = 12
/** The maximum number of events that are listed for each place. */
const eventsPerPlace = 3

interface VenueMarker extends MapPlace {
  readonly point: Point
  /** The address in one line; '' if it is unknown. */
  readonly address: string
  readonly events: readonly LinkedEvent[]
}

/** Answers `/events/map/`: the places of the next events. */
export async function mapPage(call: PageCall): Promise<Page> {
  const { say, deps, query } = call
  const filters = await readFilters(call, filtersExcept('occurrences'))
  const now = today(call)
  const bounds = boundsOfDays(now, endOfDay(addMonths(now, months)))
  const eventFilter = { ...filters.eventFilter, hasPlace: true, isNextOnly: true }
  const plan = filters.isImpossible ? undefined : await planFiltered(call, eventFilter)
  const events = plan
    ? await listEventsUncounted(readContextOf(call), plannedFor(plan, { bounds, perPage: maxEvents }))
    : []
  const places = placesOf(call, events)
  const archive = await deps.streets.archive()
  const hasTiles = deps.config.mapTileUrl !== undefined
  const nearest = hasTiles ? highestZoom : lastLandZoom
  const asViewed = readView(query.z, query.at, nearest)
  const nearestFirst = hasTiles ? undefined : nearest
  const view = asViewed ?? viewOfMost(places, nearestFirst)
  // Land is drawn only up to the zoom at which it is accurate. If all markers coincide there, the page lists the places
  // instead.
  const isDrawn = hasTiles || places.length === 0 || areDistinguishable(viewOf(spotsOf(places), nearest), places)
  const path = inLanguage(call, mapPath)
  const kept = sharedFilters(call)
  const viewPath = (other: MapView) => pathOf(call, withQuery(path, { ...kept, ...viewParameters(other) }))
  // The title is not “map” if no map is drawn.
  const title = say(isDrawn || archive ? 'map.title' : 'map.title.list')
  return {
    kind: 'page',
    status: 200,
    title,
    view: 'map',
    main: html`<div class="page-head" data-results><h1>${title}</h1></div>
${await filterForm(call, filters, { action: pathOf(call, path), fields: filtersExcept('from', 'to', 'occurrences') })}
<div data-results>${filterNote(call, filters, path)}
${archive && streetMap(call, archive, places.length)}
${
  isDrawn &&
  html`<div class="map-frame" data-map>${await mapPicture(call, view, { places, nearest, viewPath })}
${controls(call, view, { nearest, viewPath, all: viewPath(viewOf(spotsOf(places), nearestFirst)) })}
${!hasTiles && html`<p class="map-source">${say('map.source')}</p>`}</div>`
}
${events.length === maxEvents && html`<p class="map-source">${say('map.limit', { count: maxEvents })}</p>`}
${places.length === 0 ? html`<p class="empty">${say('map.nothing')}</p>` : placeList(call, places, hasTiles)}</div>`,
    meta: { path: withQuery(path, kept), description: title, isIndexed: !filters.isActive && query.z === undefined },
    versions: filters.isActive ? {} : listVersions(call, mapPath),
    filters: kept,
    feedQuery: feedQuery(ofFilters(filters), ofDays(call)),
    freshUntil: untilMidnight(call),
  }
}

/** Returns the places of these events. Places of the next events come first. */
function placesOf(call: PageCall, events: readonly LinkedEvent[]): readonly VenueMarker[] {
  const found = events
    // The place of a protected event is secret, and nobody goes to the place of an online event.
    .filter((event) => !isMasked(event) && event.attendance !== 'online')
    .flatMap((event) => event.venues.map((venue) => ({ event, venue, point: pointOf(venue) })))
  const byVenue = Map.groupBy(found, ({ venue }) => venue.id)
  return [...byVenue.values()].flatMap((entries) => {
    const [first] = entries
    if (!first?.point) return []
    const { venue, point } = first
    return [
      {
        name: htmlToText(venue.titleHtml),
        path: pathOf(call, recordUrl(call.addresses, venue)),
        point,
        spot: toMercator(point),
        address: addressLines(venue).slice(0, 2).join(', '),
        count: entries.length,
        events: entries.slice(0, eventsPerPlace).map(({ event }) => event),
      },
    ]
  })
}

/** Label and sign of each control. */
const steps = {
  nearer: ['map.zoom-in', '+'],
  farther: ['map.zoom-out', '−'],
  north: ['map.pan.north', '↑'],
  west: ['map.pan.west', '←'],
  east: ['map.pan.east', '→'],
  south: ['map.pan.south', '↓'],
} as const

interface ControlOptions {
  /** The last available zoom. */
  readonly nearest: number
  /** Returns the address of the page with another view. */
  readonly viewPath: (view: MapView) => string
  /** The address of the page with all places. */
  readonly all: string
}

function controls(call: PageCall, view: MapView, { nearest, viewPath, all }: ControlOptions): Html {
  const { say } = call
  const { centre, zoom } = view
  const step = (to: MapView, name: keyof typeof steps) => {
    const [key, sign] = steps[name]
    return html`<a class="button quiet ${name}" href="${viewPath(to)}" data-swap aria-label="${say(key)}" title="${say(key)}">${sign}</a>`
  }
  return html`<nav class="map-controls" aria-label="${say('map')}">
${zoom < nearest && step({ centre, zoom: zoom + 1 }, 'nearer')}
${zoom > lowestZoom && step({ centre, zoom: zoom - 1 }, 'farther')}
${step(panned(view, 0, -0.4), 'north')}
${step(panned(view, -0.4, 0), 'west')}
${step(panned(view, 0.4, 0), 'east')}
${step(panned(view, 0, 0.4), 'south')}
<a class="button quiet" href="${all}" data-swap>${say('map.all')}</a>
</nav>`
}

function spotsOf(places: readonly VenueMarker[]): readonly MercatorPoint[] {
  return places.map(({ spot }) => spot)
}

/** Returns the day of the start, or the end of an event that began on an earlier day. */
function whenShort(call: PageCall, event: LinkedEvent): string {
  const { say, textLanguage } = call
  const [now, last] = [today(call), lastDayOf(event)]
  if (event.start >= now || last < now) return dateText(textLanguage, 'shortDay', event.start)
  return isSameDay(last, now) ? say('ends-today') : say('until', { date: dateText(textLanguage, 'shortDay', last) })
}

/**
 * Returns the list of all places, as an alternative to the map. If distances are shown, the places nearest to the
 * centre come first.
 */
function placeList(call: PageCall, places: readonly VenueMarker[], hasTiles: boolean): Html {
  const { say } = call
  const origin = hasTiles || places.length < 2 ? undefined : centralPlace(places)
  const event = (
    one: LinkedEvent,
  ) => html`<li><span class="when">${struckIf(isOff(one), html`${whenShort(call, one)}`)}</span>${stateBadges(call, one)}
<a href="${pathOf(call, recordUrl(call.addresses, one))}">${cardTitle(one)}</a></li>`
  const distance = (place: VenueMarker) =>
    origin && html`<p class="distance">${place === origin ? say('map.origin') : distanceText(call, origin, place)}</p>`
  return html`<section class="section" id="places"><h2>${say('map.places')}</h2>
${origin && html`<p class="map-note">${say('map.distances', { name: origin.name })}</p>`}
<ol class="places">
${(origin ? byDistance(places, origin) : places).map((place) => {
  const { name, path, count, address, events, point } = place
  return html`<li data-place="${point.longitude},${point.latitude}"><h3><a href="${path}">${name}</a></h3>
${address !== '' && html`<p class="address">${address}</p>`}
${distance(place)}
<p class="count">${countText(call, count)}</p>
<ul>${events.map(event)}</ul>
<button type="button" class="button quiet" data-show-place hidden>${say('map.show')}<span class="unseen">: ${name}</span></button></li>`
})}
</ol></section>`
}
