import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestAnswer, type TestApp } from '../support/app.ts'
import { givenEvent, givenOrganizer, givenTerm, givenVenue, listedIds, plainEvent } from '../support/given.ts'

// What was found different beside the reference, and is alike since.

const nothings = [
  ...["'", '%27', '!!!', '---', '.', '*', '+', '%', '%20', '%20%20', '%2500', '%00', '%22', '%26nbsp%3B', '%252D'],
  ...['%E2%80%99', '%C2%AB', '%E2%80%8B', '%C2%AD', '%25ff', '%2F', '%3Cb%3E%3C%2Fb%3E'],
]

test('a slug of which nothing remains is unknown on every route, for reads and writes', async (t) => {
  const app = await startTestApp(t)
  // Drafts have no slug: none of them may be found.
  const draft = await givenEvent(app, { title: '!!!', status: 'draft' }, 'author')
  await givenVenue(app, { venue: '!!!', status: 'draft' })
  await givenOrganizer(app, { organizer: '!!!', status: 'draft' })
  for (const kind of ['events', 'venues', 'organizers']) {
    for (const nothing of nothings) {
      for (const [method, json] of [['GET'], ['HEAD'], ['DELETE'], ['PUT', {}], ['PATCH', {}], ['POST', {}]] as const) {
        const path = `/${kind}/by-slug/${nothing}`
        const { status } = await app.send({ as: 'editor', method, path, ...(json ? { json } : {}) })
        assert.equal(status, 404, `${method} ${path}`)
      }
    }
  }
  const { body } = await app.send({ as: 'author', path: `/events/${draft.id}` })
  assert.equal(body.status, 'draft')
})

test('the slug that the trash gives to a record without one finds no record either', async (t) => {
  const app = await startTestApp(t)
  const draft = await givenEvent(app, { status: 'draft' }, 'author')
  await app.send({ as: 'author', method: 'DELETE', path: `/events/${draft.id}` })

  for (const slug of ['__trashed', '%27__trashed', '__TRASHED']) {
    const path = `/events/by-slug/${slug}`
    assert.equal((await app.send({ as: 'editor', path })).status, 400, slug)
    assert.equal((await app.send({ as: 'editor', method: 'DELETE', path })).status, 400, slug)
    assert.equal((await app.send({ as: 'editor', method: 'PUT', path, json: { title: 'x' } })).status, 404, slug)
  }
  for (const path of ['//event/%27/', '//event/__trashed/', '//venue/%27/', '//organizer/-/'])
    assert.equal((await app.send({ path })).status, 404, path)
})

test('a parameter of the path that also comes as an object or a list is refused on every route', async (t) => {
  const app = await startTestApp(t)
  const event = await givenEvent(app)
  const [venue, organizer] = [await givenVenue(app), await givenOrganizer(app)]
  const [category, tag] = [
    await givenTerm(app, 'categories', { name: 'A' }),
    await givenTerm(app, 'tags', { name: 'B' }),
  ]
  const paths = [
    [`/events/${event.id}`, 'id'],
    [`/events/by-slug/${event.slug}`, 'slug'],
    [`/venues/${venue.id}`, 'id'],
    [`/venues/by-slug/${venue.slug}`, 'slug'],
    [`/organizers/${organizer.id}`, 'id'],
    [`/organizers/by-slug/${organizer.slug}`, 'slug'],
    [`/categories/${category.id}`, 'id'],
    [`/tags/${tag.id}`, 'id'],
  ] as const
  for (const [path, name] of paths) {
    for (const shape of [`${name}[a]=1`, `${name}[]=1`, `${name}[a][b]=1`]) {
      for (const method of ['GET', 'PUT', 'DELETE'] as const) {
        const asked = await app.send({ as: 'administrator', method, path: `${path}?${shape}` })
        assert.equal(asked.status, 400, `${method} ${path}?${shape}`)
        assert.equal(asked.body.code, 'rest_invalid_param')
        assert.deepEqual(Object.keys(asked.body.data.params), [name])
      }
    }
    for (const json of [{ [name]: { a: 1 } }, { [name]: [1] }]) {
      // JSON is read with every method.
      for (const method of ['GET', 'POST', 'PATCH', 'DELETE'] as const) {
        const { status } = await app.send({ as: 'administrator', method, path, json })
        assert.equal(status, 400, `${method} ${path} ${JSON.stringify(json)}`)
      }
    }
    const part = `--x\r\nContent-Disposition: form-data; name="${name}[a]"\r\n\r\n1\r\n--x--\r\n`
    for (const [type, body] of [
      ['application/x-www-form-urlencoded', `${name}[]=1`],
      ['multipart/form-data; boundary=x', part],
    ] as const) {
      for (const method of ['POST', 'PUT', 'DELETE'] as const) {
        const sent = { payload: Buffer.from(body), headers: { 'content-type': type } }
        assert.equal((await app.send({ as: 'administrator', method, path, ...sent })).status, 400, `${path} ${type}`)
      }
    }
    assert.equal((await app.send({ path: `${path}?${name}=1` })).status, 200, `${path}, as a text`)
  }
})

