import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { startTestApp } from '../../../test/support/app.ts'
import type { Deps } from '../../access/deps.ts'
import { addressesOf } from '../../access/http/addresses.ts'
import type { Namespace } from '../../access/http/namespace.ts'
import { contract, routes, service } from '../../api.ts'
import { readConfig } from '../../base/config/config.ts'
import english from '../../base/languages/en/openapi.json' with { type: 'json' }
import french from '../../base/languages/fr/openapi.json' with { type: 'json' }
import type { TextLanguage } from '../../base/languages/language.ts'
import { attachmentNamespace } from '../../calendar/media/media.routes.ts'
import { oembedNamespace } from '../pages/oembed.routes.ts'
import { openApiDocument } from './openapi.ts'

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: Record<string, unknown>
  readonly $ref?: string
  readonly 'x-extension'?: boolean
}

interface Operation {
  readonly operationId: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Record<string, { readonly schema: { readonly $ref: string } }> }
  readonly responses: Record<string, { readonly $ref?: string; readonly headers?: object }>
  readonly security: readonly object[]
}

interface Document {
  readonly openapi: string
  readonly components: Record<string, Record<string, Record<string, unknown>>>
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Record<string, Record<string, Operation>>
}

type Version = '3.0.0' | '3.1.0'
const languages: readonly TextLanguage[] = ['en', 'fr']
const versions: readonly Version[] = ['3.0.0', '3.1.0']

interface Asked {
  readonly language?: TextLanguage
  readonly version?: Version
  readonly namespace?: Namespace
}

/** The document as a client reads it. */
async function documentOf(
  { language = 'en', version = '3.0.0', namespace = contract }: Asked = {},
  environment: Readonly<Record<string, string>> = {},
): Promise<Document> {
  const config = readConfig(environment)
  const addresses = addressesOf(config, 'http://calendar.test', language)
  const deps = { config, now: () => 0 } as unknown as Deps
  return JSON.parse(JSON.stringify(await openApiDocument({ deps, addresses, language, namespace }, version)))
}

function operationsOf(document: Document): readonly (readonly [name: string, operation: Operation])[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [`${method} ${path}`, operation] as const),
  )
}

function operation(document: Document, path: string, method: string): Operation {
  const found = document.paths[path]?.[method]
  assert.ok(found, `${method} ${path}`)
  return found
}

function parameter(document: Document, path: string, method: string, name: string): Parameter {
  const found = operation(document, path, method).parameters.find((one) => one.name === name)
  assert.ok(found, `${name} of ${method} ${path}`)
  return found
}

/** The answer of this status, with references resolved. */
function response(document: Document, path: string, method: string, status: number): { readonly headers?: object } {
  const found = operation(document, path, method).responses[status]
  const [, , kind = '', name = ''] = found?.$ref?.split('/') ?? []
  return document.components[kind]?.[name] ?? found ?? {}
}

/**
 * Every text in the document that is meant for people, with its path. Records in examples are those of one calendar, in
 * every language.
 */
function textsOf(value: unknown, place = ''): readonly (readonly [place: string, text: string])[] {
  // Examples are data in one language.
  if (value === null || typeof value !== 'object' || /\/examples\/[^/]+\/value$|\/example$/.test(place)) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' && ['description', 'summary', 'title'].includes(key)
      ? [[`${place}/${key}`, inner] as const]
      : textsOf(inner, `${place}/${key}`),
  )
}

function referencesIn(value: unknown): readonly string[] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : referencesIn(inner),
  )
}

for (const version of versions) {
  for (const language of languages) {
    test(`the document is valid OpenAPI ${version} in ${language}`, async () => {
      const { valid, errors } = await new Validator().validate({ ...(await documentOf({ language, version })) })

      assert.ok(valid, JSON.stringify(errors))
    })

    test(`every reference leads somewhere in OpenAPI ${version} in ${language}`, async () => {
      const document = await documentOf({ language, version })
      const missing = referencesIn(document).filter((reference) => {
        const [, , kind = '', name = ''] = reference.split('/')
        return document.components[kind]?.[name] === undefined
      })

      assert.deepEqual(missing, [])
    })
  }
}

test('the document stands at /doc in version 3.0.0, keys in the order of the contract', async (t) => {
  const app = await startTestApp(t)

  const { status, body } = await app.send({ path: '/doc' })

  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body).slice(0, 5), ['openapi', 'info', 'components', 'servers', 'paths'])
  assert.equal(body.openapi, '3.0.0')
  assert.deepEqual(Object.keys(body.components.schemas).slice(0, 8), [
    ...['ImageSize', 'CostDetails', 'Term', 'Image', 'DateDetails', 'Event', 'Venue', 'Organizer'],
  ])
})

