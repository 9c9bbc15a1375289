import { extname, resolve } from 'node:path'
import { colourStyle } from './colour.ts'
import { readableFile } from './file.faults.ts'
import { pathSetting, setting } from './setting.ts'
import { type StateConfig, stateSettings } from './states.ts'
import { booleanValue } from './values.ts'

const logoTypes = ['.svg', '.png', '.webp', '.avif', '.jpg', '.gif'] as const

/** The appearance and behaviour of the public pages. */
export interface PageConfig extends StateConfig {
  /** Whether the service has public pages. */
  readonly isServingPages: boolean
  /** The image file shown instead of the site name. */
  readonly siteLogo: string | undefined
  readonly siteColour: string | undefined
  /** The style sheet file loaded after the built-in one. */
  readonly siteTheme: string | undefined
  /** The source of map tiles; undefined: a built-in map that makes no outside requests. */
  readonly mapTileUrl: string | undefined
  /** The vector tile file from which the map shows streets (PMTiles). */
  readonly mapPmtiles: string | undefined
  readonly weekStart: 'sunday' | 'monday'
}

export const pageSettings = {
  ...stateSettings,
  isServingPages: setting('PAGES', 'true', booleanValue),
  siteLogo: pathSetting('SITE_LOGO', '', (text) => {
    if (text === '') return undefined
    if (!logoTypes.some((type) => type === extname(text).toLowerCase()))
      throw new Error(`a ${logoTypes.join(', ')} file`)
    return readableFile(text)
  }),
  siteColour: setting('SITE_COLOR', '', colourStyle),
  siteTheme: pathSetting('SITE_THEME', '', (text) => {
    if (text === '') return undefined
    if (extname(text) !== '.css') throw new Error('a .css file')
    return readableFile(text)
  }),
  mapTileUrl: setting('MAP_TILE_URL', '', tileUrl),
  mapPmtiles: pathSetting('MAP_PMTILES', '', (text) => {
    if (text === '') return undefined
    if (/^[a-z][a-z0-9+.-]+:/i.test(text)) throw new Error('the path of a file, not an address')
    return resolve(text)
  }),
  weekStart: setting('WEEK_START', 'sunday', (text) => {
    if (text !== 'sunday' && text !== 'monday') throw new Error('sunday or monday')
    return text
  }),
} as const

function tileUrl(text: string): string | undefined {
  if (text === '') return undefined
  const isAddress = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
  // The template becomes a source of the content security policy and must not end it.
  const isWhole = ['{z}', '{x}', '{y}'].every((part) => text.includes(part)) && !/[\s;,'"]/.test(text)
  if (!isAddress || !isWhole) throw new Error('an http or https address with {z}, {x} and {y}')
  return text
}
