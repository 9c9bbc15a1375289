import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isSameOrigin } from '../../access/auth/request.credentials.ts'
import type { Deps } from '../../access/deps.ts'
import { addressesOf } from '../../access/http/addresses.ts'
import { assetDigest, assetOf, once, sendAsset } from '../../access/http/answers/asset.ts'
import { bundleModules, bundleStyles } from '../../access/http/answers/bundle.ts'
import type { Headers } from '../../access/http/answers/headers.ts'
import { pageHeaders } from '../../access/http/answers/page.headers.ts'
import { siteOfRequest } from '../../access/http/site.ts'
import {
  DEFAULT_TEXT_LANGUAGE,
  TEXT_LANGUAGE_CODES,
  TEXT_LANGUAGE_PATHS,
  type TextLanguage,
} from '../../base/languages/language.ts'
import { clientAddress, clientNetworkOf } from '../../base/limits/client.ts'
import { updateRequestTrace } from '../../base/monitoring/request.trace.ts'
import { withTempFolder } from '../../calendar/media/temp.folder.ts'
import { listFailingSubscriptions } from '../../exchange/calendars/subscription.service.ts'
import { presentEventPreview } from '../../publish/pages/event/event.preview.ts'
import type { PageFiles } from '../../publish/pages/frame/page.ts'
import { createDeskApi } from '../api/desk.api.ts'
import { readRichBundle } from '../rich/rich.bundle.ts'
import {
  type DeskAnswer,
  type DeskCall,
  type DeskFiles,
  type DeskForm,
  type DeskScript,
  deskScripts,
  formOf,
  hasTooManyFields,
  linkTo,
  sayIn,
} from '../shell/desk.call.ts'
import { presentDeskPage } from '../shell/layout.ts'
import { answerDesk, type Made } from './desk.answers.ts'
import { FormTooLong, FormUnreadable, readFormWithFile } from './desk.upload.ts'
import { noteOpened } from './opened.events.ts'
import { failurePage, tooLongPage, unreadablePage } from './problem.pages.ts'

/** Smaller than the limit of the server, so that the fields fit into the sign-in page if the session has ended. */
const maxFormBytes = 512 * 1024

const rowStop = '../shell/assets/row.stop.js'
const touchDrag = '../shell/assets/touch.drag.js'

/** The modules of each script, each after those that it imports. */
const scriptModules: Readonly<Record<Exclude<DeskScript, 'rich'>, readonly string[]>> = {
  editor: [
    ...['../events/assets/choices.js', '../events/assets/editor.js', '../events/assets/editor.checks.js'],
    '../events/assets/editor.repeat.js',
  ],
  picture: ['../shell/assets/picture.js'],
  tree: [touchDrag, '../records/assets/tree.js'],
  calendar: [
    ...[touchDrag, '../calendar/assets/local.times.js', '../calendar/assets/week.grid.js'],
    '../calendar/assets/calendar.js',
  ],
  importer: ['../imports/assets/importer.js'],
  rows: ['../rows/assets/rows.js'],
  shortcuts: [rowStop, '../../publish/pages/assets/menus.js', '../shell/assets/shortcuts.js'],
  find: ['../shell/assets/find.js'],
  arrival: [rowStop, '../shell/assets/arrival.js'],
}

/** Returns the code of a script. The visual editor is bundled by `npm run bundle`. */
async function scriptBytes(script: DeskScript) {
  if (script === 'rich') return readRichBundle()
  return bundleModules(scriptModules[script].map((file) => new URL(file, import.meta.url)))
}

const immutableHeaders: Headers = {
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'public, max-age=31536000, immutable',
}

const styles = [
  ...[
    '../shell/assets/desk.css',
    '../shell/assets/shortcuts.css',
    '../rich/assets/rich.css',
    '../events/assets/editor.css',
    '../events/assets/repeat.css',
    '../calendar/assets/calendar.css',
  ],
  ...['../rows/assets/rows.css', '../pictures/assets/pictures.css'],
].map((file) => new URL(file, import.meta.url))

/** What the desk needs from the server. */
export interface DeskOptions {
  readonly files: () => Promise<PageFiles>
  readonly report: (error: unknown) => void
}

