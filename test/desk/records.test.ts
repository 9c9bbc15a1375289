import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../support/app.ts'
import { fieldsIn, givenDesk, shownAfter, toldAfter } from '../support/desk.ts'
import { givenEvent, givenOrganizer, givenTerm, givenVenue } from '../support/given.ts'
import { service } from '../support/signing.ts'

test('venues are listed with their events and languages, made, translated and changed', async (t) => {
  const app = await startTestApp(t)
  const hall = await givenVenue(app, { venue: 'Hall <b>&amp; Café</b>', city: 'Québec', phone: '555' })
  await givenVenue(app, { venue: 'Arena' })
  const first = await givenEvent(app, { title: 'One', venue: hall.id })
  await givenEvent(app, { title: 'Un', ml_language: 'fr-CA', ml_translation_of: first.id })
  await givenEvent(app, { title: 'Two', venue: hall.id, status: 'draft' })
  const desk = await givenDesk(app, 'editor')

  const list = await desk.get('/admin/venues/')
  const used = await desk.get('/fr/admin/venues/?use=used')
  const found = await desk.get('/admin/venues/?q=arena')
  assert.match(list.text, />Arena<[\s\S]*>Hall &amp; Café<[\s\S]*Québec[\s\S]*>2 events</)
  assert.match(used.text, />1 lieu<[\s\S]*>2 événements</)
  assert.ok(!found.text.includes('Café') && found.text.includes('Arena'))

  await desk.get('/admin/venues/new/')
  const twice = await desk.send('/admin/venues/new/', { venue: 'arena' })
  assert.equal(twice.status, 422)
  assert.match(twice.text, /A venue of this name exists/)
  const faulty = await desk.send('/admin/venues/new/', { venue: 'Park', geo_lat: '95', geo_lng: '-73,5' })
  assert.match(faulty.text, /href="#f-geo_lat"/)
  const made = await desk.send('/admin/venues/new/', {
    venue: 'Park',
    geo_lat: '45,5',
    city: 'Laval',
    country: 'Canada',
    province: 'Québec',
  })
  const id = Number(/venues\/(\d+)\//.exec(made.headers.location ?? '')?.[1])
  const { body } = await app.send({ path: `/venues/${id}` })
  const opened = await desk.get(`/admin/venues/${id}/`)
  assert.match(
    opened.text,
    /<title>Edit venue – Park – [\s\S]*<h1>Edit venue\u00a0– <span lang="en" dir="auto">Park<\/span><\/h1>/,
  )
  assert.deepEqual(
    [body.venue, body.city, body.province, body.stateprovince, body.geo_lat, body.geo_lng, body.show_map],
    ['Park', 'Laval', 'Québec', 'Québec', 45.5, -73.5, true],
  )

  const blank = await desk.get(`/fr/admin/venues/new/?of=${id}&lang=fr-CA`)
  assert.deepEqual([fieldsIn(blank.text).venue, fieldsIn(blank.text).phone], ['Park', undefined])
  const translated = await desk.send(`/fr/admin/venues/new/?of=${id}&lang=fr-CA`, { venue: 'Le parc' })
  assert.equal(translated.status, 303, translated.text)
  assert.equal((await app.send({ path: `/venues/${id}?ml_language=fr-CA` })).body.venue, 'Park')
  assert.match(
    (await desk.get('/fr/admin/venues/?q=parc')).text,
    />Le parc<\/a> <span class="badge" title="en anglais">EN/,
  )
})

test('two people who change one organizer see both versions, and nothing is lost', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenOrganizer(app, { organizer: 'Choir', phone: '1', website: 'https://a.test' })
  const desk = await givenDesk(app, 'editor')
  await desk.get(`/admin/organizers/${id}/`)
  await app.send({ as: 'editor', method: 'PATCH', path: `/organizers/${id}`, json: { phone: '2', email: 'a@a.test' } })

  const conflict = await desk.send(`/admin/organizers/${id}/`, { phone: '3', website: 'https://b.test' })
  assert.equal(conflict.status, 409)
  assert.match(conflict.text, /value="3"[\s\S]*Saved in the meantime: 2[\s\S]*value="a@a.test"/)
  const saved = await desk.send(`/admin/organizers/${id}/`)

  assert.equal(saved.status, 303, saved.text)
  const { body } = await app.send({ path: `/organizers/${id}` })
  assert.deepEqual([body.phone, body.website, body.email], ['3', 'https://b.test', 'a@a.test'])
})