test('the document names the address that it was asked at', async (t) => {
  const app = await startTestApp(t, { VENDOR_WORD: 'acme' })

  const here = await app.send({ path: '/doc' })
  const there = await app.send({ path: '/doc', headers: { host: 'other.test' } })
  const french = await app.send({ path: '//fr/acme/events/v1/doc' })

  assert.deepEqual(here.body.servers, [{ url: 'http://calendar.test/acme/events/v1' }])
  assert.deepEqual(there.body.servers, [{ url: 'http://other.test/acme/events/v1' }])
  assert.deepEqual(french.body.servers, [{ url: 'http://calendar.test/fr/acme/events/v1' }])
})

test('the document is in the language that is asked for', async (t) => {
  const app = await startTestApp(t)

  const canadian = await app.send({ path: '/doc?ml_language=fr-CA' })
  const plain = await app.send({ path: '/doc?ml_language=en-CA' })

  assert.equal(canadian.body.info.title, french['info.title'])
  assert.equal(plain.body.info.title, english['info.title'])
})

test('every method of every route is described, and nothing else', async () => {
  const described = operationsOf(await documentOf()).map(([name]) => name)

  const served = routes.flatMap(({ path, endpoints }) =>
    endpoints.flatMap(({ methods }) => methods.map((method) => `${method.toLowerCase()} ${path || '/'}`)),
  )
  assert.deepEqual(described, served)
})

test('every argument of every route is described, in the path, the query or the body', async () => {
  const document = await documentOf()
  const missing = routes.flatMap(({ path, endpoints }) =>
    endpoints.flatMap((endpoint) =>
      endpoint.methods.flatMap((method) => {
        const { parameters, requestBody } = operation(document, path || '/', method.toLowerCase())
        const named = (place: string) => parameters.filter((one) => one.in === place).map(({ name }) => name)
        const input = requestBody?.content['application/json']?.schema.$ref.split('/').at(-1) ?? ''
        const fields = Object.keys(document.components.schemas?.[input]?.properties ?? {})
        const where = requestBody ? fields : named('query')
        return [
          ...Object.keys(endpoint.path).filter((name) => !named('path').includes(name)),
          ...Object.keys(endpoint.args).filter((name) => !where.includes(name)),
        ].map((name) => `${name} of ${method} ${path}`)
      }),
    ),
  )

  assert.deepEqual(missing, [])
})

test('operations have names of their own', async () => {
  const names = operationsOf(await documentOf()).map(([, { operationId }]) => operationId)

  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  )
})

test('every operation takes the language and the parameters that shape the answer', async () => {
  const lacking = operationsOf(await documentOf({}, { LANGUAGE_PARAMETER: 'langue' })).filter(([, { parameters }]) =>
    ['langue', '_fields', '_envelope', '_pretty', '_jsonp'].some(
      (name) => !parameters.some((one) => one.name === name || one.$ref === `#/components/parameters/${name}`),
    ),
  )

  assert.deepEqual(lacking, [])
})

test('JSONP is not described where it is switched off', async () => {
  const text = JSON.stringify(await documentOf({}, { JSONP: 'false' }))

  assert.doesNotMatch(text, /_jsonp|rest_callback_invalid/)
})

test('reading needs no credentials, writing does', async () => {
  const open = operationsOf(await documentOf()).filter(([, { security }]) =>
    security.some((one) => Object.keys(one).length === 0),
  )

  assert.ok(open.length > 0)
  assert.deepEqual(
    open.filter(([name]) => !name.startsWith('get ')),
    [],
  )
})

test('an application password is sent as Basic or as Bearer', async () => {
  const document = await documentOf()

  const schemes = Object.values(document.components.securitySchemes ?? {}).map(({ scheme }) => scheme)
  assert.deepEqual(schemes, ['basic', 'bearer'])
  assert.ok(operationsOf(document).every(([, { security }]) => security.some((one) => 'bearer' in one)))
})

test('bodies are JSON, a form or multipart', async () => {
  const { requestBody } = operation(await documentOf(), '/events', 'post')

  assert.deepEqual(Object.keys(requestBody?.content ?? {}), [
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
  ])
})

test('only our own arguments are marked as extensions', async () => {
  const document = await documentOf()

  assert.equal(parameter(document, '/events', 'get', 'geoloc_radius')['x-extension'], true)
  assert.equal(parameter(document, '/events', 'get', 'geoloc')['x-extension'], undefined)
  assert.equal(parameter(document, '/events/{id}', 'get', 'context')['x-extension'], true)
})

test('parameters tell their bounds, words and defaults', async () => {
  const document = await documentOf({}, { PER_PAGE: '25' })

  assert.deepEqual(parameter(document, '/venues', 'get', 'per_page').schema, {
    type: 'integer',
    minimum: 1,
    default: 25,
  })
  assert.equal(parameter(document, '/events', 'get', 'geoloc_lat').schema.maximum, 90)
  assert.deepEqual(parameter(document, '/tags', 'get', 'order').schema.enum, ['asc', 'desc'])
  assert.equal(parameter(document, '/tags', 'get', 'hide_empty').schema.default, true)
})

