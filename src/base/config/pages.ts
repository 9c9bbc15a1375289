import { extname, resolve } from 'node:path'
import { colourStyle } from './colour.ts'
import { readableFile } from './file.faults.ts'
import { pathSetting, setting } from './setting.ts'
import { booleanValue, word } from './values.ts'

/** Where titles tell what happens to an event. */
const TITLE_PLACES = ['v1', 'feeds', 'pages'] as const
export type TitlePlace = (typeof TITLE_PLACES)[number]

const logoTypes = ['.svg', '.png', '.webp', '.avif', '.jpg', '.gif'] as const

export const pageSettings = {
  statusInTitles: setting('STATUS_IN_TITLES', 'v1,feeds,pages', (text): readonly TitlePlace[] => {
    const names = text.split(',').map((name) => name.trim())
    const places = names.filter((name) => name !== '')
    if (!places.every((name) => (TITLE_PLACES as readonly string[]).includes(name)))
      throw new Error(`empty, or some of ${TITLE_PLACES.join(',')}`)
    return places as readonly TitlePlace[]
  }),
  hasVirtualKeys: setting('VIRTUAL_KEYS', 'used', (text) => word('used', 'always')(text) === 'always'),
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
  weekStart: setting('WEEK_START', 'sunday', word('sunday', 'monday')),
} as const

function tileUrl(text: string): string | undefined {
  if (text === '') return undefined
  const isAddress = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
  // The template becomes a source of the content security policy and must not end it.
  const isWhole = ['{z}', '{x}', '{y}'].every((part) => text.includes(part)) && !/[\s;,'"]/.test(text)
  if (!isAddress || !isWhole) throw new Error('an http or https address with {z}, {x} and {y}')
  return text
}