test('a venue with events is trashed only on purpose, in all its languages, and Undo brings it back', async (t) => {
  const app = await startTestApp(t)
  const hall = await givenVenue(app, { venue: 'Hall' })
  const french = await givenVenue(app, { venue: 'Salle', ml_language: 'fr-CA', ml_translation_of: hall.id })
  await givenEvent(app, { venue: hall.id })
  const desk = await givenDesk(app, 'editor')
  const statuses = async () =>
    Promise.all(
      [hall, french].map(async ({ id }) => (await app.send({ as: 'editor', path: `/venues/${id}` })).body.status),
    )

  await desk.get('/admin/venues/')
  const asked = await desk.send(`/admin/venues/${hall.id}/trash/`)
  assert.match(asked.text, /“Hall” has events[\s\S]*One event takes place there/)
  assert.deepEqual(await statuses(), ['publish', 'publish'])
  const done = await desk.send(`/admin/venues/${hall.id}/trash/`)
  assert.deepEqual(await statuses(), ['trash', 'trash'])
  const list = await desk.get(done.headers.location ?? '')
  assert.match(list.text, /The venue “Hall” is in the trash\./)
  await desk.send('/admin/venues/restore/', { ids: `${hall.id},${french.id}` })
  assert.deepEqual(await statuses(), ['publish', 'publish'])
})

test('roles and foreign forms: nobody changes more than the interface allows', async (t) => {
  const app = await startTestApp(t)
  const hall = await givenVenue(app, {
    venue: '<img src=x onerror=alert(1)>Hall "x"',
    city: '<script>alert(1)</script>',
  })
  const contributor = await givenDesk(app, 'contributor')
  const subscriber = await givenDesk(app, 'subscriber')

  const list = await contributor.get('/admin/venues/')
  assert.ok(
    !/<script(?! type="module" src="\/admin\/assets\/[\w.-]+"><\/script>)|<img/.test(
      list.text.replace(/<img src="[^"]*logo[^>]*>/, ''),
    ),
    list.text,
  )
  assert.ok(!list.text.includes(`/admin/venues/${hall.id}/`))
  assert.equal((await contributor.get(`/admin/venues/${hall.id}/`)).status, 404)
  await contributor.get('/admin/venues/new/')
  assert.equal((await contributor.send(`/admin/venues/${hall.id}/trash/`)).headers.location, '/admin/venues/')
  await contributor.get('/admin/venues/new/')
  const foreign = await contributor.send('/admin/venues/new/', { venue: 'Foreign', csrf: 'x' })
  assert.match(foreign.text, /The form was too old[\s\S]*value="Foreign"/)
  for (const path of ['/admin/venues/', '/admin/organizers/new/'])
    assert.equal((await subscriber.get(path)).status, 403)
  assert.equal((await app.send({ path: '/venues' })).body.total, 1)
})

