import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import { type Asset, assetOf, digestOf, once, sendAsset } from '../http/asset.ts'
import type { Headers } from '../http/headers.ts'
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

interface PageAssets {
  readonly files: PageFiles
  readonly byName: ReadonlyMap<string, Asset>
}

/** What reads the files of pages, once. */
export function pageAssets(config: Config): () => Promise<PageAssets> {
  return once(async () => {
    const byName = new Map<string, Asset>()
    const load = async (name: string, file: string | URL) => {
      const bytes = await readFile(file)
      const extension = extname(String(file)).toLowerCase()
      const named = `${name}-${digestOf(bytes)}${extension}`
      byName.set(named, await assetOf(types[extension] ?? 'application/octet-stream', bytes))
      return `/assets/${named}`
    }
    const ours = (file: string) => new URL(`assets/${file}`, import.meta.url)
    const { siteLogo, siteTheme } = config
    const files = {
      style: await load('site', ours('site.css')),
      script: await load('site', ours('site.js')),
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
