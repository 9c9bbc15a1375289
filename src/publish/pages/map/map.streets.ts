import type { TileArchive } from '../../../storage/tiles/tile.ts'
import type { PageCall } from '../frame/page.ts'
import { type Html, html } from '../html.ts'
import { pathOf } from '../page.addresses.ts'
import { tilesPath } from './map.tiles.ts'

const openStreetMap = 'https://www.openstreetmap.org/copyright'

/**
 * Returns the container of the map that a script draws, with its settings and buttons. It is hidden without scripts. If
 * the script cannot draw the map, it hides the container and shows the alternative for pages without scripts.
 */
export function streetMap(call: PageCall, archive: TileArchive, count: number): Html {
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