test('a venue is merged after a preview, and Undo brings it back', async (t) => {
  const app = await startTestApp(t)
  const hall = await givenVenue(app, { venue: 'City Hall' })
  await givenVenue(app, { venue: 'Hôtel de ville', ml_language: 'fr-CA', ml_translation_of: hall.id })
  const town = await givenVenue(app, { venue: 'Town Hall' })
  const { id } = await givenEvent(app, { title: 'Council <b>meeting</b>', venue: hall.id })
  const desk = await givenDesk(app, 'editor')
  const author = await givenDesk(app, 'author')
  const venueOf = async () => (await app.send({ path: `/events/${id}` })).body.venue.venue
  const path = `/admin/venues/${hall.id}/merge/`

  const choice = await desk.get(`${path}?q=hall`)
  assert.ok(choice.text.includes(`value="${town.id}" required`) && !choice.text.includes(`value="${hall.id}" required`))
  const preview = await desk.get(`${path}?into=${town.id}`)
  assert.match(preview.text, /One event will move to “Town Hall”\. The venue “City Hall” goes to the trash/)
  assert.match(preview.text, /has no text in Canadian French[\s\S]*>Council meeting</)
  assert.match((await desk.get(`/fr${path}?into=${town.id}`)).text, /1 événement passera à «\u00a0Town Hall\u00a0»/)
  assert.equal(await venueOf(), 'City Hall')
  const self = await desk.get(`${path}?into=${hall.id}`)
  assert.match(self.text, /must name another one/)
  assert.equal((await author.get(path)).status, 403)
  const two = await desk.get(`/admin/venues/merge/?ids=${town.id}&ids=${hall.id}`)
  assert.equal(two.headers.location, `/admin/venues/${town.id}/merge/?into=${hall.id}`)
  const swapped = await desk.get(two.headers.location ?? '')
  assert.ok(swapped.text.includes(`href="${path}?into=${town.id}">Keep “Town Hall” instead`))
  assert.match((await shownAfter(desk, await desk.get('/admin/venues/merge/?ids=1'))).text, /Select two to merge them/)

  await desk.get(`${path}?into=${town.id}`)
  await app.send({ as: 'editor', method: 'PATCH', path: `/venues/${hall.id}`, json: { phone: '1' } })
  assert.equal((await desk.send(path)).status, 422)
  await desk.get(`${path}?into=${town.id}`)
  const merged = await desk.send(path)
  assert.equal(await venueOf(), 'Town Hall')
  const list = await desk.get(merged.headers.location ?? '')
  assert.match(list.text, /“City Hall” is merged into “Town Hall”\. One event has moved\./)
  const undone = await desk.send('/admin/venues/merge/undo/')

  assert.match((await desk.get(undone.headers.location ?? '')).text, /The merge is undone\./)
  assert.equal(await venueOf(), 'City Hall')
})

