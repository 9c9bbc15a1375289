import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestAnswer, type TestApp, type TestRequest } from '../../../test/support/app.ts'
import { givenEvent, givenOrganizer, givenTerm, givenVenue, plainEvent } from '../../../test/support/given.ts'
import { form, picture } from '../../../test/support/pictures.ts'
import { givenRecording, tecEvent } from '../../../test/support/recording.ts'
import { givenBrowser, goodPassword, service, setOwnPassword } from '../../../test/support/signing.ts'
import { traceOf } from '../../../test/support/trace.ts'
import type { UserId } from '../../access/auth/actor.ts'
import { createLink } from '../../access/auth/link.service.ts'
import { type Endpoint, takesIdempotencyKey } from '../../access/http/route.ts'
import { service as ownNamespace, routes } from '../../api.ts'
import type { FetchDocument } from '../../base/outbound/outbound.ts'
import { isoUtc } from '../../base/time/wire.ts'

/** A write over HTTP, and the entry to expect. Without `id`, the id of the response is expected. */
interface Write {
  readonly request: TestRequest
  readonly id?: number | ((body: TestAnswer['body']) => number)
  readonly kind: string
  readonly action: string
  /** A function of the response if the values are not known before. */
  readonly changes?:
    | Readonly<Record<string, unknown>>
    | ((body: TestAnswer['body']) => Readonly<Record<string, unknown>>)
  /** Whether a whole record goes: the entry then has all its fields before, and nothing after. */
  readonly isRemoval?: boolean
  /** The user to expect in the entry; by default the administrator, who sends the request. */
  readonly user?: { readonly id: number | null; readonly name: string | null }
  /** The number of entries before it that the request also leaves. */
  readonly others?: number
}

/** @param word A unique title, which is also the slug. */
type Given = (app: TestApp, word: string) => Promise<Write>

const change = (before: unknown, after: unknown) => ({ before, after })

const trashed = (slug: string) => ({ status: change('publish', 'trash'), slug: change(slug, `${slug}__trashed`) })
const restored = (slug: string) => ({ status: change('trash', 'publish'), slug: change(`${slug}__trashed`, slug) })

/** No other event begins on this day. */
const canceledWhere = { from: '2030-03-01', to: '2030-03-01' }
const canceledDay = { start_date: '2030-03-01 10:00:00', end_date: '2030-03-01 11:00:00' }

async function trash(app: TestApp, path: string): Promise<void> {
  assert.equal((await app.send({ as: 'administrator', method: 'DELETE', path })).status, 200)
}

async function pictureRequest(): Promise<TestRequest> {
  return { method: 'POST', path: service('/media'), ...form(await picture(64, 48), 'hall.jpg') }
}

function directoryWrites(kind: 'venue' | 'organizer', plural: string, given: typeof givenVenue) {
  const tag = plural.charAt(0).toUpperCase() + plural.slice(1, -1)
  const changed = (word: string) => ({ phone: change('', '555'), title: change(word, `New ${word}`) })
  const json = (word: string) => ({ [kind]: `New ${word}`, phone: '555' })
  return {
    [`create${tag}`]: async (_app, word) => ({
      ...{ request: { method: 'POST', path: `/${plural}`, json: json(word) }, kind, action: 'create' },
    }),
    [`change${tag}`]: async (app, word) => {
      const { id } = await given(app, { [kind]: word })
      return {
        request: { method: 'PATCH', path: `/${plural}/${id}`, json: json(word) },
        kind,
        action: 'update',
        changes: changed(word),
      }
    },
    [`change${tag}BySlug`]: async (app, word) => {
      await given(app, { [kind]: word })
      const path = `/${plural}/by-slug/${word}`
      return { request: { method: 'PUT', path, json: json(word) }, kind, action: 'update', changes: changed(word) }
    },
    [`trash${tag}`]: async (app, word) => {
      const { id } = await given(app, { [kind]: word })
      const request = { method: 'DELETE', path: `/${plural}/${id}` } as const
      return { request, kind, action: 'trash', changes: trashed(word) }
    },
    [`trash${tag}BySlug`]: async (app, word) => {
      await given(app, { [kind]: word })
      const request = { method: 'DELETE', path: `/${plural}/by-slug/${word}` } as const
      return { request, kind, action: 'trash', changes: trashed(word) }
    },
    [`POST /${plural}/:id/merge`]: async (app, word) => {
      const [from, into] = [await given(app, { [kind]: word }), await given(app, { [kind]: `Other ${word}` })]
      const request = { method: 'POST', path: service(`/${plural}/${from.id}/merge`), json: { into: into.id } } as const
      return { request, id: from.id, kind, action: 'trash', changes: trashed(word) }
    },
    [`POST /${plural}/merge/:id/undo`]: async (app, word) => {
      const [from, into] = [await given(app, { [kind]: word }), await given(app, { [kind]: `Other ${word}` })]
      const merge = { method: 'POST', path: service(`/${plural}/${from.id}/merge`), json: { into: into.id } } as const
      const { body } = await app.send({ as: 'administrator', ...merge })
      const request = { method: 'POST', path: service(`/${plural}/merge/${body.undo.id}/undo`), json: {} } as const
      return { request, id: from.id, kind, action: 'restore', changes: restored(word) }
    },
    [`DELETE /trash/${plural}/:id`]: async (app, word) => {
      const { id } = await given(app, { [kind]: word })
      await trash(app, `/${plural}/${id}`)
      const request = { method: 'DELETE', path: service(`/trash/${plural}/${id}`) } as const
      return { request, id, kind, action: 'delete', isRemoval: true }
    },
    [`POST /${plural}/:id/restore`]: async (app, word) => {
      const { id } = await given(app, { [kind]: word })
      await trash(app, `/${plural}/${id}`)
      const request = { method: 'POST', path: service(`/${plural}/${id}/restore`) } as const
      return { request, kind, action: 'restore', changes: restored(word) }
    },
  } satisfies Readonly<Record<string, Given>>
}

