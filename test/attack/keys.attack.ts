import assert from 'node:assert/strict'
import { plainEvent } from '../support/given.ts'
import type { Attack, AttackAnswer, AttackRequest, Target } from './target.ts'

const service = (path: string) => `//cal/service/v1${path}`
const goodPassword = 'correct horse battery staple'

type Ask = (method: string, path: string, json?: object) => Promise<AttackAnswer>

/** A key of the administrator that expires tomorrow, and the headers that its thief sends. */
async function stolenKey(target: Target): Promise<{ readonly ends: string; readonly ask: Ask }> {
  const json = { label: 'stolen', expires_in_days: 1 }
  const made = await target.send({ as: 'administrator', method: 'POST', path: service('/users/me/keys'), json })
  assert.equal(made.status, 201, made.text)
  const headers = { authorization: `Bearer ${made.body.secret}` }
  return {
    ends: made.body.expires_at,
    ask: (method, path, body) => target.send({ method, path: service(path), headers, ...(body ? { json: body } : {}) }),
  }
}

async function asAdministrator(target: Target, request: Omit<AttackRequest, 'as'>): Promise<AttackAnswer['body']> {
  const answer = await target.send({ as: 'administrator', ...request })
  assert.ok(answer.status < 300, answer.text)
  return answer.body
}

export const attacks: readonly Attack[] = [
  {
    title: 'a stolen key that ends tomorrow opens nothing the day after',
    play: async (target) => {
      const { ends, ask } = await stolenKey(target)
      const users = await asAdministrator(target, { path: service('/users') })
      const { id: editor } = users.find(({ role }: { readonly role: string }) => role === 'editor')
      const before = await asAdministrator(target, { path: service(`/users/${editor}/keys`) })

      for (const path of ['/users/me/keys', `/users/${editor}/keys`]) {
        const { body } = await ask('POST', path, { label: 'for good' })
        assert.ok(body.expires_at !== null && body.expires_at <= ends, `${path} made a key until ${body.expires_at}`)
        const longer = await ask('POST', path, { label: 'for longer', expires_in_days: 3650 })
        assert.equal(longer.status, 400, longer.text)
      }
      const accomplice = await ask('POST', '/users', { name: `eve ${Date.now()}`, role: 'administrator' })
      assert.equal(accomplice.status, 403, 'there is an administrator more, for good')
      for (const key of before) {
        const renewed = await ask('POST', `/users/${editor}/keys/${key.id}/rotate`, { overlap_hours: 720 })
        assert.equal(renewed.status, 403, 'a key for good was taken over')
        assert.equal((await ask('DELETE', `/users/${editor}/keys/${key.id}`)).status, 403)
      }
      for (const { id, role } of users) {
        if (role === 'administrator') continue
        const raised = await ask('PATCH', `/users/${id}`, { role: 'administrator' })
        assert.equal(raised.status, 403, `the ${role} was made an administrator`)
        assert.equal((await ask('DELETE', `/users/${id}`)).status, 403)
        const password = await ask('PUT', `/users/${id}/password`, { password: goodPassword })
        assert.equal(password.status, 403, `the ${role} has a password of the thief`)
      }
      assert.equal((await ask('PUT', '/users/me/password', { password: goodPassword })).status, 403)
    },
  },
  {
    title: 'keys that a key has made end when it is revoked',
    play: async (target) => {
      const parent = await asAdministrator(target, {
        ...{ method: 'POST', path: service('/users/me/keys'), json: { label: 'leaked' } },
      })
      const made = await target.send({
        ...{ method: 'POST', path: service('/users/me/keys'), json: { label: 'of the thief' } },
        headers: { authorization: `Bearer ${parent.secret}` },
      })
      assert.equal(made.status, 201, made.text)

      await asAdministrator(target, { method: 'DELETE', path: service(`/users/me/keys/${parent.id}`) })

      const headers = { authorization: `Bearer ${made.body.secret}` }
      assert.equal((await target.send({ path: service('/users/me'), headers })).status, 401)
    },
  },
  {
    title: 'a user who is removed in the middle of many writes writes no more, and nothing fails',
    play: async (target) => {
      for (let round = 0; round < 5; round += 1) {
        const user = await asAdministrator(target, {
          ...{ method: 'POST', path: service('/users'), json: { name: `gone ${Date.now()} ${round}`, role: 'editor' } },
        })
        const headers = { authorization: `Bearer ${user.application_password}` }
        const writes = Array.from({ length: 20 }, (_, place) =>
          target.send({ method: 'POST', path: '/tags', json: { name: `${user.name} ${place}` }, headers }),
        )
        const removed = target.send({ as: 'administrator', method: 'DELETE', path: service(`/users/${user.id}`) })
        const late = Array.from({ length: 20 }, () =>
          target.send({ method: 'POST', path: '/events', json: { ...plainEvent, status: 'draft' }, headers }),
        )
        const statuses = (await Promise.all([...writes, ...late])).map(({ status }) => status)
        // A user who has written an event cannot be deleted.
        assert.ok([200, 409].includes((await removed).status), 'the user could not be removed')
        assert.deepEqual(
          statuses.filter((status) => status !== 201 && status !== 401),
          [],
        )
      }
    },
  },
  {
    title: 'a visitor learns of no name that only a contributor’s draft has',
    play: async (target) => {
      const name = `Accusation ${Date.now()}`
      const json = { ...plainEvent, title: 'Draft', status: 'draft', categories: [name], tags: [name] }
      const draft = await target.send({ as: 'contributor', method: 'POST', path: '/events', json })
      assert.equal(draft.status, 201, draft.text)
      const [category, tag] = [draft.body.categories[0], draft.body.tags[0]]

      const paths = [
        ...[
          '/categories?hide_empty=false&per_page=50&orderby=id&order=desc',
          '/tags?hide_empty=0&per_page=50&orderby=id&order=desc',
        ],
        ...[`/categories/${category.id}`, `/tags/${tag.id}`, `/tags?hide_empty=0&search=Accusation`],
        ...['//sitemap.xml', '//events/', `//events/category/${category.slug}/`, `//tag/${tag.slug}/`],
        ...[`/events?tags=${tag.id}`, `/events?categories=${category.id}`],
      ]
      for (const path of paths) {
        const { text } = await target.send({ path })
        assert.ok(!text.includes(name), `${path} shows it`)
      }
      for (const path of [`/tags/${tag.id}`, `/events?tags=${tag.id}`, `//tag/${tag.slug}/`]) {
        assert.ok((await target.send({ path })).status >= 400, `${path} is answered`)
      }
    },
  },
]