test('categories are shown as a tree in both languages, moved, merged and deleted', async (t) => {
  const app = await startTestApp(t)
  const arts = await givenTerm(app, 'categories', { name: 'Arts & <i>crafts</i>' })
  const music = await givenTerm(app, 'categories', { name: 'Music', parent: arts.id })
  const jazz = await givenTerm(app, 'categories', { name: 'Jazz', parent: music.id })
  await givenTerm(app, 'categories', { name: 'Musique', ml_language: 'fr-CA', ml_translation_of: music.id })
  await givenTerm(app, 'categories', { name: 'Théâtre', ml_language: 'fr-CA' })
  const songs = await givenTerm(app, 'categories', { name: 'Songs' })
  const event = await givenEvent(app, { title: 'One', categories: [music.id, songs.id] })
  const draft = await givenEvent(app, { title: 'Two', status: 'draft', categories: [music.id] })
  const desk = await givenDesk(app, 'editor')
  const author = await givenDesk(app, 'author')
  const namesOf = async ({ id }: { readonly id: number }) =>
    (await app.send({ as: 'editor', path: `/events/${id}` })).body.categories.map(
      ({ name }: { readonly name: string }) => name,
    )

  const tree = await desk.get('/admin/categories/')
  assert.match(
    tree.text,
    /depth-0"[\s\S]*>Arts &amp; crafts<[\s\S]*depth-1"[\s\S]*>Music<[\s\S]*FR<\/span> Musique[\s\S]*>1 event<[\s\S]*depth-2"[\s\S]*>Jazz<[\s\S]*depth-0"[\s\S]*>Songs<[\s\S]*>Théâtre</,
  )
  assert.match((await desk.get('/fr/admin/categories/')).text, /depth-1"[\s\S]*>Musique</)
  await desk.get(`/admin/categories/${jazz.id}/`)
  await desk.send(`/admin/categories/${jazz.id}/`, { name: 'Jazz & blues', parent: String(songs.id) })
  const { body: changed } = await app.send({ path: `/categories/${jazz.id}` })
  assert.deepEqual([changed.name, changed.parent], ['Jazz &amp; blues', songs.id])
  await app.send({ as: 'editor', method: 'PATCH', path: `/categories/${jazz.id}`, json: { parent: music.id } })

  await desk.get(`/admin/categories/${music.id}/remove/`)
  const preview = await desk.send(`/admin/categories/${music.id}/remove/`, { into: String(songs.id) })
  assert.match(preview.text, /2 events will move to “Songs”\. One category moves below “Songs”/)
  assert.equal((await namesOf(draft))[0], 'Music')
  const merged = await desk.send(`/admin/categories/${music.id}/remove/`)
  assert.match((await desk.get(merged.headers.location ?? '')).text, /” is merged into “[^”]+”\. 2\sevents have moved/)
  const undone = await desk.send('/admin/categories/merge/undo/')
  assert.match((await desk.get(undone.headers.location ?? '')).text, /The merge is undone\./)
  assert.deepEqual([await namesOf(event), await namesOf(draft)], [['Music', 'Songs'], ['Music']])
  await desk.get(`/admin/categories/${music.id}/remove/`)
  await desk.send(`/admin/categories/${music.id}/remove/`, { into: String(songs.id) })
  await desk.send(`/admin/categories/${music.id}/remove/`)
  assert.deepEqual([await namesOf(event), await namesOf(draft)], [['Songs'], ['Songs']])
  assert.equal((await app.send({ path: `/categories/${jazz.id}` })).body.parent, songs.id)
  const { body: categories } = await app.send({ path: '/categories?hide_empty=false&ml_language=fr-CA' })
  assert.ok(!JSON.stringify(categories).includes('Musique'))
  assert.equal((await app.send({ path: `/categories/${songs.id}` })).body.count, 1)

  const loop = {
    as: 'editor',
    method: 'POST',
    path: service(`/categories/${songs.id}/merge`),
    json: { into: jazz.id },
  } as const
  assert.match(Object.values<string>((await app.send(loop)).body.errors).join(), /its own parent/)
  await desk.get(`/fr/admin/categories/${songs.id}/remove/`)
  const asked = await desk.send(`/fr/admin/categories/${songs.id}/remove/`, { into: '' })
  assert.match(asked.text, /2 événements n’y seront plus rattachés\. 1 catégorie monte d’un niveau/)
  await desk.send(`/fr/admin/categories/${songs.id}/remove/`)
  assert.deepEqual(await namesOf(event), [])

  await desk.get('/admin/tags/new/')
  await desk.send('/admin/tags/new/', { name: 'Outdoors' })
  assert.match((await desk.get('/admin/tags/')).text, />Outdoors</)
  assert.deepEqual(
    [(await author.get('/admin/categories/')).status, (await author.get('/admin/tags/')).status],
    [200, 403],
  )
})

test('categories and tags of another language have their place, whatever lists of names fall back to', async (t) => {
  const app = await startTestApp(t, { NAMES_FALLBACK: 'none' })
  const french = { ml_language: 'fr-CA' }
  const theatre = await givenTerm(app, 'categories', { name: 'Théâtre', ...french })
  const puppets = await givenTerm(app, 'categories', { name: 'Marionnettes', parent: theatre.id, ...french })
  const music = await givenTerm(app, 'categories', { name: 'Music' })
  await givenTerm(app, 'categories', { name: 'Musique', ml_translation_of: music.id, ...french })
  await givenTerm(app, 'categories', { name: 'Jazz', parent: music.id })
  await givenTerm(app, 'tags', { name: 'Plein air', ...french })
  const desk = await givenDesk(app, 'editor')
  const tree = async (prefix: string) =>
    [
      ...(await desk.get(`${prefix}/admin/categories/`)).text.matchAll(/class="(depth-\d)"[\s\S]*?<a[^>]*>([^<]*)</g),
    ].map(([, depth, name]) => `${depth} ${name}`)

  const english = ['depth-0 Music', 'depth-1 Jazz', 'depth-0 Théâtre', 'depth-1 Marionnettes']
  assert.deepEqual(await tree(''), english)
  assert.deepEqual(
    await tree('/fr'),
    english.map((row) => row.replace('Music', 'Musique')),
  )
  assert.match((await desk.get('/admin/categories/')).text, /FR<\/span> Musique/)
  assert.match((await desk.get('/admin/tags/')).text, />Plein air</)
  const form = await desk.get(`/admin/categories/${puppets.id}/`)
  assert.match(form.text, new RegExp(`<option value="${theatre.id}" selected>Théâtre<`))
})

test('the trash gives back events, venues and organizers, and refuses what the interface refuses', async (t) => {
  const app = await startTestApp(t)
  const event = await givenEvent(app, { title: 'Old <b>fair</b>' })
  const hall = await givenVenue(app, { venue: 'Old hall' })
  for (const path of [`/events/${event.id}`, `/venues/${hall.id}`]) {
    await app.send({ as: 'editor', method: 'DELETE', path })
  }
  const desk = await givenDesk(app, 'editor')
  const contributor = await givenDesk(app, 'contributor')
  const statusOf = async (path: string) => (await app.send({ as: 'editor', path })).status

  assert.match((await desk.get('/admin/trash/')).text, /<strong>Old fair<\/strong>/)
  assert.match((await contributor.get('/admin/trash/')).text, /Nothing is in the trash/)
  const refused = await contributor.send(`/admin/trash/events/${event.id}/restore/`)
  await contributor.get('/admin/venues/new/')
  const really = await contributor.send(`/admin/trash/events/${event.id}/restore/`)
  assert.equal(refused.status, 403)
  assert.match(toldAfter(really).join(), /^\/admin\/trash\/\?kind=events,It could not be restored/)
  const back = await desk.send(`/admin/trash/events/${event.id}/restore/`)
  assert.match((await desk.get(back.headers.location ?? '')).text, /It is back, in its earlier state/)

  const [arena, arene] = [await givenVenue(app, { venue: 'Arena <b>x</b>' }), await givenVenue(app, { venue: 'Park' })]
  for (const { id } of [arena, arene]) await app.send({ as: 'editor', method: 'DELETE', path: `/venues/${id}` })
  await desk.get('/fr/admin/trash/?kind=venues')
  const none = await desk.send('/admin/trash/venues/delete/')
  assert.match((await desk.get(none.headers.location ?? '')).text, /Select what to delete first/)
  const ids = [arena, arene].map(({ id }) => String(id))
  const asked = await desk.send('/fr/admin/trash/venues/delete/', { ids })
  assert.match(asked.text, /Supprimer définitivement 2\sfiches[\s\S]*<strong>Arena x<\/strong>[\s\S]*<strong>Park</)
  const inTrash = async () => (await app.send({ as: 'editor', path: '/venues?status=trash' })).body.venues?.length ?? 0
  assert.equal(await inTrash(), 3)
  const deleted = await desk.send('/admin/trash/venues/delete/', { ids })
  assert.match((await desk.get(deleted.headers.location ?? '')).text, /2\sentries were deleted for good\./)
  assert.equal(await inTrash(), 1)
  assert.match((await desk.get('/admin/trash/?kind=venues')).text, />Old hall</)
  await desk.send(`/admin/trash/venues/${hall.id}/restore/`)

  assert.deepEqual([await statusOf(`/events/${event.id}`), await statusOf(`/venues/${hall.id}`)], [200, 200])
})

test('administrators see who changed what, and keys are made, shown once and revoked', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenVenue(app, { venue: 'Hall' })
  await app.send({
    as: 'editor',
    method: 'PATCH',
    path: `/venues/${id}`,
    json: { phone: '555', description: '<i>1</i>' },
  })
  const administrator = await givenDesk(app, 'administrator')
  const editor = await givenDesk(app, 'editor')

  const activity = await administrator.get('/admin/activity/?kind=venue')
  assert.match(
    activity.text,
    /<td>editor<\/td>[\s\S]*Changed: <a href="\/admin\/venues\/\d+\/">Hall<\/a> <span class="hint">Venue \d+</,
  )
  assert.match(activity.text, /<dt>phone<\/dt>[\s\S]*<del>\(empty\)<\/del>/)
  assert.ok(activity.text.includes('&lt;i&gt;1&lt;/i&gt;') && !activity.text.includes('<i>1'))
  assert.match((await administrator.get('/fr/admin/activity/')).text, /Modification/)
  assert.equal((await editor.get('/admin/activity/')).status, 403)

  await editor.get('/admin/account/keys/')
  const faulty = await editor.send('/admin/account/keys/', { label: '', scope: 'read' })
  assert.match(faulty.text, /href="#f-label"/)
  const made = await editor.send('/admin/account/keys/', { label: 'Import <1>', scope: 'plan', days: '30' })
  const secret = /id="f-secret"[^>]* value="([^"]+)"/.exec(made.text)?.[1] ?? ''
  const asProgram = () =>
    app.send({
      path: service('/venues/usage'),
      headers: { authorization: `Basic ${Buffer.from(`editor:${secret}`).toString('base64')}` },
    })
  assert.equal((await asProgram()).status, 200)
  const list = await editor.get('/admin/account/keys/')
  assert.match(list.text, /<strong>Import &lt;1&gt;<\/strong>[\s\S]*read, and try changes without making them/)
  assert.ok(!list.text.includes(secret))
  const [, key = ''] = /keys\/(\d+)\/revoke\/">(?:(?!<\/form>)[\s\S])*Import/.exec(list.text) ?? []
  const revoked = await editor.send(`/admin/account/keys/${key}/revoke/`)
  assert.match((await editor.get(revoked.headers.location ?? '')).text, /The key is revoked/)
  assert.equal((await asProgram()).status, 401)
  assert.equal((await editor.get('/admin/users/5/keys/')).status, 403)
  assert.match((await administrator.get('/admin/users/4/keys/')).text, /Keys of editor/)
  assert.equal((await administrator.get('/admin/users/999/keys/')).status, 404)
})