function termWrites(kind: 'category' | 'tag', plural: 'categories' | 'tags') {
  const tag = kind === 'category' ? 'Category' : 'Tag'
  return {
    [`create${tag}`]: async (_app, word) => ({
      ...{ request: { method: 'POST', path: `/${plural}`, json: { name: word } }, kind, action: 'create' },
    }),
    [`change${tag}`]: async (app, word) => {
      const { id } = await givenTerm(app, plural, { name: word })
      const request = { method: 'PATCH', path: `/${plural}/${id}`, json: { name: `New ${word}` } } as const
      return { request, kind, action: 'update', changes: { name: change(word, `New ${word}`) } }
    },
    [`POST /${plural}/:id/merge`]: async (app, word) => {
      const [from, into] = [
        await givenTerm(app, plural, { name: word }),
        await givenTerm(app, plural, { name: `Other ${word}` }),
      ]
      const request = { method: 'POST', path: service(`/${plural}/${from.id}/merge`), json: { into: into.id } } as const
      const gone = { name: word, slug: word, description: '', parent: 0, language: 'en' }
      const changes = Object.fromEntries(Object.entries(gone).map(([field, value]) => [field, change(value, null)]))
      return { request, id: from.id, kind, action: 'delete', changes }
    },
    [`POST /${plural}/merge/:id/undo`]: async (app, word) => {
      const [from, into] = [
        await givenTerm(app, plural, { name: word }),
        await givenTerm(app, plural, { name: `Other ${word}` }),
      ]
      const merge = { method: 'POST', path: service(`/${plural}/${from.id}/merge`), json: { into: into.id } } as const
      const { body } = await app.send({ as: 'administrator', ...merge })
      const request = { method: 'POST', path: service(`/${plural}/merge/${body.undo.id}/undo`), json: {} } as const
      return { request, id: from.id, kind, action: 'create' }
    },
    [`delete${tag}`]: async (app, word) => {
      const { id } = await givenTerm(app, plural, { name: word })
      const gone = { name: word, slug: word, description: '', parent: 0, language: 'en' }
      return {
        ...{ request: { method: 'DELETE', path: `/${plural}/${id}` }, id, kind, action: 'delete' },
        changes: Object.fromEntries(Object.entries(gone).map(([field, value]) => [field, change(value, null)])),
      }
    },
  } satisfies Readonly<Record<string, Given>>
}

const longer = { title: 'Matinée', end_date: '2030-01-22 23:00:00', event_password: 'secret', featured: true }
const changedEvent = (word: string) => ({
  ...{ title: change(word, 'Matinée'), event_password: change(null, 'set'), featured: change(false, true) },
  end_date: change('2030-01-22 21:00:00', '2030-01-22 23:00:00'),
})

async function givenUser(app: TestApp, name: string) {
  const request = { method: 'POST', path: service('/users'), json: { name, role: 'author' } } as const
  const { status, text, body } = await app.send({ as: 'administrator', ...request })
  assert.equal(status, 201, text)
  const keys = await app.send({ as: 'administrator', path: service(`/users/${body.id}/keys`) })
  return { id: Number(body.id), key: Number(keys.body[0].id) }
}

const keysChanged = (before: readonly object[], after: readonly object[]) => ({
  application_passwords: change(before, after),
})
const administrator = { id: 5, name: 'administrator' }
const contributor = { id: 2, name: 'contributor' }
const editor = { id: 4, name: 'editor' }

