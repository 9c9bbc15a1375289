// The map with streets, drawn by MapLibre GL JS from tiles that come from here. The list below it says all that it shows.

import { mapColours, streetStyle } from './streets.style.js'

/** How far markers are from each other: each is 44 pixels wide (WCAG 2.5.5). */
const markerPixels = 48
const placeZoom = 16
const lastZoom = 19
/** Pixels of the Earth at zoom 0, as MapLibre counts zooms. */
const worldPixels = 512
const schemes = ['(prefers-color-scheme: dark)', '(forced-colors: active)', '(prefers-contrast: more)']

/** Draws the map in its place on the page, or hides that where it cannot be drawn. */
async function showStreets(frame) {
  const settings = JSON.parse(frame.dataset.settings)
  if (!canDraw()) {
    frame.hidden = true
    return
  }
  const [engine] = await Promise.all([import(settings.engine), loadStyle(settings.style)])
  // Another page may have come in its place meanwhile.
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
    // Before ours, which say in part otherwise.
    document.querySelector('link[rel="stylesheet"]').before(link)
  })
}

/** A place as the list says it. */
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
    // Zooms of addresses are those of tiles of 256 pixels.
    ...(isViewed ? { center: [longitude, latitude], zoom: Number(z) - 1 } : { bounds, fitBoundsOptions: fitting }),
    ...{ minZoom: Math.max(0, minZoom), maxZoom: lastZoom, maxPitch: 0, renderWorldCopies: false, fadeDuration: 0 },
    ...{ attributionControl: false, dragRotate: false, touchPitch: false, pitchWithRotate: false },
    // Whoever scrolls the page with a finger or a wheel goes on scrolling it.
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

/** Light, dark or the colours that somebody has chosen: the map is as the page is. */
function followColours(map, frame, settings) {
  const stopping = new AbortController()
  for (const scheme of schemes) {
    matchMedia(scheme).addEventListener('change', () => map.setStyle(styleOf(frame, settings)), stopping)
  }
  map.once('remove', () => stopping.abort())
}

/** A map that is no longer on the page gives back what it holds of the graphics card. */
function keepClean(map, frame) {
  const watching = new MutationObserver(() => {
    if (frame.isConnected) return
    watching.disconnect()
    map.remove()
  })
  watching.observe(document.querySelector('main'), { childList: true, subtree: true })
}

/** A part of the list as a popup says it: without buttons, its heading below that of the page. */
function inPopup(part) {
  if (part.localName === 'button') return []
  if (part.localName !== 'h3') return [part.cloneNode(true)]
  const heading = document.createElement('h2')
  heading.append(...part.cloneNode(true).childNodes)
  return [heading]
}

/** Buttons where places are, one for several that are close together, in the order of the list. */
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
      // Whoever went on to something else stays there.
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
      // Whoever goes from one to the next by the keyboard sees where that is.
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

/** Places that would cover each other at a zoom, together. */
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
