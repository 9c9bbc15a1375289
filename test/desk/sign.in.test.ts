import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROLES } from '../../src/access/auth/actor.ts'
import { startTestApp } from '../support/app.ts'
import { formText, givenDesk, openDesk, sameOrigin, toldAfter } from '../support/desk.ts'
import { givenEvent } from '../support/given.ts'
import { goodPassword, setOwnPassword } from '../support/signing.ts'

test('whoever has not signed in is led to the sign-in page, and back to where they wanted to go', async (t) => {
  const app = await startTestApp(t)
  await setOwnPassword(app, 'editor')
  const desk = openDesk(app)

  const led = await desk.get('/fr/admin/events/?status=draft')
  const page = await desk.get(led.headers.location ?? '')
  const signedIn = await desk.send('/fr/admin/sign-in/', { login: 'editor', password: goodPassword })
  const events = await desk.get(signedIn.headers.location ?? '')

  assert.equal(led.status, 303)
  assert.match(page.text, /<html lang="fr-CA">/)
  assert.match(page.text, /name="login"[^>]* autofocus/)
  assert.equal(signedIn.status, 303)
  assert.equal(signedIn.headers.location, '/fr/admin/events/?status=draft')
  assert.match(events.text, /<h1 id="title">Événements<\/h1>/)
})

test('a wrong password is told at the field, with a summary that gets the focus, and the name stays', async (t) => {
  const app = await startTestApp(t)
  const desk = openDesk(app)

  await desk.get('/admin/sign-in/')
  const { status, text } = await desk.send('/admin/sign-in/', { login: 'editor', password: 'wrong' })

  assert.equal(status, 422)
  assert.match(text, /<div class="faults" role="alert" tabindex="-1" autofocus>/)
  assert.match(text, /<a href="#f-password">Password<\/a> The user name or the password is wrong\./)
  assert.match(text, /name="login"[^>]* value="editor"/)
  assert.doesNotMatch(text, /value="wrong"/)
})

test('after signing in, nobody is led to another site', async (t) => {
  const app = await startTestApp(t)
  await setOwnPassword(app, 'editor')
  const hostile = [
    ...[
      'https://evil.example/',
      '//evil.example/admin/',
      '/\\evil.example/admin/',
      '/admin/../../evil',
      'javascript:alert(1)',
    ],
    ...[
      '/admin/sign-in/',
      '/admin/link/x/',
      '/events/',
      '/fr//evil.example',
      '/admin\n/',
      '/admin/%0d%0aSet-Cookie:a=b',
      '',
    ],
  ]

  for (const to of hostile) {
    const { status, headers } = await openDesk(app).send('/admin/sign-in/', {
      to,
      login: 'editor',
      password: goodPassword,
    })
    assert.equal(status, 303, to)
    assert.match(headers.location ?? '', /^\/admin\/(?:%0d%0aSet-Cookie:a=b)?$/, to)
  }
})

test('guesses are limited as in the interface', async (t) => {
  const app = await startTestApp(t, { FAILURE_LIMIT: '2/600', TRUST_PROXY: 'true' })
  await setOwnPassword(app, 'editor')
  const guess = (password: string) =>
    openDesk(app).send('/admin/sign-in/', { login: 'editor', password }, { 'x-forwarded-for': '203.0.113.9' })

  const statuses = [await guess('a'), await guess('b'), await guess(goodPassword)].map(({ status }) => status)

  assert.deepEqual(statuses, [422, 422, 429])
})

test('a form that arrives after the session has ended is kept through the sign-in', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')

  await desk.get('/admin/events/new/')
  desk.forget()
  const typed = { 'title.en': 'A "quoted" <title>', 'description.en': 'Line one\nLine two', to: 'draft' }
  const kept = await desk.send('/admin/events/new/', typed)
  const again = await desk.send('/admin/sign-in/', { login: 'editor', password: goodPassword })
  const day = { start: '2030-02-01 19:00', end: '21:00' }
  const saved = await desk.send('/admin/events/new/', { ...day, to: 'draft' })

  assert.equal(kept.status, 403)
  assert.match(kept.text, /Your session has ended/)
  assert.equal(again.status, 200)
  assert.match(again.text, /You are signed in again/)
  assert.match(again.text, /value="A &quot;quoted&quot; &lt;title&gt;"/)
  assert.match(again.text, /Line one\nLine two<\/textarea>/)
  assert.equal((await app.send({ as: 'editor', path: '/events?status=draft&start_date=2000-01-01' })).body.total, 1)
  assert.equal(saved.status, 303)
})

test('a form without the token of the session changes nothing', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app)
  const other = await givenDesk(app, 'author')
  const foreign = /name="csrf" value="([^"]*)"/.exec((await other.get('/admin/')).text)?.[1] ?? ''
  const desk = await givenDesk(app, 'editor')

  for (const csrf of ['', foreign, 'x'.repeat(10_000)]) {
    const trashed = await desk.send(`/admin/events/${id}/trash/`, { csrf })
    assert.equal(trashed.status, 403)
    const made = await desk.send('/admin/events/new/', {
      csrf,
      'title.en': 'Kept',
      start: '2030-02-01',
      all_day: '1',
      to: 'publish',
    })
    assert.match(made.text, /value="Kept"/)
  }

  assert.equal((await app.send({ path: `/events/${id}` })).body.status, 'publish')
  assert.equal((await app.send({ path: '/events' })).body.total, 1)
})

