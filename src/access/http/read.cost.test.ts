import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../api.ts'
import { type UserId, visitor } from '../auth/actor.ts'
import { parseForm } from './arguments/parameters.ts'
import { isShortRead } from './read.cost.ts'
import { matchRoute } from './route.ts'

const caller = { actor: visitor, languageParameter: 'ml_language' }

function isShort(path: string, query = '', body?: Buffer): boolean {
  const endpoint = matchRoute(routes, path)?.route.endpoints[0]
  assert.ok(endpoint)
  return isShortRead(endpoint, { ...caller, query: parseForm(query), body })
}

test('records, and small lists near the first page, are short', () => {
  assert.ok(isShort('/events/12', 'password=x'))
  assert.ok(isShort('/events/by-slug/concert'))
  for (const query of ['', 'per_page=50&page=20', 'start_date=2030-01-01&ml_language=fr-CA', 'venue=3&featured=true']) {
    assert.ok(isShort('/events', query), query)
  }
})

test('everything else is long, above all what nobody has thought of', () => {
  const queries = ['search=a', 'per_page=51', 'page=21', 'venue=1,2', 'venue[]=1', 'venue=1&tags=2&categories=3']
  for (const query of [
    ...queries,
    'featured=false',
    'geoloc=true',
    'password=x',
    'new=1',
    `start_date=${'1'.repeat(200)}`,
  ]) {
    assert.equal(isShort('/events', query), false, query)
  }
  assert.equal(isShort('/events', '', Buffer.from('search=a')), false)
  assert.equal(isShort('/events.ics'), false)
})

test('lists for users are long', () => {
  const endpoint = routes.find(({ path }) => path === '/events')?.endpoints[0]
  assert.ok(endpoint)
  const actor = { kind: 'user', id: 1 as UserId, role: 'editor' } as const

  assert.equal(isShortRead(endpoint, { query: {}, ...caller, actor }), false)
})