/** Writes of users, keys and sessions. The test `passwords are never told of` looks for secrets in the entries. */
const accountWrites: Readonly<Record<string, Given>> = {
  'POST /users': async (_app, name) => ({
    request: { method: 'POST', path: service('/users'), json: { name, role: 'author' } },
    ...{ kind: 'user', action: 'create' },
  }),
  'PATCH /users/:user': async (app, name) => {
    const { id } = await givenUser(app, name)
    const request = { method: 'PATCH', path: service(`/users/${id}`), json: { role: 'editor' } } as const
    return { request, id, kind: 'user', action: 'update', changes: { role: change('author', 'editor') } }
  },
  'DELETE /users/:user': async (app, name) => {
    const { id, key } = await givenUser(app, name)
    const changes = {
      ...{ name: change(name, null), email: change('', null), role: change('author', null) },
      ...keysChanged([{ id: key, label: 'first' }], []),
    }
    return {
      request: { method: 'DELETE', path: service(`/users/${id}`) },
      ...{ id, kind: 'user', action: 'delete', changes },
    }
  },
  'PUT /users/:user/password': async (app, name) => {
    const { id } = await givenUser(app, name)
    const { headers } = await givenBrowser(app, 'administrator')
    const json = { password: goodPassword }
    const request = { method: 'PUT', path: service(`/users/${id}/password`), json, headers } as const
    return {
      // A browser session of the administrator, not the key.
      ...{ request, user: { ...administrator }, id, kind: 'user', action: 'update' },
      changes: { account_password: change(null, 'set') },
    }
  },
  'POST /batch': async (app, word) => {
    const { id } = await givenEvent(app, { title: word })
    const operations = [{ method: 'PATCH', path: `/events/${id}`, body: longer }]
    return {
      request: { method: 'POST', path: service('/batch'), json: { operations } },
      ...{ id, kind: 'event', action: 'update', changes: changedEvent(word) },
    }
  },
  'POST /events/cancel': async (app, word) => {
    const { id } = await givenEvent(app, { title: word, ...canceledDay })
    return {
      request: { method: 'POST', path: service('/events/cancel'), json: { where: canceledWhere, reason: 'Storm' } },
      // The entry of the request itself comes first.
      ...{ id, kind: 'event', action: 'update', others: 1 },
      changes: { event_status: change('scheduled', 'canceled'), event_status_reason: change('', 'Storm') },
    }
  },
  'POST /events/cancel/:id/undo': async (app, word) => {
    const { id } = await givenEvent(app, { title: word, ...canceledDay })
    const { body } = await app.send({
      ...{ as: 'administrator', method: 'POST', path: service('/events/cancel'), json: { where: canceledWhere } },
    })
    return {
      request: { method: 'POST', path: service(`/events/cancel/${body.undo.id}/undo`), json: {} },
      ...{ id, kind: 'event', action: 'update', others: 1 },
      changes: { event_status: change('canceled', 'scheduled') },
    }
  },
  'POST /users/:user/keys': async (app, name) => {
    const { id } = await givenUser(app, name)
    return {
      request: { method: 'POST', path: service(`/users/${id}/keys`), json: { label: 'import' } },
      ...{ id, kind: 'user', action: 'update' },
      changes: (key) => keysChanged([], [{ id: key.id, label: 'import' }]),
    }
  },
  'POST /users/:user/keys/:key/rotate': async (app, name) => {
    const { id, key } = await givenUser(app, name)
    const kept = [{ id: key, label: 'first' }]
    return {
      request: { method: 'POST', path: service(`/users/${id}/keys/${key}/rotate`), json: {} },
      ...{ id, kind: 'user', action: 'update', changes: keysChanged(kept, kept) },
    }
  },
  'DELETE /users/:user/keys/:key': async (app, name) => {
    const { id, key } = await givenUser(app, name)
    return {
      request: { method: 'DELETE', path: service(`/users/${id}/keys/${key}`) },
      ...{ id, kind: 'user', action: 'update', changes: keysChanged([{ id: key, label: 'first' }], []) },
    }
  },
  'POST /session': async (app) => {
    await setOwnPassword(app, 'editor')
    return {
      request: { method: 'POST', path: service('/session'), json: { login: 'editor', password: goodPassword } },
      ...{ id: editor.id, kind: 'user', action: 'update' },
      changes: ({ session }) => ({ sessions: change([], [session.id]) }),
    }
  },
  'DELETE /session': async (app) => {
    const { headers } = await givenBrowser(app, 'contributor')
    const { body } = await app.send({ path: service('/session'), headers })
    return {
      request: { method: 'DELETE', path: service('/session'), headers },
      ...{ user: contributor, id: contributor.id, kind: 'user', action: 'update' },
      changes: { sessions: change([body.session.id], []) },
    }
  },
  'DELETE /users/:user/sessions/:session': async (app) => {
    const { headers } = await givenBrowser(app, 'author')
    const { body } = await app.send({ path: service('/session'), headers })
    const { user, session } = body
    return {
      request: { method: 'DELETE', path: service(`/users/${user.id}/sessions/${session.id}`) },
      ...{ id: user.id, kind: 'user', action: 'update', changes: { sessions: change([session.id], []) } },
    }
  },
}

