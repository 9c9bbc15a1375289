import type { Actor } from '../../access/auth/actor.ts'
import { mayUpload } from '../../access/auth/policy.ts'
import { totalHeaders, totalPages } from '../../access/http/arguments/paging.ts'
import type { Call, Method } from '../../access/http/call.ts'
import { besideContractPolicy, type Namespace } from '../../access/http/namespace.ts'
import {
  type EndpointResult,
  endpoint,
  type LazySchema,
  openToAll,
  type Route,
  recordHeaders,
} from '../../access/http/route.ts'
import { addToRequest, writeOnce } from '../../access/idempotency/idempotency.ts'
import type { Language } from '../../base/languages/language.ts'
import { fail, Problem } from '../../base/problems.ts'
import { presentAttachment, presentMedia } from './media.present.ts'
import {
  addPicture,
  changePicture,
  deletePicture,
  editablePictureValidators,
  listReadableMedia,
  PictureRejected,
  readMedia,
  replayPicture,
} from './media.service.ts'
import {
  deletedMediaPath,
  languageOf,
  maxPerPage,
  mediaDeleteArguments,
  mediaListArguments,
  mediaPatchOf,
  mediaPath,
  mediaTextArguments,
  textAlternativesOf,
  uploadArguments,
} from './media.text.arguments.ts'
import type { MediaItem } from './media.ts'
import { digestOfFile, receiveFile } from './media.upload.ts'
import { withTempFolder } from './temp.folder.ts'

/** How one namespace represents pictures, and who may read them. */
interface MediaForm {
  readonly present: (call: MediaCall, media: MediaItem, language: Language) => object
  readonly schemas: { readonly one: LazySchema; readonly list: LazySchema; readonly removed: LazySchema }
  readonly isOpenTo: (actor: Actor) => boolean
  readonly changeMethods: readonly Method[]
}

type MediaCall = Pick<Call, 'deps' | 'addresses' | 'language' | 'textLanguage'>

const tag = 'Media'

/** Pictures, in the service’s own namespace: adding, listing and removing them. */
export const mediaRoutes: readonly Route[] = routesIn({
  present: presentMedia,
  schemas: {
    one: async () => (await import('./media.schema.ts')).MediaSchema,
    list: async () => (await import('./media.schema.ts')).MediaListSchema,
    removed: async () => (await import('./media.schema.ts')).RemovedMediaSchema,
  },
  isOpenTo: mayUpload,
  changeMethods: ['PATCH'],
})

/**
 * The same endpoints at the path of the original interface, in the shape that its clients expect: all three methods
 * change pictures, and forms are accepted. Everybody may read the pictures that published records show. They exist only
 * if the prefix is the original one.
 */
export const attachmentNamespace: Namespace = {
  name: () => 'wp/v2',
  isServed: ({ restPrefix }) => restPrefix === '/wp-json',
  policy: besideContractPolicy,
  routes: routesIn({
    present: presentAttachment,
    schemas: {
      one: async () => (await import('./media.schema.ts')).AttachmentSchema,
      list: async () => (await import('./media.schema.ts')).AttachmentListSchema,
      removed: async () => (await import('./media.schema.ts')).RemovedAttachmentSchema,
    },
    isOpenTo: openToAll,
    changeMethods: ['POST', 'PUT', 'PATCH'],
  }),
}

function routesIn(form: MediaForm): readonly Route[] {
  return [
    { path: '/media', tag, endpoints: [uploadEndpoint(form), listEndpoint(form)] },
    {
      path: '/media/{id}',
      tag,
      endpoints: [getEndpoint(form), changeEndpoint(form), deleteEndpoint(form)],
      validators: (db, { id }, { actor }) => editablePictureValidators(db, Number(id), actor),
    },
  ]
}

