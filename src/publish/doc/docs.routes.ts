import { readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import type { Deps } from '../../access/deps.ts'
import { namespaceOf } from '../../access/http/addresses.ts'
import { type Asset, assetDigest, assetOf, once, sendAsset } from '../../access/http/answers/asset.ts'
import type { Headers } from '../../access/http/answers/headers.ts'
import { type PageSources, pageHeaders } from '../../access/http/answers/page.headers.ts'
import type { Namespace } from '../../access/http/namespace.ts'
import {
  otherTextLanguages,
  TEXT_LANGUAGE_PATHS,
  TEXT_LANGUAGES,
  type TextLanguage,
} from '../../base/languages/language.ts'
import { presentDocsPage } from './docs.page.ts'

/** An address of the reference: `path` precedes `/docs`. */
interface DocsLocation {
  readonly path: string
  readonly language: TextLanguage
  /** Path before the described namespaces. */
  readonly base: string
}

/** The described namespaces. Each has a document of its own, in one console. */
interface DocsNamespaces {
  readonly contract: Namespace
  readonly service: Namespace
}

/** The documents below `/docs`. */
const contractDocument = 'openapi.json'
const serviceDocument = 'service.json'

/** The console sets styles on its elements, and shows pictures and icons that it generates. */
const sources: PageSources = { styles: ["'unsafe-inline'"], images: ['data:', 'blob:'], fonts: ['data:'] }
/** Revalidated each time: the answer changes with the version and the configuration of the service. */
const revalidatedHeaders: Headers = { 'Cache-Control': 'no-cache' }
const immutableHeaders: Headers = { 'Cache-Control': 'public, max-age=31536000, immutable' }

/**
 * Serves the interactive reference in every language of texts (`/docs`, `/fr/docs`), with all its files, so that
 * browsers contact no other host. Methods other than GET and HEAD reach the interface, which has no such route.
 */
export function serveDocs(server: FastifyInstance, deps: Deps, namespaces: DocsNamespaces): void {
  const assets = once(loadDocsAssets)
  const safe = pageHeaders(deps.config, sources)
  for (const place of docsLocations(deps)) {
    const at = `${place.path}/docs`
    const documentOf = (namespace: Namespace) =>
      once(async () => {
        const { consoleDocument } = await import('./docs.document.ts')
        const api = `${publicPath(deps)}${place.base}/${namespace.name(deps.config)}`
        const text = await consoleDocument({ deps, language: place.language, namespace }, api)
        return assetOf('application/json; charset=utf-8', Buffer.from(text))
      })
    const page = once(async () => writePage(deps, place, await assets()))
    const safely = { ...safe, ...revalidatedHeaders }
    const get = (url: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) =>
      server.route({ method: ['GET', 'HEAD'], url, handler })

    get(at, async (request, reply) => sendAsset(request, reply, { asset: await page(), headers: safely }))
    get(`${at}/`, async (_request, reply) => reply.redirect('../docs', 308))
    for (const [name, document] of [
      [contractDocument, documentOf(namespaces.contract)],
      [serviceDocument, documentOf(namespaces.service)],
    ] as const) {
      get(`${at}/${name}`, async (request, reply) =>
        sendAsset(request, reply, { asset: await document(), headers: safely }),
      )
    }
    get(`${at}/:name`, async (request, reply) => {
      const asset = (await assets()).byName.get((request.params as { readonly name: string }).name)
      if (asset) return sendAsset(request, reply, { asset, headers: { ...safe, ...immutableHeaders } })
      reply.callNotFound()
      return reply
    })
  }
}

/** All languages, at the root and below the prefix. If both are one path, the one below the prefix counts. */
function docsLocations({ config }: Deps): readonly DocsLocation[] {
  const places = ['', config.restPrefix].flatMap((prefix) =>
    TEXT_LANGUAGES.map((language): DocsLocation => {
      const variant = TEXT_LANGUAGE_PATHS[language]
      return { path: `${prefix}${variant}`, language, base: `${config.restPrefix}${variant}` }
    }),
  )
  return [...new Map(places.map((place) => [place.path, place])).values()]
}

/** The path prefix that a reverse proxy removes. */
function publicPath({ config: { publicUrl } }: Deps): string {
  return publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '')
}

async function writePage(
  { config }: Deps,
  { path, language, base }: DocsLocation,
  names: { readonly script: string; readonly style: string; readonly access: string },
): Promise<Asset> {
  const root = TEXT_LANGUAGE_PATHS[language] === '' ? '' : '../'
  // The files are the same in all languages. They have one address, so that browsers cache them once.
  const files = `${root}docs`
  const html = presentDocsPage({
    language,
    siteName: config.siteName,
    otherLanguages: otherTextLanguages(language).map((other) => ({
      language: other,
      address: `${root}${`${TEXT_LANGUAGE_PATHS[other]}/docs`.slice(1)}`,
    })),
    document: `docs/${contractDocument}`,
    serviceDocument: `docs/${serviceDocument}`,
    index: posix.relative(`${path}/`, `${base}/${namespaceOf(config)}`),
    guides: config.isServingPages
      ? `${posix.relative(`${path}/`, `${TEXT_LANGUAGE_PATHS[language]}/docs/guides`)}/`
      : undefined,
    script: `${files}/${names.script}`,
    style: `${files}/${names.style}`,
    access: `${files}/${names.access}`,
  })
  return assetOf('text/html; charset=utf-8', Buffer.from(html))
}

/** The files of the page. The name of each contains a digest of its content. */
interface DocsAssets {
  readonly script: string
  readonly style: string
  readonly access: string
  readonly byName: ReadonlyMap<string, Asset>
}

/** Reads the script of the console, which takes a moment and some megabytes, and the style and the script around it. */
async function loadDocsAssets(): Promise<DocsAssets> {
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