/** A record under the name of its sender, as its source wrote it. */
async function givenOfSource(app: TestApp, path: string, json: object): Promise<{ readonly id: number }> {
  const answer = await app.send({ as: 'administrator', method: 'PUT', path: service(path), json })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

function sourceWrites(plural: 'events' | 'venues' | 'organizers', json: (word: string) => object) {
  const kind = plural.slice(0, -1)
  const path = (word: string) => `/sources/festival/${plural}/${word}`
  return {
    [`PUT /sources/:source/${plural}/:external_id`]: async (_app, word) => ({
      request: { method: 'PUT', path: service(path(word)), json: json(word) },
      ...{ kind, action: 'create' },
    }),
    [`DELETE /sources/:source/${plural}/:external_id`]: async (app, word) => {
      const { id } = await givenOfSource(app, path(word), json(word))
      const request = { method: 'DELETE', path: service(path(word)) } as const
      return { request, id, kind, action: 'trash', changes: trashed(word) }
    },
  } satisfies Readonly<Record<string, Given>>
}

/** A calendar with one event, which has another title and another time than the one that was sent before. */
function calendarOf(word: string): Buffer {
  const parts = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', `UID:${word}`, `SUMMARY:New ${word}`, 'DTSTART:20300501T190000Z']
  return Buffer.from([...parts, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n'))
}

/** Serves these calendars to subscriptions. */
const fetchDocument: FetchDocument = async (url) => ({
  ...{ status: 200, headers: {} },
  body: calendarOf(/(\w+)\.ics$/.exec(url)?.[1] ?? ''),
})

async function givenOfCalendar(app: TestApp, word: string) {
  const { id } = await givenOfSource(app, `/sources/box-office/events/${word}`, { ...plainEvent, title: word })
  const at = '2030-05-01 19:00:00'
  const changes = {
    ...{ title: change(word, `New ${word}`), website: change(null, '') },
    ...{ start_date: change('2030-01-22 19:00:00', at), end_date: change('2030-01-22 21:00:00', at) },
  }
  return { id, changes }
}

const sourcesWrites: Readonly<Record<string, Given>> = {
  ...sourceWrites('events', (word) => ({ ...plainEvent, title: word })),
  ...sourceWrites('venues', (venue) => ({ venue })),
  ...sourceWrites('organizers', (organizer) => ({ organizer })),
  'POST /sources/:source/sweep': async (app, word) => {
    const { id } = await givenOfSource(app, '/sources/box-office/events/1', { ...plainEvent, title: word })
    const json = { seen_since: isoUtc(app.deps.now() + 1), action: 'trash' }
    const request = { method: 'POST', path: service('/sources/box-office/sweep'), json } as const
    return { request, id, kind: 'event', action: 'trash', changes: trashed(word) }
  },
  'POST /sources/:source/import': async (app, word) => {
    const { id } = await givenOfSource(app, '/sources/box-office/venues/2', { venue: word })
    const line = { kind: 'venue', external_id: '2', venue: word, phone: '555' }
    const request = {
      method: 'POST' as const,
      path: service('/sources/box-office/import'),
      ...{ payload: Buffer.from(JSON.stringify(line)), headers: { 'content-type': 'application/x-ndjson' } },
    }
    return { request, id, kind: 'venue', action: 'update', changes: { phone: change('', '555') } }
  },
  'POST /sources/:source/calendar': async (app, word) => {
    const { id, changes } = await givenOfCalendar(app, word)
    const request = {
      method: 'POST' as const,
      path: service('/sources/box-office/calendar?force=true'),
      ...{ payload: calendarOf(word), headers: { 'content-type': 'text/calendar' } },
    }
    return { request, id, kind: 'event', action: 'update', changes }
  },
  'POST /sources/:source/fetch': async (app, word) => {
    const { id, changes } = await givenOfCalendar(app, word)
    const json = { url: `https://club.example/${word}.ics`, force: true }
    const request = { method: 'POST', path: service('/sources/box-office/fetch'), json } as const
    return { request, id, kind: 'event', action: 'update', changes }
  },
  'POST /imports/:id/undo': async (app, word) => {
    const event = `UID:new-${word}\r\nSUMMARY:${word}\r\nDTSTART:20300501T190000Z`
    const payload = Buffer.from(`BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n${event}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`)
    const headers = { 'content-type': 'text/calendar' }
    const path = service('/sources/box-office/calendar')
    const { body: made } = await app.send({ as: 'administrator', method: 'POST', path, payload, headers })
    const { body } = await app.send({ path: `/events?start_date=2030-05-01&search=${word}` })
    const request = { method: 'POST', path: service(`/imports/${made.undo.id}/undo`), json: {} } as const
    return { request, id: body.events[0].id, kind: 'event', action: 'trash', changes: trashed(word) }
  },
  'POST /imports': async (app, word) => {
    const recording = (title: string) => ({
      method: 'POST' as const,
      path: service('/imports'),
      payload: Buffer.from(givenRecording([tecEvent(7, { title, start_date: '2030-08-10 08:30:00' })])),
      headers: { 'content-type': 'application/json' },
    })
    const { status } = await app.send({ as: 'administrator', ...recording(word) })
    assert.equal(status, 200)
    const list = '/events?per_page=1&start_date=2000-01-01&orderby=created&order=desc'
    const { body } = await app.send({ path: `${list}&search=${word}` })
    const changes = { title: change(word, `New ${word}`) }
    return { request: recording(`New ${word}`), id: body.events[0].id, kind: 'event', action: 'update', changes }
  },
}

/** Who follows a link is not known before. */
const nobody = { id: null, name: null }

async function givenView(app: TestApp, name: string): Promise<number> {
  const json = { name, query: 'status=pending' }
  const { body } = await app.send({ as: 'administrator', method: 'POST', path: service('/saved-views'), json })
  return body.id
}

const club = { source: 'club', url: 'webcal://club.example/club.ics' }
const clubSettings = {
  ...{ ...club, language: 'en', status: 'publish', authority: 'keep', missing: 'keep' },
  ...{ author: administrator.id, every_minutes: 360, paused: false },
}
const ofAdministrator = { id: administrator.id, kind: 'user', action: 'update' } as const

async function givenSubscription(app: TestApp): Promise<void> {
  await app.send({ as: 'administrator', method: 'POST', path: service('/subscriptions'), json: club })
}

/** Subscriptions, too, are parts of the user who writes their events. */
const subscriptionWrites: Readonly<Record<string, Given>> = {
  'POST /subscriptions': async () => ({
    request: { method: 'POST', path: service('/subscriptions'), json: club },
    ...{ ...ofAdministrator, changes: { subscription: change(null, clubSettings) } },
  }),
  'PATCH /subscriptions/:source': async (app) => {
    await givenSubscription(app)
    return {
      request: { method: 'PATCH', path: service('/subscriptions/club'), json: { paused: true } },
      ...{ ...ofAdministrator, changes: { subscription: change(clubSettings, { ...clubSettings, paused: true }) } },
    }
  },
  'DELETE /subscriptions/:source': async (app) => {
    await givenSubscription(app)
    return {
      request: { method: 'DELETE', path: service('/subscriptions/club') },
      ...{ ...ofAdministrator, changes: { subscription: change(clubSettings, null) } },
    }
  },
  'POST /subscriptions/:source/fetch': async (app, word) => {
    const { id, changes } = await givenOfCalendar(app, word)
    const json = { source: 'box-office', url: `https://club.example/${word}.ics`, authority: 'source' }
    await app.send({ as: 'administrator', method: 'POST', path: service('/subscriptions'), json })
    const request = { method: 'POST', path: service('/subscriptions/box-office/fetch'), json: {} } as const
    return { request, id, kind: 'event', action: 'update', changes }
  },
}

/** Views are parts of their user, who is the administrator. */
const viewWrites: Readonly<Record<string, Given>> = {
  'POST /saved-views': async (_app, name) => ({
    request: { method: 'POST', path: service('/saved-views'), json: { name, query: '' } },
    ...{ id: administrator.id, kind: 'user', action: 'update' },
    changes: ({ id }) => ({ saved_views: change([], [{ id, label: name }]) }),
  }),
  'PATCH /saved-views/:id': async (app, word) => {
    const id = await givenView(app, word)
    return {
      request: { method: 'PATCH', path: service(`/saved-views/${id}`), json: { name: `New ${word}` } },
      ...{ id: administrator.id, kind: 'user', action: 'update' },
      changes: { saved_views: change([{ id, label: word }], [{ id, label: `New ${word}` }]) },
    }
  },
  'DELETE /saved-views/:id': async (app, word) => {
    const id = await givenView(app, word)
    return {
      request: { method: 'DELETE', path: service(`/saved-views/${id}`) },
      ...{ id: administrator.id, kind: 'user', action: 'update' },
      changes: { saved_views: change([{ id, label: word }], []) },
    }
  },
}

const linkWrites: Readonly<Record<string, Given>> = {
  'POST /users/:user/links': async (app) => {
    const { headers } = await givenBrowser(app, 'administrator')
    return {
      request: { method: 'POST', path: service(`/users/${editor.id}/links`), headers, json: { kind: 'reset' } },
      // Another object, so that the request has no other credentials.
      ...{ user: { ...administrator }, id: editor.id, kind: 'user', action: 'update' },
      changes: { password_link: change(null, 'set') },
    }
  },
  'POST /links/follow': async (app) => {
    const { secret } = await createLink(app.deps, contributor.id as UserId, 'reset')
    return {
      request: { method: 'POST', path: service('/links/follow'), json: { secret, password: goodPassword } },
      ...{ user: nobody, id: contributor.id, kind: 'user', action: 'update' },
      changes: ({ session }) => ({ account_password: change('set', 'set'), sessions: change([], [session.id]) }),
    }
  },
}

/** Reads with what no log of addresses should have in the body: a secret, or much. */
const readsByPost: readonly string[] = [
  'POST /names',
  'POST /series/preview',
  'POST /links/lookup',
  'POST /links/check',
  'POST /events/doubles',
]

const friday = { start_date: '2030-05-03 18:30:00', end_date: '2030-05-03 19:30:00' }
const weekly = { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=2' } }

async function givenSeries(app: TestApp, title: string): Promise<{ readonly id: number; readonly event: number }> {
  const json = { title, ...friday, ...weekly }
  const { body } = await app.send({ as: 'administrator', method: 'POST', path: service('/series'), json })
  return { id: body.id, event: body.event_id }
}

const dates = (added: number, dropped: number, changed: number) => ({
  ...{ dates_added: change(null, added), dates_dropped: change(null, dropped), dates_changed: change(null, changed) },
})

/** A write of a series leaves one entry, however many dates it changes. */
const seriesWrites: Readonly<Record<string, Given>> = {
  'POST /series': async (_app, title) => ({
    request: { method: 'POST', path: service('/series'), json: { title, ...friday, ...weekly } },
    ...{ kind: 'series', action: 'create' },
  }),
  'PATCH /series/:id': async (app, word) => {
    const { id } = await givenSeries(app, word)
    const request = { method: 'PATCH', path: service(`/series/${id}`), json: { title: `New ${word}` } } as const
    return {
      request,
      kind: 'series',
      action: 'update',
      changes: { title: change(word, `New ${word}`), ...dates(0, 0, 2) },
    }
  },
  'DELETE /series/:id': async (app, word) => {
    const { id } = await givenSeries(app, word)
    const request = { method: 'DELETE', path: service(`/series/${id}`) } as const
    return { request, kind: 'series', action: 'trash', changes: { ...trashed(word), ...dates(0, 2, 0) } }
  },
  'POST /series/:id/restore': async (app, word) => {
    const { id } = await givenSeries(app, word)
    await trash(app, service(`/series/${id}`))
    const request = { method: 'POST', path: service(`/series/${id}/restore`) } as const
    return { request, kind: 'series', action: 'restore', changes: { ...restored(word), ...dates(2, 0, 0) } }
  },
  'POST /series/:id/dates': async (app, word) => {
    const { id } = await givenSeries(app, word)
    const json = { start_date: '2030-06-01 10:00' }
    const request = { method: 'POST', path: service(`/series/${id}/dates`), json } as const
    return { request, kind: 'series', action: 'update', changes: dates(1, 0, 0) }
  },
  'POST /series/:id/from-events': async (app, word) => {
    const { id } = await givenSeries(app, word)
    const { id: event } = await givenEvent(app, { title: `Other ${word}` })
    const request = {
      method: 'POST',
      path: service(`/series/${id}/from-events`),
      json: { event_ids: [event] },
    } as const
    return { request, kind: 'series', action: 'update', changes: dates(1, 0, 0) }
  },
  'POST /series/:id/translations': async (app, word) => {
    const { id } = await givenSeries(app, word)
    const path = service(`/series/${id}/translations?ml_language=fr-CA`)
    const request = { method: 'POST', path, json: { title: `Le ${word}` } } as const
    // The entry of the original comes first.
    return { request, id: (body) => body.translations['fr-CA'], kind: 'series', action: 'create', others: 1 }
  },
  'POST /events/:id/follow': async (app, word) => {
    const { event } = await givenSeries(app, word)
    const json = { title: `Own ${word}` }
    await app.send({ as: 'administrator', method: 'PATCH', path: `/events/${event}`, json })
    const request = { method: 'POST', path: service(`/events/${event}/follow`), json: { fields: ['title'] } } as const
    return { request, id: event, kind: 'event', action: 'update', changes: { title: change(`Own ${word}`, word) } }
  },
}

const writes: Readonly<Record<string, Given>> = {
  createEvent: async () => ({
    request: { method: 'POST', path: '/events', json: { ...longer, start_date: '2030-01-22 19:00:00' } },
    ...{ kind: 'event', action: 'create' },
  }),
  changeEvent: async (app, word) => {
    const { id } = await givenEvent(app, { title: word })
    const request = { method: 'PATCH', path: `/events/${id}`, json: longer } as const
    return { request, kind: 'event', action: 'update', changes: changedEvent(word) }
  },
  changeEventBySlug: async (app, word) => {
    await givenEvent(app, { title: word })
    const request = { method: 'POST', path: `/events/by-slug/${word}`, json: longer } as const
    return { request, kind: 'event', action: 'update', changes: changedEvent(word) }
  },
  trashEvent: async (app, word) => {
    const { id } = await givenEvent(app, { title: word })
    const request = { method: 'DELETE', path: `/events/${id}` } as const
    return { request, kind: 'event', action: 'trash', changes: trashed(word) }
  },
  trashEventBySlug: async (app, word) => {
    await givenEvent(app, { title: word })
    const request = { method: 'DELETE', path: `/events/by-slug/${word}` } as const
    return { request, kind: 'event', action: 'trash', changes: trashed(word) }
  },
  'POST /events/:id/restore': async (app, word) => {
    const { id } = await givenEvent(app, { title: word })
    await trash(app, `/events/${id}`)
    const request = { method: 'POST', path: service(`/events/${id}/restore`) } as const
    return { request, kind: 'event', action: 'restore', changes: restored(word) }
  },
  // What is deleted for good stays readable in the log, so each date has an entry too.
  'DELETE /trash/series/:id': async (app, word) => {
    const { id } = await givenSeries(app, word)
    await trash(app, service(`/series/${id}`))
    const request = { method: 'DELETE', path: service(`/trash/series/${id}`) } as const
    return { request, id, kind: 'series', action: 'delete', isRemoval: true, others: 2 }
  },
  'DELETE /trash/events/:id': async (app, word) => {
    const { id } = await givenEvent(app, { title: word })
    await trash(app, `/events/${id}`)
    const request = { method: 'DELETE', path: service(`/trash/events/${id}`) } as const
    return { request, id, kind: 'event', action: 'delete', isRemoval: true }
  },
  ...directoryWrites('venue', 'venues', givenVenue),
  ...directoryWrites('organizer', 'organizers', givenOrganizer),
  ...termWrites('category', 'categories'),
  ...termWrites('tag', 'tags'),
  ...accountWrites,
  ...sourcesWrites,
  ...linkWrites,
  ...viewWrites,
  ...subscriptionWrites,
  ...seriesWrites,
  'POST /media': async () => ({ request: await pictureRequest(), kind: 'media', action: 'upload' }),
  'PATCH /media/:id': async (app) => {
    const { body } = await app.send({ as: 'administrator', ...(await pictureRequest()) })
    const request = { method: 'PATCH', path: service(`/media/${body.id}`), json: { alt_text: 'A full hall' } } as const
    const changes = { alt_texts: change({}, { en: 'A full hall' }) }
    return { request, id: body.id, kind: 'media', action: 'update', changes }
  },
  'DELETE /media/:id': async (app) => {
    const { body } = await app.send({ as: 'administrator', ...(await pictureRequest()) })
    const { file, mime_type, width, height, size_bytes } = await app.deps.storage.db
      .selectFrom('media')
      .selectAll()
      .where('record_id', '=', body.id)
      .executeTakeFirstOrThrow()
    const gone = { status: 'publish', slug: '', title: 'hall', description: '', excerpt: '', author: 5, language: 'en' }
    const all = { ...gone, date_utc: isoUtc(app.deps.now()), file, mime_type, width, height, filesize: size_bytes }
    Object.assign(all, { alt_texts: {}, decorative: false })
    return {
      ...{ request: { method: 'DELETE', path: service(`/media/${body.id}`) }, id: body.id },
      ...{ kind: 'media', action: 'delete' },
      changes: Object.fromEntries(Object.entries(all).map(([field, value]) => [field, change(value, null)])),
    }
  },
}

async function lastEntries(app: TestApp, count: number) {
  const { status, text, body } = await app.send({ as: 'administrator', path: service(`/audit?per_page=${count}`) })
  assert.equal(status, 200, text)
  return body.entries
}

function namesOfWrites(): readonly string[] {
  const operations = routes.flatMap(({ endpoints }) =>
    endpoints.filter(({ methods }) => !methods.includes('GET')).map(({ operation }) => operation),
  )
  const own = ownNamespace.routes.flatMap(({ path, endpoints }) =>
    endpoints.flatMap(({ methods }) =>
      methods.filter((method) => method !== 'GET').map((method) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
    ),
  )
  return [...operations, ...own].filter((name) => !readsByPost.includes(name)).sort()
}

test('every route that writes is known here', () => {
  assert.deepEqual(Object.keys(writes).sort(), namesOfWrites())
})

/** Writes that do not take an idempotency key: their results are secret, or what they import is safe to send again. */
const withoutKeys: readonly string[] = [
  ...['PUT /users/:user/password', 'POST /session', 'DELETE /session', 'POST /users/:user/links', 'POST /links/follow'],
  ...[
    'POST /sources/:source/import',
    'POST /sources/:source/calendar',
    'POST /sources/:source/fetch',
    'POST /imports',
    'POST /subscriptions/:source/fetch',
  ],
]

test('every write takes an idempotency key, except those that are known here', () => {
  const without = [...routes, ...ownNamespace.routes].flatMap(({ path, endpoints }) =>
    (endpoints as readonly Endpoint[])
      .filter((one) => !one.methods.includes('GET') && !takesIdempotencyKey(one))
      .flatMap(({ methods }) => methods.map((method) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`)),
  )

  assert.deepEqual(without.filter((name) => !readsByPost.includes(name)).toSorted(), withoutKeys.toSorted())
})

test('every write of the service’s own namespace can be tried: it is answered as usual and leaves no trace', async (t) => {
  const app = await startTestApp(t, {}, { fetchDocument })
  const own = Object.entries(writes).filter(([name]) => name.includes(' '))
  for (const [index, [name, given]] of own.entries()) {
    const { request, user = administrator } = await given(app, `word${index}`)
    app.pass(60)
    const path = `${request.path}${request.path.includes('?') ? '&' : '?'}dry_run=true`
    const before = await traceOf(app)

    const answer = await app.send({ ...(user === administrator ? { as: 'administrator' } : {}), ...request, path })

    assert.ok([200, 201, 204].includes(answer.status), `${name}: ${answer.text}`)
    assert.equal(answer.headers['x-dry-run'], 'true', name)
    assert.deepEqual(await traceOf(app), before, name)
  }
})

test('every write leaves one entry: who, when, from where, what, and what became other', async (t) => {
  const app = await startTestApp(t, {}, { fetchDocument })
  for (const [index, [name, given]] of Object.entries(writes).entries()) {
    const write = await given(app, `word${index}`)
    const { request, id, kind, action, changes = {}, user = administrator, others = 0, isRemoval } = write
    const [last] = await lastEntries(app, 1)
    app.pass(60)

    const answer = await app.send({
      ...(user === administrator ? { as: 'administrator' } : {}),
      ...request,
      headers: { ...request.headers, 'x-request-id': name.replaceAll(' ', '') },
    })

    assert.ok([200, 201, 204].includes(answer.status), `${name}: ${answer.text}`)
    const [entry, ...earlier] = await lastEntries(app, 2 + others)
    assert.deepEqual(earlier.at(-1), last, name)
    if (isRemoval) {
      const gone = entry.changes as Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>
      assert.deepEqual(gone.slug, change(`word${index}__trashed`, null), name)
      // The rules of a series are a list, which is empty then.
      const isNothing = (after: unknown) => after === null || (Array.isArray(after) && after.length === 0)
      assert.ok(Object.values(gone).every(({ after }) => isNothing(after)) && gone.title && gone.author, name)
    }
    // The texts of rules differ between the engines.
    const { rules: _, ...shown } = entry.changes
    assert.deepEqual(
      { ...entry, changes: shown },
      {
        ...{ id: last.id + 1 + others, at: isoUtc(app.deps.now()) },
        actor: { via: 'http', ...user },
        ...{ kind, item_id: typeof id === 'function' ? id(answer.body) : (id ?? answer.body.id), action },
        changes: isRemoval ? shown : typeof changes === 'function' ? changes(answer.body) : changes,
        from: { address: '127.0.0.1', request_id: name.replaceAll(' ', '') },
      },
      name,
    )
  }
})