test('an empty list of fields is no filter, and of a repeated parameter the last form counts', async (t) => {
  const app = await startTestApp(t)
  const ids: number[] = []
  for (const title of ['A', 'B', 'C']) ids.push((await givenEvent(app, { title })).id)

  const { body: whole } = await app.send({ path: `/events/${ids[0]}` })
  for (const fields of ['', ',', '%20']) {
    assert.deepEqual((await app.send({ path: `/events/${ids[0]}?_fields=${fields}` })).body, whole)
  }
  for (const query of ['_fields[]=', '_fields', '_fields[]=id&_fields=']) {
    assert.deepEqual((await app.send({ path: `/events/${ids[0]}?${query}` })).body, whole, query)
  }
  assert.deepEqual((await app.send({ path: `/events/${ids[0]}?_fields=id` })).body, { id: ids[0] })

  assert.equal((await listedIds(app, 'per_page[]=5&per_page=1')).length, 1)
  assert.equal((await listedIds(app, 'per_page[a]=5&per_page[]=7&per_page=2')).length, 2)
  assert.deepEqual(await listedIds(app, `include=${ids[0]}&include[]=${ids[1]}&include[]=${ids[2]}`), ids.slice(1))
  assert.deepEqual(await listedIds(app, `include[]=${ids[1]}&include=${ids[0]}`), [ids[0]])
  // In every mixture of forms, encoded or not, in the query or in a form.
  for (const query of [
    'per_page%5B%5D=5&per_page=1',
    'per_page=3&per_page[]=5&per_page=1',
    'per_page[a][b]=5&per_page=1',
  ])
    assert.equal((await listedIds(app, query)).length, 1, query)
  assert.equal((await app.send({ path: '/events?per_page=1&per_page[]=5' })).status, 400)
  const changed = { as: 'editor', method: 'POST', path: `/events/${ids[0]}` } as const
  assert.equal((await app.send({ ...changed, form: 'title[]=X&title=Y' })).body.title, 'Y')
})

test('an empty item of a form clears the organizers and the venue, as an empty text does', async (t) => {
  const app = await startTestApp(t)
  const [venue, organizer] = [await givenVenue(app), await givenOrganizer(app)]
  const { id } = await givenEvent(app, { venue: venue.id, organizer: organizer.id })
  const send = (path: string, form: string) =>
    app.send({
      ...{ as: 'editor', method: 'POST', path },
      form,
    })
  const start = new URLSearchParams(plainEvent)

  assert.equal((await send('/events', `${start}&organizer[]=&venue[]=`)).status, 201)
  const { status, body } = await send(`/events/${id}`, 'organizer[]=&venue[]=')

  assert.deepEqual([status, body.organizer, body.venue], [200, [], []])
  // An object is a venue, and this one has no name.
  for (const form of ['venue[venue]=', 'organizer[organizer]=', 'venue[]=0'])
    assert.equal((await send(`/events/${id}`, form)).status, 400, form)
})