test('pages of other sites can neither sign in nor send forms', async (t) => {
  const app = await startTestApp(t)
  await setOwnPassword(app, 'editor')
  const { id } = await givenEvent(app)
  const desk = await givenDesk(app, 'editor')
  await desk.get('/admin/events/')

  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }]) {
    const signedIn = await openDesk(app).send('/admin/sign-in/', { login: 'editor', password: goodPassword }, headers)
    const trashed = await desk.send(`/admin/events/${id}/trash/`, {}, headers)
    assert.deepEqual([signedIn.status, signedIn.headers['set-cookie'], trashed.status], [403, undefined, 403])
  }

  assert.equal((await app.send({ path: `/events/${id}` })).body.status, 'publish')
})

test('a link of another site leads to the desk by a page of the desk, which sends the cookie', async (t) => {
  const app = await startTestApp(t)

  const { status, text } = await app.send({ path: '//admin/events/?q=a', headers: { 'sec-fetch-site': 'cross-site' } })

  assert.equal(status, 200)
  assert.match(text, /<meta http-equiv="refresh" content="0; url=\/admin\/events\/\?q=a">/)
})

test('no page of the desk may be stored, framed or indexed, or run scripts of others', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'administrator')

  for (const path of [
    '/admin/',
    '/admin/events/',
    '/admin/sign-in/',
    '/admin/users/',
    '/admin/nowhere/',
    '/fr/admin/account/',
    '/admin',
  ]) {
    const { headers, text } = await desk.get(path)
    const policy = headers['content-security-policy'] ?? ''
    assert.equal(headers['cache-control'], 'no-store', path)
    assert.equal(headers['x-robots-tag'], 'noindex, nofollow', path)
    assert.equal(headers['x-frame-options'], 'DENY', path)
    assert.match(policy, /script-src 'self'; style-src 'self';.*form-action 'self'.*frame-ancestors 'none'/, path)
    assert.doesNotMatch(
      text,
      /<script(?! type="module" src="\/admin\/assets\/[\w.-]+"><\/script>)|style="|onclick/,
      path,
    )
  }
  assert.match((await app.send({ path: '//robots.txt' })).text, /Disallow: \/admin\/\n[\s\S]*|Disallow: \/fr\/admin\//)
})

test('each role gets the pages that it may use, and no others', async (t) => {
  const app = await startTestApp(t)
  const pages = [
    '/admin/',
    '/admin/account/',
    '/admin/events/',
    '/admin/events/new/',
    '/admin/search/',
    '/admin/users/',
  ]
  const seen: Record<string, readonly number[]> = {}
  const shown: Record<string, boolean> = {}

  for (const role of ROLES) {
    const desk = await givenDesk(app, role)
    const answers = []
    for (const path of pages) answers.push(await desk.get(path))
    seen[role] = answers.map(({ status }) => status)
    shown[role] = /href="\/admin\/users\/"/.test(answers[0]?.text ?? '')
    const created = await desk.send('/admin/users/', { name: `by-${role}`, role: 'administrator' })
    assert.equal(created.status, role === 'administrator' ? 200 : 403)
  }

  const writers = [200, 200, 200, 200, 200, 403]
  assert.deepEqual(seen, {
    subscriber: [200, 200, 403, 403, 403, 403],
    contributor: writers,
    author: writers,
    editor: writers,
    administrator: [200, 200, 200, 200, 200, 200],
  })
  assert.deepEqual(shown, { subscriber: false, contributor: false, author: false, editor: false, administrator: true })
})

test('an administrator invites a person, who chooses a password with the link and is at the desk', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'administrator')
  await desk.get('/admin/users/')
  const made = await desk.send('/admin/users/', { name: 'marie', role: 'editor', email: '' })
  const path = /\/admin\/link\/[\w-]{43}\//.exec(made.text)?.[0] ?? ''
  const person = openDesk(app)

  const page = await person.get(path)
  const differs = await person.send(path, { password: goodPassword, repeat: 'another password' })
  const chosen = await person.send(path, { password: goodPassword, repeat: goodPassword })
  const start = await person.get(chosen.headers.location ?? '')
  const again = await openDesk(app).get(path)

  assert.match(page.text, /Welcome, marie/)
  assert.equal(differs.status, 422)
  assert.equal(chosen.status, 303)
  assert.match(start.text, /<h1>Today<\/h1>/)
  assert.equal(again.status, 410)
  assert.match(again.text, /already been used/)
})

test('a person changes the password, ends other sessions and signs out', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'author')
  const other = await openDesk(app)
  await other.send('/admin/sign-in/', { login: 'author', password: goodPassword })

  await desk.get('/admin/account/')
  const wrong = await desk.send('/admin/account/password/', {
    current: 'x',
    password: 'a quite new password',
    repeat: 'a quite new password',
  })
  const right = await desk.send('/admin/account/password/', {
    current: goodPassword,
    password: 'a quite new password',
    repeat: 'a quite new password',
  })
  const gone = await other.get('/admin/account/')
  await desk.get('/admin/account/')
  const out = await desk.send('/admin/sign-out/')
  const after = await desk.get('/admin/')

  assert.match(wrong.text, /current password is wrong/)
  assert.match(toldAfter(right).join(), /^\/admin\/account\/,Your password is changed/)
  assert.equal(gone.status, 303)
  assert.equal(out.headers.location, '/admin/sign-in/?out=1')
  assert.equal(after.status, 303)
})

test('a form that is too long is refused before it is read', async (t) => {
  const app = await startTestApp(t)

  const { status } = await app.send({
    ...{ method: 'POST', path: '//admin/events/new/', headers: sameOrigin },
    form: formText({ description: 'x'.repeat(600_000) }),
  })

  assert.equal(status, 413)
})
