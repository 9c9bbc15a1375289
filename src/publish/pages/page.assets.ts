import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type Asset, assetDigest, assetOf, once, sendAsset } from '../../access/http/answers/asset.ts'
import { bundleModules, concatenateFiles } from '../../access/http/answers/bundle.ts'
import type { Headers } from '../../access/http/answers/headers.ts'
import type { Config } from '../../base/config/config.ts'
import { dateRulesByTag } from '../../base/languages/date.writers.ts'
import type { PageFiles } from './frame/page.ts'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.jpg': 'image/jpeg',
  '.gif': 'image/gif',
}

/** The content of an asset name never changes. The policy blocks all scripts if a file is opened directly. */
const immutableHeaders: Headers = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'Cache-Control': 'public, max-age=31536000, immutable',
}

/**
 * The worker that draws the map reads tiles from this site. The policy of its own file applies, not that of the page.
 */
const workerHeaders: Headers = {
  ...immutableHeaders,
  'Content-Security-Policy': "default-src 'none'; connect-src 'self'",
}
const workerName = 'streets-worker'

const ours = (file: string) => new URL(`assets/${file}`, import.meta.url)

/** Style sheets of calendars, used on pages and on other sites. */
export const calendarStyles: readonly URL[] = ['tokens.css', 'calendar.css', 'month.css', 'cards.css'].map(ours)
/** Modules of month views: the placement of events, and the keys that move from day to day. */
export const monthModules: readonly URL[] = [ours('month.places.js'), ours('day.keys.js')]
/** The module of the keys alone. Pages need no placement, because the server has placed their events. */
const dayKeys = ours('day.keys.js')

export const dateWords = new URL('../../base/languages/dates.js', import.meta.url)

/** The date rules for `site.js`. */
const dateRules = Buffer.from(`const dateRules = ${JSON.stringify(dateRulesByTag())}\n`)

interface PageAssets {
  readonly files: PageFiles
  readonly byName: ReadonlyMap<string, Asset>
}

/** Returns a function that reads the files of pages once. */
export function pageAssets(config: Config): () => Promise<PageAssets> {
  return once(async () => {
    const byName = new Map<string, Asset>()
    const keep = async (name: string, extension: string, bytes: Buffer) => {
      const named = `${name}-${assetDigest(bytes)}${extension}`
      byName.set(named, assetOf(types[extension] ?? 'application/octet-stream', bytes))
      return `/assets/${named}`
    }
    const load = async (name: string, file: string) => keep(name, extname(file).toLowerCase(), await readFile(file))
    const { siteLogo, siteColour, siteTheme, mapPmtiles } = config
    const files = {
      style: await keep(
        'site',
        '.css',
        Buffer.concat([
          await concatenateFiles(calendarStyles),
          Buffer.from(siteColour ?? ''),
          await concatenateFiles(['site.css', 'lists.css', 'event.css', 'guides.css'].map(ours)),
        ]),
      ),
      script: await keep(
        'site',
        '.js',
        Buffer.concat([dateRules, await bundleModules([dateWords, dayKeys, ours('menus.js'), ours('site.js')])]),
      ),
      theme: siteTheme === undefined ? undefined : await load('theme', siteTheme),
      logo: siteLogo === undefined ? undefined : await load('logo', siteLogo),
    }
    const streets = mapPmtiles === undefined ? undefined : await keepStreets(keep)
    return { files: { ...files, streets }, byName }
  })
}

/** Adds the files of the street map: MapLibre GL JS from its package, and our modules around it. */
async function keepStreets(keep: (name: string, extension: string, bytes: Buffer) => Promise<string>) {
  const packed = async (file: string) => {
    const text = await readFile(new URL(import.meta.resolve(`maplibre-gl/dist/${file}`)), 'utf8')
    // The comment names a source map that is not served.
    return Buffer.from(text.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n'))
  }
  return {
    script: await keep('streets', '.js', await bundleModules([ours('streets.style.js'), ours('streets.js')])),
    engine: await keep('streets-engine', '.js', await packed('maplibre-gl.mjs')),
    worker: await keep(workerName, '.js', await packed('maplibre-gl-worker.mjs')),
    style: await keep('streets-engine', '.css', await packed('maplibre-gl.css')),
  }
}

/** Serves the assets of pages. */
export function servePageAssets(server: FastifyInstance, assets: () => Promise<PageAssets>): void {
  server.route({
    method: ['GET', 'HEAD'],
    url: '/assets/:name',
    handler: async (request, reply) => {
      const { name } = request.params as { readonly name: string }
      const asset = (await assets()).byName.get(name)
      const headers = name.startsWith(workerName) ? workerHeaders : immutableHeaders
      if (asset) return sendAsset(request, reply, { asset, headers })
      reply.callNotFound()
      return reply
    },
  })
}