test('addresses with repeated slashes at an end, or below index.php, answer like their clean form', async (t) => {
  for (const [prefix, word] of [
    ['/wp-json', 'tribe'],
    ['/api', 'cal'],
    ['', 'cal'],
  ] as const) {
    const app = await startTestApp(t, { REST_PREFIX: prefix, VENDOR_WORD: word })
    const { id } = await givenEvent(app)
    const forms = (path: string) => [
      ...[`/${path}`, `///${path}`, `${path}//`, `${path}////`, `/index.php${path}`, `/INDEX.PHP${path}/`],
      ...[`//index.php${path}//`, path],
    ]
    for (const [clean, query] of [
      [`${prefix}/${word}/events/v1/events`, '?per_page=1'],
      [`${prefix}/${word}/events/v1/events/${id}`, ''],
      [`${prefix}/${word}/events/v1`, ''],
      [`/fr${prefix}/${word}/events/v1/events`, '?page=1'],
    ] as const) {
      const expected = await asSent(app, `${clean}${query}`)
      assert.equal(expected.status, 200, clean)
      assert.equal((await asSent(app, `${clean}/${query}`)).text, expected.text)
      app.statements()
      for (const path of forms(clean)) {
        const { status, text } = await asSent(app, `${path}${query}`)
        assert.deepEqual({ status, text }, { status: 200, text: expected.text }, path)
        // It is the same request to the cache too.
        assert.deepEqual(app.statements(), [], path)
      }
    }
    // Rights are those of the clean form.
    for (const path of forms(`${prefix}/${word}/events/v1/events/${id}`)) {
      assert.equal((await app.send({ method: 'DELETE', path: `/${path}` })).status, 401, path)
      assert.equal((await app.send({ as: 'contributor', method: 'DELETE', path: `/${path}` })).status, 403, path)
    }
    const feed = await asSent(app, `/${prefix}/${word}/service/v1/changes`)
    assert.deepEqual([feed.status, Object.keys(feed.body).includes('items')], [200, true])
    const front = await asSent(app, `//?rest_route=/${word}/events/v1/events//`)
    assert.equal(front.body.total, 1)
  }
})

test('an address with repeated slashes leads to no other site, and opens no page of editors', async (t) => {
  const app = await startTestApp(t, { REST_PREFIX: '/wp-json' })
  for (const start of ['//', '///', '/index.php/', '/index.php//', '//index.php/']) {
    for (const path of [
      'evil.example',
      'evil.example/events',
      'evil.example/',
      'events',
      'admin',
      'admin/',
      'metrics',
    ]) {
      const { status, headers } = await asSent(app, `${start}${path}`)
      assert.equal(headers.location, undefined, `${start}${path}`)
      assert.equal(status, 404, `${start}${path}`)
    }
  }
})

/** Sends a request with a path as it is. */
async function asSent(app: TestApp, path: string): Promise<TestAnswer> {
  return app.send({ path: `/${path}` })
}

test('a list for editing shows protected events to those who may edit them, and to nobody else', async (t) => {
  const app = await startTestApp(t)
  const event = await givenEvent(app, { description: 'secret text', event_password: 'open' }, 'author')
  const shown = async (as: 'editor' | 'author' | 'contributor' | undefined, context = 'edit') => {
    const { body } = await app.send({ ...(as ? { as } : {}), path: `/events?include=${event.id}&context=${context}` })
    return body.events[0]?.description
  }
  assert.match(await shown('editor'), /secret text/)
  assert.match(await shown('author'), /secret text/)
  assert.equal(await shown('editor', 'view'), '')
  assert.equal(await shown('contributor'), '')
  assert.equal(await shown(undefined), '')
})

test('other sizes of a picture stay in a description, each if its address is allowed', async (t) => {
  const app = await startTestApp(t)
  const described = async (description: string) => (await givenEvent(app, { description })).description
  const whole =
    '<img src="https://a.example/1.jpg" srcset="https://a.example/1.jpg 1x, https://a.example/2.jpg 2x" sizes="50vw">'
  assert.match(
    await described(whole),
    /srcset="https:\/\/a.example\/1.jpg 1x, https:\/\/a.example\/2.jpg 2x" sizes="50vw"/,
  )
  const mixed =
    '<img src="https://a.example/1.jpg" srcset="javascript:alert(1) 1x, data:image/png;base64,AA 2x, /b.jpg 3x">'
  const kept = await described(mixed)
  assert.match(kept, /srcset="\/b.jpg 3x"/)
  assert.doesNotMatch(kept, /javascript|data:/)
})