function uploadEndpoint(form: MediaForm) {
  return endpoint({
    methods: ['POST'],
    isRepeatable: true,
    operation: 'uploadMedia',
    summary: 'media.create',
    about: 'media.create.about',
    answer: { status: 201, schema: form.schemas.one, headers: ['Location', ...recordHeaders] },
    problems: ['rest_forbidden', 'media-no-file', 'media-refused', 'rest_request_too_large'],
    args: uploadArguments,
    hasLanguage: true,
    isUpload: true,
    isOpenTo: mayUpload,
    handle: async (call) => {
      const { upload, headers } = call
      const { media, language } = await withTempFolder(async (folder) => {
        if (!upload) return fail('media-no-file')
        const sent = {
          body: upload.body,
          contentType: headers['content-type'] ?? '',
          contentDisposition: headers['content-disposition'] ?? '',
        }
        const received = await call.deps.limits.inFlight.aside(() => receiveFile(sent, folder))
        const read = await upload.read(received.fields)
        const language = languageOf({ ...call, language: read.language })
        const alternative = textAlternativesOf(read.values, language)
        const { keyed } = call
        if (keyed) addToRequest(keyed, received.fileName, received.fields, await digestOfFile(received.localFile))
        const source = { ...received, alternative, url: undefined, keyed }
        return { media: await addPicture(call.deps, call.actor, source).catch(rethrowAsProblem), language }
      })
      return {
        status: 201,
        headers: { Location: `${call.addresses.base}/${call.namespace}/media/${media.id}` },
        body: form.present(call, media, language),
        version: media.version,
      }
    },
  })
}

function listEndpoint(form: MediaForm) {
  return endpoint({
    methods: ['GET'],
    operation: 'listMedia',
    summary: 'media.list',
    answer: {
      schema: form.schemas.list,
      headers: ['X-TEC-Total', 'X-TEC-TotalPages', 'X-WP-Total', 'X-WP-TotalPages'],
    },
    problems: ['rest_forbidden'],
    args: mediaListArguments,
    hasLanguage: true,
    isOpenTo: form.isOpenTo,
    handle: async (call) => {
      const { page = 1, per_page = 20 } = call.values
      const perPage = Math.min(per_page, maxPerPage)
      const { items, total } = await listReadableMedia(call.deps, call.actor, { page, perPage })
      const pages = String(totalPages(total, perPage))
      const language = languageOf(call)
      return {
        status: 200,
        headers: { ...totalHeaders(total, perPage), 'X-WP-Total': String(total), 'X-WP-TotalPages': pages },
        body: items.map((media) => form.present(call, media, language)),
      }
    },
  })
}

function getEndpoint(form: MediaForm) {
  return endpoint({
    methods: ['GET'],
    operation: 'getMedia',
    hasValidator: true,
    summary: 'media.get',
    answer: { schema: form.schemas.one, headers: recordHeaders },
    problems: ['rest_forbidden', 'media-not-found'],
    path: mediaPath,
    hasLanguage: true,
    isOpenTo: form.isOpenTo,
    handle: async (call) => {
      const id = call.path.id ?? fail('media-not-found')
      return answer(form, call, await readMedia(call.deps, call.actor, id))
    },
  })
}

function changeEndpoint(form: MediaForm) {
  return endpoint({
    methods: form.changeMethods,
    isRepeatable: true,
    operation: 'changeMedia',
    summary: 'media.change',
    about: 'media.change.about',
    answer: { schema: form.schemas.one, headers: recordHeaders },
    problems: ['rest_forbidden', 'rest_invalid_json', 'media-not-found'],
    path: mediaPath,
    args: mediaTextArguments,
    hasLanguage: true,
    isOpenTo: mayUpload,
    handle: async (call) => {
      const id = call.path.id ?? fail('media-not-found')
      const { actor, deps } = call
      const patch = mediaPatchOf(call.values, languageOf(call))
      const changed = await writeOnce(call, replayPicture, (tx) =>
        changePicture({ tx, actor, now: deps.now }, id, patch),
      )
      return answer(form, call, changed)
    },
  })
}

function deleteEndpoint(form: MediaForm) {
  return endpoint({
    methods: ['DELETE'],
    isRepeatable: true,
    operation: 'deleteMedia',
    summary: 'media.remove',
    about: 'media.remove.about',
    answer: { schema: form.schemas.removed },
    problems: ['rest_forbidden', 'media-not-found', 'media-in-use'],
    path: deletedMediaPath,
    args: mediaDeleteArguments,
    hasLanguage: true,
    isOpenTo: mayUpload,
    handle: async (call) => {
      const isForced = call.values.force ?? false
      const media = await deletePicture(call, call.path.id, { isForced })
      return { status: 200, body: { deleted: true, previous: form.present(call, media, languageOf(call)) } }
    },
  })
}

function answer({ present }: MediaForm, call: MediaCall, media: MediaItem): EndpointResult {
  return { status: 200, body: present(call, media, languageOf(call)), version: media.version }
}

/** The problem of a file that is not a picture says what is wrong with it. */
function rethrowAsProblem(error: unknown): never {
  if (!(error instanceof PictureRejected)) throw error
  throw new Problem('media-refused', { faults: { file: error.fault } })
}