/** Answers the requests of editors. */
export interface Desk {
  sendAsset(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
  answer(request: FastifyRequest, reply: FastifyReply, textLanguage: TextLanguage): Promise<FastifyReply>
  /** Leads from `/admin` to the first page. */
  redirect(request: FastifyRequest, reply: FastifyReply, textLanguage: TextLanguage): Promise<FastifyReply>
}

/** Returns the desk in all languages of texts. Its styles and scripts are bundled with the first request. */
export function createDesk(server: FastifyInstance, deps: Deps, { files, report }: DeskOptions): Desk {
  const { config } = deps
  const assets = once(async () => {
    const style = await bundleStyles(styles)
    const scripts = await Promise.all(
      deskScripts.map(async (script) => {
        const bytes = await scriptBytes(script)
        return [script, `${script}-${assetDigest(bytes)}.js`, assetOf('text/javascript; charset=utf-8', bytes)] as const
      }),
    )
    const styleName = `desk-${assetDigest(style)}.css`
    return {
      byName: new Map([
        [styleName, assetOf('text/css; charset=utf-8', style)],
        ...scripts.map(([, name, asset]) => [name, asset] as const),
      ]),
      desk: `/admin/assets/${styleName}`,
      scripts: Object.fromEntries(
        scripts.map(([script, name]) => [script, `/admin/assets/${name}`]),
      ) as DeskFiles['scripts'],
    }
  })
  const callFor = async (request: FastifyRequest, textLanguage: TextLanguage): Promise<DeskCall> => {
    const target = request.raw.url ?? '/'
    const [sent = '/', ...search] = target.split('?')
    const pageFiles = await files()
    const { desk, scripts } = await assets()
    const addresses = addressesOf(config, siteOfRequest(config, request), textLanguage)
    return {
      config,
      api: createDeskApi(server, config, { request: request.raw, textLanguage }),
      addresses,
      textLanguage,
      path: sent.slice(TEXT_LANGUAGE_PATHS[textLanguage].length),
      query: new URLSearchParams(search.join('?').replace(/%00/g, '')),
      files: { ...pageFiles, desk, scripts },
      now: deps.now(),
      cookie: request.headers.cookie ?? '',
      me: undefined,
      showPublicly: (id, banner) =>
        presentEventPreview({ deps, addresses, textLanguage, files: pageFiles, banner }, id),
      failingSubscriptions: () => listFailingSubscriptions(deps),
      noteOpened: (id, user) => noteOpened(deps, id, user),
      say: sayIn(textLanguage),
    }
  }
  const answer = async (call: DeskCall, request: FastifyRequest, form: DeskForm | undefined): Promise<Made> => {
    const isOwnPage = isSameOrigin({ headers: request.headers, site: call.addresses.site })
    return answerDesk(call, { form, isOwnPage })
  }
  const answerForm = async (call: DeskCall, request: FastifyRequest): Promise<Made> => {
    if (!(request.body instanceof Readable)) {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      if (body.length > maxFormBytes || hasTooManyFields(body)) throw new FormTooLong()
      return answer(call, request, formOf(body.toString('utf8')))
    }
    const sent = {
      body: request.body,
      contentType: request.headers['content-type'] ?? '',
      maxBytes: maxFormBytes,
      limits: deps.limits,
      client: clientNetworkOf(clientAddress(config, request.raw)),
    }
    // Without a session, no picture is stored.
    const { status } = await call.api.service({ path: '/session' })
    if (status !== 200) return answer(call, request, await readFormWithFile({ ...sent, folder: undefined }))
    return withTempFolder(async (folder) => answer(call, request, await readFormWithFile({ ...sent, folder })))
  }
  return {
    sendAsset: async (request, reply) => {
      const asset = (await assets()).byName.get((request.params as { readonly name: string }).name)
      if (asset) return sendAsset(request, reply, { asset, headers: immutableHeaders })
      reply.callNotFound()
      return reply
    },
    answer: async (request, reply, textLanguage) => {
      const call = await callFor(request, textLanguage)
      try {
        const made = await (request.method === 'POST' ? answerForm(call, request) : answer(call, request, undefined))
        return send(made.call, made.answer, reply)
      } catch (error) {
        // The rest of an unread body would be parsed as the next request.
        if (!request.raw.readableEnded) reply.header('Connection', 'close')
        if (error instanceof FormTooLong) return send(call, tooLongPage(call, maxFormBytes / 1024), reply)
        if (error instanceof FormUnreadable) return send(call, unreadablePage(call), reply)
        return send(call, failurePage(call, error, report), reply)
      }
    },
    redirect: async (request, reply, textLanguage) => {
      const call = await callFor(request, textLanguage)
      return reply.headers(deskHeaders(call)).redirect(linkTo(call, '/admin/'), 308)
    },
  }
}

/**
 * Returns the headers of all pages of the desk: they may not be stored, framed or indexed. Their addresses are not sent
 * to other sites, because a link to choose a password is an address.
 */
function deskHeaders({ config, textLanguage }: Pick<DeskCall, 'config' | 'textLanguage'>): Headers {
  return {
    ...pageHeaders(config, { images: ['data:', 'blob:'] }),
    'Cache-Control': 'no-store',
    'X-Robots-Tag': 'noindex, nofollow',
    'Referrer-Policy': 'same-origin',
    'Content-Language': TEXT_LANGUAGE_CODES[textLanguage],
    Vary: 'Cookie',
  }
}

function send(call: DeskCall, answer: DeskAnswer, reply: FastifyReply): FastifyReply {
  updateRequestTrace({ problem: undefined })
  const cookie = 'cookie' in answer && answer.cookie !== undefined ? { 'Set-Cookie': answer.cookie } : {}
  const headers: Headers = { ...deskHeaders(call), ...cookie }
  if (answer.kind === 'page') {
    // Nothing that a script of the desk writes may become code (Trusted Types).
    const policy = `${headers['Content-Security-Policy']}; require-trusted-types-for 'script'; trusted-types 'none'`
    const wait = answer.retryAfter === undefined ? {} : { 'Retry-After': answer.retryAfter }
    return reply
      .status(answer.status ?? 200)
      .headers({ ...headers, 'Content-Security-Policy': policy, ...wait })
      .type('text/html; charset=utf-8')
      .send(presentDeskPage(call, answer))
  }
  if (answer.kind === 'data') return reply.status(answer.status).headers(headers).send(answer.json)
  if (answer.kind === 'document')
    return reply.status(200).headers(headers).type('text/html; charset=utf-8').send(answer.html)
  const path =
    answer.kind === 'see' ? linkTo(call, answer.path, answer.language) : linkTo(call, answer.to, DEFAULT_TEXT_LANGUAGE)
  return reply
    .status(303)
    .headers({ ...headers, Location: path })
    .send('')
}
