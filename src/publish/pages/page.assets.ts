import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type Asset, assetOf, digestOf, once, sendAsset } from '../../access/http/asset.ts'
import type { Headers } from '../../access/http/headers.ts'
import { joinFiles, joinModules } from '../../access/http/joined.ts'
import type { Config } from '../../base/config/config.ts'
import { dateRulesByTag } from '../../base/languages/date.writers.ts'
import type { PageFiles } from './page.ts'

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

/** A name never gets another content. Whatever a file holds, it runs nothing of its own when it is opened alone. */
const immutableHeaders: Headers = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'Cache-Control': 'public, max-age=31536000, immutable',
}

/**
 * A worker that draws the map reads tiles from here. The policy of a page does not hold for it: that of its own file does.
 */
const workerHeaders: Headers = {
  ...immutableHeaders,
  'Content-Security-Policy': "default-src 'none'; connect-src 'self'",
}
const workerName = 'streets-worker'

const ours = (file: string) => new URL(`assets/${file}`, import.meta.url)

/** Style sheets of what is shown of events wherever they stand: on pages and on other sites. */
export const calendarStyles: readonly URL[] = ['tokens.css', 'calendar.css', 'month.css', 'cards.css'].map(ours)
/** Modules of months: where events are shown, and the keys that lead from day to day. */
export const monthModules: readonly URL[] = [ours('month.places.js'), ours('day.keys.js')]
/** The module of keys alone: pages come with their events in place. */
const dayKeys = ours('day.keys.js')

/** The module that writes dates. */
export const dateWords = new URL('../../base/languages/dates.js', import.meta.url)

/** The rules for dates, for `site.js`. */
const dateRules = Buffer.from(`const dateRules = ${JSON.stringify(dateRulesByTag())}\n`)

interface PageAssets {
  readonly files: PageFiles
  readonly byName: ReadonlyMap<string, Asset>
}

/** What reads the files of pages, once. */
export function pageAssets(config: Config): () => Promise<PageAssets> {
  return once(async () => {
    const byName = new Map<string, Asset>()
    const keep = async (name: string, extension: string, bytes: Buffer) => {
      const named = `${name}-${digestOf(bytes)}${extension}`
      byName.set(named, assetOf(types[extension] ?? 'application/octet-stream', bytes))
      return `/assets/${named}`
    }
    const load = async (name: string, file: string) => keep(name, extname(file).toLowerCase(), await readFile(file))
    const { siteLogo, siteTheme, mapPmtiles } = config
    const files = {
      style: await keep(
        'site',
        '.css',
        await joinFiles([...calendarStyles, ...['site.css', 'lists.css', 'event.css'].map(ours)]),
      ),
      script: await keep(
        'site',
        '.js',
        Buffer.concat([dateRules, await joinModules([dateWords, dayKeys, ours('site.js')])]),
      ),
      theme: siteTheme === undefined ? undefined : await load('theme', siteTheme),
      logo: siteLogo === undefined ? undefined : await load('logo', siteLogo),
    }
    const streets = mapPmtiles === undefined ? undefined : await keepStreets(keep)
    return { files: { ...files, streets }, byName }
  })
}

/** What draws the map with streets: MapLibre GL JS as its package has it, and what is ours around it. */
async function keepStreets(keep: (name: string, extension: string, bytes: Buffer) => Promise<string>) {
  const packed = async (file: string) => {
    const text = await readFile(new URL(import.meta.resolve(`maplibre-gl/dist/${file}`)), 'utf8')
    // It names a file that is not served.
    return Buffer.from(text.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n'))
  }
  return {
    script: await keep('streets', '.js', await joinModules([ours('streets.style.js'), ours('streets.js')])),
    engine: await keep('streets-engine', '.js', await packed('maplibre-gl.mjs')),
    worker: await keep(workerName, '.js', await packed('maplibre-gl-worker.mjs')),
    style: await keep('streets-engine', '.css', await packed('maplibre-gl.css')),
  }
}

/** Serves these files. */
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
