import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { assertAllowed, mayUpload } from '../../access/auth/policy.ts'
import type { Deps } from '../../access/deps.ts'
import { pageHeaders, totalPages } from '../../access/http/paging.ts'
import { presentProblem } from '../../access/http/problem.present.ts'
import { wholeNumberIn } from '../../access/http/service.query.ts'
import { type AddRoute, type ServiceCall, serveNamespace } from '../../access/http/service.ts'
import type { Language } from '../../base/languages/language.ts'
import { fail, Problem } from '../../base/problems.ts'
import { presentAttachment, presentMedia } from './media.present.ts'
import {
  addPicture,
  changePicture,
  deletePicture,
  listReadableMedia,
  PictureRejected,
  readMedia,
} from './media.service.ts'
import { languageOf, readMediaPatch, readTextAlternatives } from './media.text.arguments.ts'
import type { MediaItem } from './media.ts'
import { receiveFile } from './media.upload.ts'
import { withTempFolder } from './temp.folder.ts'

type PresentMedia = (call: ServiceCall, media: MediaItem, language: Language) => object

const maxPerPage = 100
/** Where clients of the original interface find pictures. */
const original = 'wp/v2'

/** Pictures, in the service’s own namespace: adding, listing and removing them. */
export function mediaRoutes(add: AddRoute, namespace: string): void {
  addMediaRoutes(add, { namespace, present: presentMedia, isOpenToAll: false })
}

/**
 * The same at the address of the original interface, in the shape that its clients know, where the prefix is the
 * original one.
 */
export function serveAttachments(server: FastifyInstance, deps: Deps): void {
  if (deps.config.restPrefix !== '/wp-json') return
  const present = (problem: Problem, language: 'en' | 'fr') => presentProblem(problem, language).body
  serveNamespace(
    server,
    deps,
    original,
    (add) => addMediaRoutes(add, { namespace: original, present: presentAttachment, isOpenToAll: true }),
    present,
  )
}

/** How one namespace has pictures. */
interface MediaNamespace {
  readonly namespace: string
  readonly present: PresentMedia
  /** Whether everybody may read the pictures that published records show. */
  readonly isOpenToAll: boolean
}

function addMediaRoutes(add: AddRoute, { namespace, present, isOpenToAll }: MediaNamespace): void {
  const assertMayRead = ({ actor }: ServiceCall) => assertAllowed(actor, isOpenToAll || mayUpload(actor))
  const isOriginal = namespace === original
  add('POST', '/media', async (call, request, reply) => {
    // Before the body is read: it is large.
    assertAllowed(call.actor, mayUpload(call.actor))
    const media = await withTempFolder(async (folder) => {
      const { headers } = request
      if (!request.body) return fail('media-no-file')
      const received = await receiveFile(
        {
          body: request.body as Readable,
          contentType: headers['content-type'] ?? '',
          contentDisposition: headers['content-disposition'] ?? '',
        },
        folder,
      )
      const alternative = await readTextAlternatives(call, request, received.fields)
      return addPicture(call.deps, call.actor, { ...received, alternative, url: undefined }).catch(rethrowAsProblem)
    })
    return reply
      .status(201)
      .header('Location', `${call.addresses.base}/${namespace}/media/${media.id}`)
      .send(present(call, media, languageOf(call, request)))
  })

  add('GET', '/media', async (call, request, reply) => {
    assertMayRead(call)
    const perPage = Math.min(wholeNumberIn(request, 'per_page') ?? 20, maxPerPage)
    const page = wholeNumberIn(request, 'page') ?? 1
    const { items, total } = await listReadableMedia(call.deps, call.actor, { page, perPage })
    const pages = String(totalPages(total, perPage))
    reply.headers({ ...pageHeaders(total, perPage), 'X-WP-Total': String(total), 'X-WP-TotalPages': pages })
    const language = languageOf(call, request)
    return items.map((media) => present(call, media, language))
  })

  add('GET', '/media/:id', async (call, request) => {
    assertMayRead(call)
    const media = await readMedia(call.deps, call.actor, mediaIdInPath(request))
    return present(call, media, languageOf(call, request))
  })

  // The original interface changes pictures by all three methods, and takes forms.
  for (const method of isOriginal ? (['POST', 'PUT', 'PATCH'] as const) : (['PATCH'] as const)) {
    add(method, '/media/:id', async (call, request) => {
      assertAllowed(call.actor, mayUpload(call.actor))
      const { language, ...patch } = await readMediaPatch(call, request, { takesForms: isOriginal })
      const { deps, actor } = call
      const media = await deps.storage.write((tx) =>
        changePicture({ tx, actor, now: deps.now }, mediaIdInPath(request), patch),
      )
      return present(call, media, language)
    })
  }

  add('DELETE', '/media/:id', async (call, request) => {
    const { force } = request.query as { readonly force?: unknown }
    const isForced = force === 'true' || force === '1'
    const media = await deletePicture(call, mediaIdInPath(request), { isForced })
    return { deleted: true, previous: present(call, media, languageOf(call, request)) }
  })
}

/** A file that is no picture is told with what is wrong with it. */
function rethrowAsProblem(error: unknown): never {
  if (!(error instanceof PictureRejected)) throw error
  throw new Problem('media-refused', { faults: { file: error.fault } })
}

function mediaIdInPath(request: FastifyRequest): number {
  const { id } = request.params as { readonly id: string }
  return /^\d{1,15}$/.test(id) ? Number(id) : fail('media-not-found')
}