test('the activity names what still exists, in the language of the page, and says which entry it is', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, { title: 'Fair <b>&amp; more</b>', status: 'draft' })
  const gone = await givenEvent(app, { title: 'Gone' })
  const json = { title: 'Foire', start_date: '2030-05-05 19:00', end_date: '2030-05-05 21:00', ml_translation_of: id }
  const made = await app.send({ as: 'editor', method: 'POST', path: '/events?ml_language=fr-CA', json })
  assert.equal(made.status, 201, made.text)
  const french = made.body.id
  const tag = await app.send({ as: 'editor', method: 'POST', path: '/tags', json: { name: 'Free' } })
  await app.send({ as: 'editor', method: 'DELETE', path: `/events/${gone.id}` })
  const desk = await givenDesk(app, 'administrator')
  const shown = async (path: string) => {
    const { text } = await desk.get(path)
    return [...text.matchAll(/<th scope="row">([\s\S]*?)<\/th>/g)].map(([, row = '']) => row)
  }

  const english = await shown('/admin/activity/')
  const ofFrench = await shown('/fr/admin/activity/')

  const entry = (path: string, name: string, what: string) =>
    `<a href="${path}">${name}</a> <span class="hint">${what}</span>`
  const has = (rows: readonly string[], end: string) => rows.some((row) => row.endsWith(end))
  assert.ok(has(english, entry(`/admin/events/${id}/`, 'Fair &amp; more', `Event ${id}`)), english.join('\n'))
  assert.ok(has(english, entry(`/admin/events/${french}/`, 'Fair &amp; more', `Event ${french}`)), english.join('\n'))
  assert.ok(has(english, entry(`/admin/tags/${tag.body.id}/`, 'Free', `Tag ${tag.body.id}`)), english.join('\n'))
  assert.ok(has(english, `Moved to the trash: Event ${gone.id}`), english.join('\n'))
  assert.ok(has(ofFrench, entry(`/fr/admin/events/${id}/`, 'Foire', `Événement ${id}`)), ofFrench.join('\n'))
})

