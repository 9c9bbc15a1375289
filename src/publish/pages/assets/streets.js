// The street map, drawn by MapLibre GL JS from tiles of this site. The list below it has the same content.

import { mapColours, streetStyle } from './streets.style.js'

/** The distance between markers. Each is 44 pixels wide (WCAG 2.5.5). */
const markerPixels = 48
const placeZoom = 16
const lastZoom = 19
/** The width of the Earth in pixels at zoom 0 of MapLibre. */
const worldPixels = 512
const schemes = ['(prefers-color-scheme: dark)', '(forced-colors: active)', '(prefers-contrast: more)']

/** Draws the map in its container, or hides the container if the map cannot be drawn. */
async function showStreets(frame) {
  const settings = JSON.parse(frame.dataset.settings)
  if (!canDraw()) {
    frame.hidden = true
    return
  }
  const [engine] = await Promise.all([import(settings.engine), loadStyle(settings.style)])
  // Another page may have replaced this one meanwhile.
  if (!frame.isConnected) return
  engine.setWorkerUrl(new URL(settings.worker, location.href).href)
  const places = [...document.querySelectorAll('[data-place]')].map(placeOf)
  const map = createMap(engine, frame, settings, places)
  keepClean(map, frame)
  followColours(map, frame, settings)
  const markers = showMarkers(engine, map, settings, places)
  for (const button of frame.querySelectorAll('[data-zoom]')) {
    button.addEventListener('click', () => {
      if (button.dataset.zoom === 'in') map.zoomIn()
      else if (button.dataset.zoom === 'out') map.zoomOut()
      else fit(engine, map, places)
    })
  }
  for (const place of places) {
    const button = place.item.querySelector('[data-show-place]')
    button.hidden = false
    button.addEventListener('click', () => {
      frame.scrollIntoView({ block: 'nearest' })
      map.once('moveend', () => markers.open([place], button))
      map.easeTo({ center: place.at, zoom: Math.max(map.getZoom(), placeZoom) })
    })
  }
}

function canDraw() {
  const context = document.createElement('canvas').getContext('webgl2')
  context?.getExtension('WEBGL_lose_context')?.loseContext()
  return Boolean(context)
}

function loadStyle(url) {
  if (document.querySelector(`link[href="${url}"]`)) return undefined
  return new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: url })
    link.addEventListener('load', resolve)
    link.addEventListener('error', reject)
    // Before our style sheet, which overrides parts of it.
    document.querySelector('link[rel="stylesheet"]').before(link)
  })
}

/** Returns a place from an item of the list. */
function placeOf(item) {
  return {
    item,
    at: item.dataset.place.split(',').map(Number),
    name: `${item.querySelector('h3').textContent}, ${item.querySelector('.count').textContent}`,
    count: Number.parseInt(item.querySelector('.count').textContent, 10) || 1,
  }
}

function createMap(engine, frame, settings, places) {
  const { texts, view, minZoom } = settings
  const box = frame.querySelector('.streets-map')
  const [west, south, east, north] = settings.bounds
  const inside = places.filter(({ at: [x, y] }) => x >= west && x <= east && y >= south && y <= north)
  const [z, at] = view ?? []
  const [latitude, longitude] = at?.split(',').map(Number) ?? []
  const isViewed = [Number(z), latitude, longitude].every(Number.isFinite)
  const bounds = places.length > 0 ? boundsOf(engine, inside.length > 0 ? inside : places) : settings.bounds
  const map = new engine.Map({
    container: box,
    style: styleOf(frame, settings),
    // Zooms in addresses refer to tiles of 256 pixels.
    ...(isViewed ? { center: [longitude, latitude], zoom: Number(z) - 1 } : { bounds, fitBoundsOptions: fitting }),
    ...{ minZoom: Math.max(0, minZoom), maxZoom: lastZoom, maxPitch: 0, renderWorldCopies: false, fadeDuration: 0 },
    ...{ attributionControl: false, dragRotate: false, touchPitch: false, pitchWithRotate: false },
    // One finger or the wheel scrolls the page, not the map.
    cooperativeGestures: true,
    locale: {
      'Map.Title': texts.canvas,
      'Popup.Close': texts.close,
      'CooperativeGesturesHandler.WindowsHelpText': texts.ctrl,
      'CooperativeGesturesHandler.MacHelpText': texts.command,
      'CooperativeGesturesHandler.MobileHelpText': texts.touch,
    },
  })
  map.touchZoomRotate.disableRotation()
  map.keyboard.disableRotation()
  map.once('idle', () => {
    frame.dataset.drawn = ''
  })
  return map
}

const fitting = { padding: 56, maxZoom: placeZoom }

function boundsOf(engine, places) {
  return places.reduce((bounds, { at }) => bounds.extend(at), new engine.LngLatBounds())
}

function fit(engine, map, places) {
  if (places.length > 0) map.fitBounds(boundsOf(engine, places), fitting)
}

