import type { UserId } from '../access/auth/actor.ts'
import { findRoute } from '../access/batch/operation.call.ts'
import type { Deps } from '../access/deps.ts'
import { parseForm } from '../access/http/arguments/parameters.ts'
import type { WireResponse } from '../access/http/wire.ts'
import { dispatch } from '../access/server/dispatch.ts'
import { answerRouted } from '../access/server/namespace.serving.ts'
import { apiOf, routes, service } from '../api.ts'
import { DEFAULT_TEXT_LANGUAGE } from '../base/languages/language.ts'
import { type SiteClient, SiteError } from '../exchange/pull/site.client.ts'
import { feedRoutesOf, type WholeCalendar } from '../publish/feeds/feed.routes.ts'

/** Requests of the calendar of this service, answered within this process as for an administrator. */
export interface OwnCalendar extends SiteClient {
  readonly site: URL
  readonly answer: (url: URL, onRead?: WholeCalendar['onRead']) => Promise<WireResponse>
}

/** As many events as a calendar can have. */
const maxPerPage = 1_000_000

export function ownCalendar(deps: Deps, userId: UserId): OwnCalendar {
  const { config, pictures } = deps
  const site = new URL(config.publicUrl ?? `http://${config.host}:${config.port}`)
  const prefix = `${config.restPrefix}/${service.name(config)}`
  const report = (error: unknown) => {
    throw error
  }
  const api = apiOf(deps, { files: () => Promise.reject(new Error('A command makes no pages.')), report })
  const caller = {
    actor: { kind: 'user', id: userId, role: 'administrator' },
    lastRevision: 0,
    limitHeaders: {},
  } as const
  const answer: OwnCalendar['answer'] = (url, onRead) => {
    const request = {
      ...{ method: 'GET', path: url.pathname, query: url.search.slice(1), headers: {}, body: undefined },
      ...{ site: site.origin, client: undefined, address: '', caller },
    }
    const path = url.pathname.startsWith(`${prefix}/`) ? url.pathname.slice(prefix.length) : undefined
    const found = path === undefined ? undefined : findRoute(service, { method: 'GET', path })
    const query = parseForm(request.query)
    if (found) {
      const read = { ...found, query, sent: async () => ({ parameters: query }) }
      return answerRouted({ deps, report, namespace: service, textLanguage: DEFAULT_TEXT_LANGUAGE }, request, read)
    }
    const feeds = onRead && feedRoutesOf({ maxPerPage, onRead })
    return dispatch(deps, { ...api, routes: feeds ?? routes }, request)
  }
  return {
    site,
    answer,
    get: async (url) => {
      const { status, headers, body } = await answer(url)
      const [, pages] = Object.entries(headers).find(([name]) => /^x-wp-totalpages$/i.test(name)) ?? []
      return { status, body: JSON.parse(String(body)), totalPages: Number(pages) > 0 ? Number(pages) : undefined }
    },
    download: async ({ href, pathname }) => {
      const file = await pictures.store.find(pathname.split('/').slice(-3).join('/'))
      if (!file) throw new SiteError(`${href}: the file is missing.`)
      return Buffer.concat(await (await file.read()).toArray())
    },
  }
}
