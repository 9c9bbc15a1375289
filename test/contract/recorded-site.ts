import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Role } from '../../src/access/auth/actor.ts'
import { createUser } from '../../src/access/auth/user.service.ts'
import type { Deps } from '../../src/access/deps.ts'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/base/config/config.ts'
import { openDeps } from '../../src/main.ts'
import {
  isObject,
  namespace,
  type RecordedRequest,
  type RecordedResponse,
  type SiteAnswer,
  site,
} from './recorded-answer.ts'

type Sent = Readonly<Record<string, unknown>>

/** The service in the state of the recorded site: the users in that order, the clock at that time. */
export interface RecordedSite {
  readonly deps: Deps
  send(request: RecordedRequest): Promise<SiteAnswer>
  /** Creates a record or term through the interface and returns it. */
  given(path: string, json: Sent, as?: string): Promise<Sent>
  changed(path: string, json: Sent, as?: string): Promise<Sent>
  /** Makes the next record (event, venue, organizer) or term get this id, with fillers that no list shows. */
  reach(kind: 'record' | 'term', id: number): Promise<void>
  /** Does the same for the record that this recorded answer created. */
  reachIdsOf(expected: RecordedResponse): Promise<void>
}

/** The recordings were made within an hour of this moment. */
const recordedAt = Date.UTC(2026, 10, 21, 0, 46) / 1000
/** In the order of their ids, from 1. */
const roles: Readonly<Record<string, Role>> = {
  admin: 'administrator',
  editor: 'editor',
  author: 'author',
  contributor: 'contributor',
  subscriber: 'subscriber',
}
const secretOf = (user: string) => `abcd1234ABCD5678wxyz${user.slice(0, 4)}`

export async function startRecordedSite(t: Pick<TestContext, 'after'>, zone: string): Promise<RecordedSite> {
  const folder = await mkdtemp(join(tmpdir(), 'cal-events-recorded-'))
  const config = readConfig({ DATA_DIR: folder, SITE_TIMEZONE: zone, LOG_LEVEL: 'silent' })
  const deps = await openDeps(config, { isDurable: false, now: () => recordedAt })
  const server = createApp(deps)
  t.after(async () => {
    await server.close()
    await deps.storage.close()
    await rm(folder, { recursive: true })
  })
  for (const [name, role] of Object.entries(roles)) {
    await createUser(deps, { name, role, email: `${name}@example.org`, secret: secretOf(name) })
  }
  const send = async (request: RecordedRequest): Promise<SiteAnswer> => {
    const { payload, type } = payloadOf(request)
    const response = await server.inject({
      method: request.method as 'GET',
      url: request.path.replaceAll(' ', '%20').replaceAll('"', '%22'),
      headers: {
        host: new URL(site).host,
        ...(request.as === undefined ? {} : { authorization: `Basic ${btoa(credentialsOf(request.as))}` }),
        ...(type === undefined ? {} : { 'content-type': type }),
        ...request.headers,
      },
      ...(payload === undefined ? {} : { payload }),
    })
    const isJson = String(response.headers['content-type']).startsWith('application/json') && response.body !== ''
    return {
      status: response.statusCode,
      headers: response.headers as SiteAnswer['headers'],
      body: isJson ? JSON.parse(response.body) : response.body,
      text: response.body,
    }
  }
  const written = async (method: string, path: string, json: Sent, as: string): Promise<Sent> => {
    const answer = await send({ method, path: namespace + path, json, as })
    if (answer.status > 201) throw new Error(`${method} ${path}: ${answer.text}`)
    return answer.body as Sent
  }
  const given = (path: string, json: Sent, as = 'admin') => written('POST', path, json, as)
  let lastTerm = 0
  const reach = async (kind: 'record' | 'term', id: number): Promise<void> => {
    const table = kind === 'record' ? 'records' : 'terms'
    const { last } = await deps.storage.db
      .selectFrom(table)
      .select(({ fn }) => fn.max('id').as('last'))
      .executeTakeFirstOrThrow()
    if (kind === 'term') lastTerm = Math.max(lastTerm, Number(last))
    for (let next = (kind === 'record' ? Number(last) : lastTerm) + 1; next < id; next++) {
      if (kind === 'record') await given('/organizers', { organizer: `Filler ${next}`, status: 'trash' })
      else {
        lastTerm = Number((await given('/tags', { name: `Filler ${next}` })).id)
        await send({ method: 'DELETE', path: `${namespace}/tags/${lastTerm}`, as: 'admin' })
      }
    }
  }
  return {
    deps,
    send,
    given,
    changed: (path, json, as = 'admin') => written('PATCH', path, json, as),
    reach,
    reachIdsOf: async ({ status, body, body_part }) => {
      if (status !== 201) return
      const shown = (body ?? body_part) as Sent
      const id = createdId(shown)
      if (id !== undefined) await reach('taxonomy' in shown ? 'term' : 'record', id)
    },
  }
}

/** The id of the created record; for an event with a new venue that of the venue, which is created first. */
function createdId({ id, venue, url }: Sent): number | undefined {
  const made = id ?? (isObject(venue) ? venue.id : /&p=(\d+)$/.exec(String(url))?.[1])
  return made === undefined ? undefined : Number(made)
}

function credentialsOf(as: string): string {
  const [user = ''] = as.split(/[ ,]/)
  if (as.includes('bad credentials')) return `${user}:wrongwrongwrongwrongwron`
  if (as.includes('six groups')) return `${user}:${secretOf(user).replace(/.{4}/g, '$& ')}`
  return `${user}:${secretOf(user)}`
}

function payloadOf({ json, form, raw, content_type }: RecordedRequest): {
  readonly payload?: string
  readonly type?: string
} {
  if (json !== undefined) return { payload: JSON.stringify(json), type: 'application/json' }
  if (raw !== undefined) return { payload: raw, type: content_type ?? 'application/json' }
  if (form === undefined) return {}
  const pairs = Object.entries(form).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((item): [string, string] => [name, String(item)]),
  )
  return { payload: new URLSearchParams(pairs).toString(), type: 'application/x-www-form-urlencoded' }
}
