import { readFile } from 'node:fs/promises'
import { fastify } from 'fastify'
import { type Asset, assetDigest, assetOf } from '../../access/http/answers/asset.ts'

/** The files of the page. The name of each contains a digest of its content. */
export interface DocsAssets {
  readonly script: string
  readonly style: string
  readonly access: string
  readonly byName: ReadonlyMap<string, Asset>
}

/** Reads the script of the console, which takes a moment and some megabytes, and the style and the script around it. */
export async function loadDocsAssets(): Promise<DocsAssets> {
  const own = (file: string) => readFile(new URL(file, import.meta.url))
  const [script, style, access] = await Promise.all([readConsole(), own('docs.css'), own('docs.access.js')])
  const names = {
    script: `console-${assetDigest(script)}.js`,
    style: `page-${assetDigest(style)}.css`,
    access: `access-${assetDigest(access)}.js`,
  }
  return {
    ...names,
    byName: new Map([
      [names.script, assetOf('text/javascript; charset=utf-8', script)],
      [names.access, assetOf('text/javascript; charset=utf-8', access)],
      [names.style, assetOf('text/css; charset=utf-8', style)],
    ]),
  }
}

/**
 * The package exports its script only through routes of its own, whose page needs inline scripts. So the script is
 * requested from them once.
 */
async function readConsole(): Promise<Buffer> {
  const { default: consoleRoutes } = await import('@scalar/fastify-api-reference')
  const server = fastify()
  await server.register(consoleRoutes, { routePrefix: '/console', configuration: { url: 'unused' } })
  const { statusCode, rawPayload } = await server.inject('/console/js/scalar.js')
  await server.close()
  if (statusCode !== 200) throw new Error(`The console’s package answered its script with ${statusCode}.`)
  return rawPayload
}
