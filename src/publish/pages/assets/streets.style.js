// The style of the street map: layers of the Protomaps basemap (version 4) in the colours of the site.

/** CSS custom properties of the colours. */
const colourNames = {
  ...{ ground: '--tint', land: '--land', water: '--water', park: '--park', building: '--building' },
  ...{ street: '--street', edge: '--border-land', ink: '--ink', soft: '--ink-soft' },
}

/** Returns the current colours of the style sheets, converted to a notation that the map reads. */
export function mapColours(element) {
  const probe = document.createElement('span')
  element.append(probe)
  const pen = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', {
    willReadFrequently: true,
  })
  const read = (name) => {
    probe.style.color = `var(${name})`
    pen.fillStyle = getComputedStyle(probe).color
    pen.fillRect(0, 0, 1, 1)
    const [red, green, blue] = pen.getImageData(0, 0, 1, 1).data
    return `rgb(${red}, ${green}, ${blue})`
  }
  const colours = Object.fromEntries(Object.entries(colourNames).map(([key, name]) => [key, read(name)]))
  probe.remove()
  return colours
}

/** Returns widths that grow with the zoom: pairs of `[zoom, pixels]`. */
const growing = (...stops) => ['interpolate', ['exponential', 1.6], ['zoom'], ...stops.flat()]
const isKind = (...kinds) => ['in', ['get', 'kind'], ['literal', kinds]]
const isArea = ['==', ['geometry-type'], 'Polygon']
const isLine = ['==', ['geometry-type'], 'LineString']

/** Kinds of streets, from smallest to largest: minimum zoom and widths. */
const streets = [
  {
    id: 'other',
    kinds: ['other'],
    minzoom: 14,
    stops: [
      [14, 0.5],
      [16, 2],
      [19, 10],
    ],
  },
  {
    id: 'minor',
    kinds: ['minor_road'],
    minzoom: 11,
    stops: [
      [11, 0.3],
      [14, 2],
      [16, 6],
      [19, 24],
    ],
  },
  {
    id: 'major',
    kinds: ['major_road'],
    minzoom: 7,
    stops: [
      [7, 0.4],
      [12, 2.2],
      [16, 9],
      [19, 32],
    ],
  },
  {
    id: 'highway',
    kinds: ['highway'],
    minzoom: 5,
    stops: [
      [5, 0.6],
      [12, 3],
      [16, 12],
      [19, 38],
    ],
  },
]

/**
 * Returns the style of the map.
 *
 * @param settings The tile settings of the page, and the language of names.
 * @see https://maplibre.org/maplibre-style-spec/
 */
export function streetStyle({ tiles, minZoom, maxZoom, bounds, language }, colours, font) {
  const layer = (id, type, sourceLayer, more) => ({ id, type, source: 'streets', 'source-layer': sourceLayer, ...more })
  const round = { 'line-cap': 'round', 'line-join': 'round' }
  const name = ['coalesce', ['get', `name:${language}`], ['get', 'name']]
  const label = (id, sourceLayer, { layout, paint, ...more }) =>
    layer(id, 'symbol', sourceLayer, {
      ...more,
      layout: { 'text-font': font, 'text-size': 12, ...layout },
      paint: { 'text-color': colours.ink, 'text-halo-color': colours.land, 'text-halo-width': 2, ...paint },
    })
  return {
    version: 8,
    sources: { streets: { type: 'vector', tiles: [tiles], minzoom: minZoom, maxzoom: maxZoom, bounds } },
    layers: [
      // Areas without tile data are neither land nor water.
      { id: 'ground', type: 'background', paint: { 'background-color': colours.ground } },
      layer('land', 'fill', 'earth', { filter: isArea, paint: { 'fill-color': colours.land } }),
      layer('parks', 'fill', 'landuse', {
        filter: [
          'all',
          isArea,
          isKind(
            ...['park', 'national_park', 'nature_reserve', 'protected_area', 'forest', 'wood', 'grass', 'grassland'],
            ...['cemetery', 'golf_course', 'village_green', 'allotments', 'playground', 'pitch', 'scrub'],
          ),
        ],
        paint: { 'fill-color': colours.park },
      }),
      layer('water', 'fill', 'water', { filter: isArea, paint: { 'fill-color': colours.water } }),
      layer('rivers', 'line', 'water', {
        minzoom: 9,
        filter: ['all', isLine, isKind('river', 'stream', 'canal')],
        paint: { 'line-color': colours.water, 'line-width': growing([9, 0.5], [14, 2], [18, 8]) },
      }),
      layer('buildings', 'fill', 'buildings', {
        minzoom: 13,
        filter: ['all', isArea, isKind('building', 'building_part')],
        paint: { 'fill-color': colours.building },
      }),
      layer('shores', 'line', 'water', { filter: isArea, paint: { 'line-color': colours.edge, 'line-width': 0.75 } }),
      layer('paths', 'line', 'roads', {
        minzoom: 14,
        filter: isKind('path'),
        paint: { 'line-color': colours.soft, 'line-width': 1, 'line-dasharray': [2, 2] },
      }),
      layer('rails', 'line', 'roads', {
        minzoom: 11,
        filter: isKind('rail'),
        paint: { 'line-color': colours.soft, 'line-width': growing([11, 0.5], [18, 2]) },
      }),
      ...streets.map(({ id, kinds, minzoom, stops }) =>
        layer(`${id}-edge`, 'line', 'roads', {
          ...{ minzoom, filter: isKind(...kinds), layout: round },
          paint: {
            'line-color': colours.edge,
            'line-width': growing(...stops.map(([zoom, wide]) => [zoom, wide + 1.5])),
          },
        }),
      ),
      ...streets.map(({ id, kinds, minzoom, stops }) =>
        layer(id, 'line', 'roads', {
          ...{ minzoom, filter: isKind(...kinds), layout: round },
          paint: { 'line-color': colours.street, 'line-width': growing(...stops) },
        }),
      ),
      layer('borders', 'line', 'boundaries', {
        filter: isKind('country', 'region'),
        paint: { 'line-color': colours.soft, 'line-width': 1, 'line-dasharray': [3, 3] },
      }),
      label('street-names', 'roads', {
        minzoom: 13,
        filter: isKind('highway', 'major_road', 'minor_road'),
        // Local names, as on street signs, in any language.
        layout: { 'symbol-placement': 'line', 'text-field': ['get', 'name'], 'text-size': growing([13, 10], [18, 15]) },
      }),
      label('water-names', 'water', {
        minzoom: 10,
        layout: { 'text-field': name, 'text-max-width': 8 },
        paint: { 'text-color': colours.soft, 'text-halo-color': colours.water },
      }),
      label('park-names', 'landuse', {
        minzoom: 14,
        filter: isKind('park', 'national_park', 'nature_reserve', 'cemetery'),
        layout: { 'text-field': name, 'text-max-width': 8 },
        paint: { 'text-color': colours.soft },
      }),
      label('district-names', 'places', {
        ...{ minzoom: 11, maxzoom: 16, filter: isKind('neighbourhood', 'macrohood') },
        layout: { 'text-field': name, 'text-letter-spacing': 0.05 },
        paint: { 'text-color': colours.soft },
      }),
      label('town-names', 'places', {
        maxzoom: 14,
        filter: isKind('locality'),
        layout: { 'text-field': name, 'text-size': growing([5, 12], [13, 18]) },
      }),
    ],
  }
}