test('a change has no defaults and can clear what creation must fill', async () => {
  const { CreateEventInput: create, ChangeEventInput: change } = (await documentOf({ version: '3.1.0' })).components
    .schemas as Record<string, { required?: string[]; properties: Record<string, Record<string, unknown>> }>

  // A translation takes its dates from the event that it translates.
  assert.deepEqual(create?.required, ['title'])
  assert.equal(change?.required, undefined)
  assert.equal(create?.properties.all_day?.default, false)
  assert.ok(!('default' in (change?.properties.all_day ?? {})))
  assert.equal(create?.properties.excerpt?.type, 'string')
  assert.deepEqual(change?.properties.excerpt?.type, ['string', 'null'])
})

test('lists tell their totals in headers, and created terms where they are', async () => {
  const document = await documentOf()

  const { headers: list = {} } = response(document, '/events', 'get', 200)
  const { headers: created = {} } = response(document, '/tags', 'post', 201)

  assert.deepEqual(Object.keys(list), ['Allow', 'X-TEC-Total', 'X-TEC-TotalPages', 'X-Changes-Cursor'])
  assert.deepEqual(Object.keys(created), ['Allow', 'Location', 'X-Record-Version'])
})

test('no text of the catalogues is the same in both languages', async () => {
  const same = Object.keys(english).filter((key) => english[key as keyof typeof english] === Object(french)[key])

  assert.deepEqual(same, [])
})

test('no text of the document is the same in both languages', async () => {
  for (const namespace of [contract, service]) {
    const englishTexts = new Map(textsOf(await documentOf({ namespace })))
    const frenchTexts = textsOf(await documentOf({ language: 'fr', namespace }))
    const same = frenchTexts.filter(([place, text]) => englishTexts.get(place) === text)

    assert.equal(englishTexts.size, frenchTexts.length)
    assert.deepEqual(same, [])
  }
})

test('French is set as in Canada: no-break spaces, curved apostrophes, no straight quotation marks', async () => {
  const texts = [contract, service].map(async (namespace) => textsOf(await documentOf({ language: 'fr', namespace })))
  const wrong = (await Promise.all(texts))
    .flat()
    .filter(([, text]) => /['"]| :|[^\s\d\u00a0]: |\u00a0;|« |[^\u00a0]»/.test(text))

  assert.deepEqual(wrong, [])
})

test('an operation is described by its endpoint, wherever it stands', async () => {
  const [known] = routes
  assert.ok(known)
  const moved = { ...contract, routes: [{ ...known, path: '/elsewhere' }] }

  const { paths } = await documentOf({ namespace: moved })

  assert.deepEqual(paths['/elsewhere'], (await documentOf()).paths['/'])
})

for (const [name, namespace] of Object.entries({
  contract,
  service,
  attachments: attachmentNamespace,
  oembed: oembedNamespace,
})) {
  for (const version of versions) {
    test(`the ${version} document of ${name} is valid, in both languages`, async () => {
      for (const language of languages) {
        const document = await documentOf({ language, version, namespace })
        const result = await new Validator().validate(document as unknown as Record<string, unknown>)

        assert.deepEqual(result.errors ?? [], [])
        assert.equal(
          new Set(operationsOf(document).map(([, { operationId }]) => operationId)).size,
          operationsOf(document).length,
        )
      }
    })
  }
}

test('the document of the service says what sets it apart: problem details, JSON bodies, sessions', async () => {
  const document = await documentOf({ version: '3.1.0', namespace: service })

  const keys = operation(document, '/users/{user}/keys', 'post')
  const upload = operation(document, '/media', 'post')
  const refused = document.components.responses?.[keys.responses[403]?.$ref?.split('/').at(-1) ?? '']

  assert.deepEqual(document.servers, [{ url: 'http://calendar.test/cal/service/v1' }])
  assert.deepEqual(Object.keys(keys.requestBody?.content ?? {}), ['application/json'])
  assert.deepEqual(Object.keys(upload.requestBody?.content ?? {}), ['multipart/form-data'])
  assert.deepEqual(Object.keys(Object(refused?.content)), ['application/problem+json'])
  assert.deepEqual(keys.security, [{ basic: [] }, { bearer: [] }, { session: [], csrf: [] }])
  assert.deepEqual(operation(document, '/session', 'post').security[0], {})
  assert.deepEqual(Object.keys(document.components.parameters ?? {}), [
    'ml_language',
    'If-Match',
    'dry_run',
    'Idempotency-Key',
  ])
})
