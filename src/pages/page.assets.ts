import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import { type Asset, assetOf, digestOf, once, sendAsset } from '../http/asset.ts'
import type { Headers } from '../http/headers.ts'
import { joinFiles, joinModules } from '../http/joined.ts'
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
const lasting: Headers = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'Cache-Control': 'public, max-age=31536000, immutable',
}

const ours = (file: string) => new URL(`assets/${file}`, import.meta.url)

/** Style sheets of what is shown of events wherever they stand: on pages and in pages of others. */
export const calendarStyles: readonly URL[] = [ours('tokens.css'), ours('calendar.css')]
/** The module of keys that lead from day to day. */
export const dayKeys = ours('day.keys.js')

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
    const { siteLogo, siteTheme } = config
    const files = {
      style: await keep('site', '.css', await joinFiles([...calendarStyles, ours('site.css')])),
      script: await keep('site', '.js', await joinModules([dayKeys, ours('site.js')])),
      theme: siteTheme === undefined ? undefined : await load('theme', siteTheme),
      logo: siteLogo === undefined ? undefined : await load('logo', siteLogo),
    }
    return { files, byName }
  })
}

/** Serves these files. */
export function servePageAssets(server: FastifyInstance, assets: () => Promise<PageAssets>): void {
  server.route({
    method: ['GET', 'HEAD'],
    url: '/assets/:name',
    handler: async (request, reply) => {
      const asset = (await assets()).byName.get((request.params as { readonly name: string }).name)
      if (asset) return sendAsset(request, reply, asset, lasting)
      reply.callNotFound()
      return reply
    },
  })
}