test('venues that look alike are listed with the reason, and those of other towns are not', async (t) => {
  const app = await startTestApp(t)
  const centre = await givenVenue(app, { venue: 'Nature Centre', city: 'Laval' })
  const center = await givenVenue(app, { venue: 'The Nature Center' })
  await givenVenue(app, { venue: 'Town Hall', city: 'Laval' })
  await givenVenue(app, { venue: 'Town Hall', city: 'San Diego', apart: true })
  await givenVenue(app, { venue: 'Town Hall', city: 'San Francisco', apart: true })
  const one = await givenVenue(app, { venue: 'Café Olé', city: 'Laval', address: '1, rue du Parc' })
  const other = await givenVenue(app, { venue: 'Lounge', city: 'Laval', address: '1 rue du Parc' })
  await givenEvent(app, { venue: centre.id })
  const desk = await givenDesk(app, 'editor')
  const author = await givenDesk(app, 'author')

  const { text } = await desk.get('/admin/venues/')
  const pairs = [...text.matchAll(/venues\/(\d+)\/merge\/\?into=(\d+)/g)].map(([, from, into]) =>
    [from, into].map(Number),
  )

  assert.deepEqual(
    [pairs.slice(0, 1), pairs.slice(1).map((pair) => pair.toSorted())],
    [[[center.id, centre.id]], [[one.id, other.id].toSorted()]],
  )
  assert.match(text, /2 pairs look alike[\s\S]*Almost the same name[\s\S]*Same address/)
  assert.doesNotMatch((await desk.get('/admin/organizers/')).text, /look alike/)
  assert.doesNotMatch((await author.get('/admin/venues/')).text, /look alike/)
})