function styleOf(frame, { tiles, ...settings }) {
  const url = location.origin + tiles
  return streetStyle({ ...settings, tiles: url }, mapColours(frame), ['system-ui', 'sans-serif'])
}

/** Keeps the style of the map in line with the colour scheme of the page: light, dark or forced colours. */
function followColours(map, frame, settings) {
  const stopping = new AbortController()
  for (const scheme of schemes) {
    matchMedia(scheme).addEventListener('change', () => map.setStyle(styleOf(frame, settings)), stopping)
  }
  map.once('remove', () => stopping.abort())
}

/** Frees the graphics memory of a map that is no longer on the page. */
function keepClean(map, frame) {
  const watching = new MutationObserver(() => {
    if (frame.isConnected) return
    watching.disconnect()
    map.remove()
  })
  watching.observe(document.querySelector('main'), { childList: true, subtree: true })
}

/** Returns a part of the list for a popup: without buttons, its heading one level below that of the page. */
function inPopup(part) {
  if (part.localName === 'button') return []
  if (part.localName !== 'h3') return [part.cloneNode(true)]
  const heading = document.createElement('h2')
  heading.append(...part.cloneNode(true).childNodes)
  return [heading]
}

/** Shows buttons at places, in the order of the list. Places that are close together share one button. */
function showMarkers(engine, map, { texts }, places) {
  let shown = []
  let popup

  const open = (members, opener) => {
    popup?.remove()
    const content = document.createElement('div')
    for (const { item } of members) content.append(...[...item.children].flatMap(inPopup))
    const own = new engine.Popup({ offset: 24, maxWidth: '18rem', closeOnClick: true })
    popup = own.setLngLat(members[0].at).setDOMContent(content).addTo(map)
    const element = own.getElement()
    element.setAttribute('role', 'dialog')
    element.setAttribute('aria-label', members[0].item.querySelector('h3').textContent)
    element.querySelector('.maplibregl-popup-close-button').setAttribute('aria-label', texts.close)
    for (const { item } of members) item.dataset.active = ''
    element.addEventListener('keydown', (event) => event.key === 'Escape' && own.remove())
    element.querySelector('a').focus({ preventScroll: true })
    own.once('close', () => {
      for (const { item } of members) delete item.dataset.active
      const back = opener.isConnected ? opener : shown.find((one) => one.members.includes(members[0]))?.element
      // The focus returns only if the visitor has not moved it elsewhere.
      if (element.contains(document.activeElement) || document.activeElement === document.body) back?.focus()
    })
  }

  const choose = (members, element) => {
    const isSplit = clusters(members, placeZoom + 2).length > 1
    if (!isSplit) return open(members, element)
    const hasFocus = document.activeElement === element
    map.once('moveend', () => {
      if (hasFocus) shown.find((one) => one.members.includes(members[0]))?.element.focus()
    })
    map.fitBounds(boundsOf(engine, members), { ...fitting, maxZoom: lastZoom })
  }

  const draw = () => {
    const found = clusters(places, map.getZoom())
    const isSame =
      found.length === shown.length && found.every((members, at) => sameMembers(members, shown[at].members))
    if (isSame) return
    const focused = shown.find(({ element }) => element === document.activeElement)
    for (const { marker } of shown) marker.remove()
    shown = found.map((members) => {
      const element = Object.assign(document.createElement('button'), { type: 'button', className: 'street-marker' })
      const isOne = members.length === 1
      element.textContent = String(isOne ? members[0].count : members.length)
      element.setAttribute('aria-label', isOne ? members[0].name : texts.together.replace('{count}', members.length))
      element.classList.toggle('many', !isOne)
      element.addEventListener('click', (event) => {
        event.stopPropagation()
        choose(members, element)
      })
      // The map follows keyboard focus from marker to marker.
      element.addEventListener('focus', () => {
        if (!map.getBounds().contains(members[0].at)) map.easeTo({ center: members[0].at })
      })
      const marker = new engine.Marker({ element }).setLngLat(members[0].at).addTo(map)
      return { members, element, marker }
    })
    if (focused) shown.find(({ members }) => members.includes(focused.members[0]))?.element.focus()
  }
  map.on('zoomend', draw)
  draw()
  return { open }
}

const sameMembers = (one, other) => one.length === other.length && one.every((place, at) => place === other[at])

/** Groups places that would overlap at a zoom. */
function clusters(places, zoom) {
  const size = worldPixels * 2 ** zoom
  const found = []
  for (const place of places) {
    const [longitude, latitude] = place.at
    const sine = Math.sin((latitude * Math.PI) / 180)
    const x = ((longitude + 180) / 360) * size
    const y = (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * size
    const near = found.find((one) => Math.hypot(one.x - x, one.y - y) < markerPixels)
    if (near) near.members.push(place)
    else found.push({ x, y, members: [place] })
  }
  return found.map(({ members }) => members)
}

export { showStreets }
