import type { Role } from '../../src/access/auth/actor.ts'
import { sessionCookieName } from '../../src/access/auth/session.cookie.ts'
import { csrfTokenOf, newSessionSecret, openSession } from '../../src/access/auth/session.service.ts'
import { createUser } from '../../src/access/auth/user.service.ts'
import type { Deps } from '../../src/access/deps.ts'
import { openRoutes, ownRoutes } from '../../src/desk/serving/desk.routes.ts'
import { fieldsIn } from '../support/desk.ts'
import type { Operation, Parameter } from './document.ts'
import { type Credentials, csrfPlaceholder } from './wire.ts'

/** The values of path parameters of the desk. Users and keys are those of the fuzzer: the walk needs the others. */
const knownInPath: Readonly<Record<string, readonly unknown[]>> = {
  id: [9, 10, 1, 5, 14, 13, 3, 999],
  kind: ['events', 'venues', 'organizers', 'x'],
  user: [10, 9, 6, 999],
  key: [10, 9, 6, 999],
  session: [6, 7, 999],
  secret: ['x', '0'.repeat(43)],
}
const plain = { inQuery: [], inBody: [], bodies: [] }
/** Parameters of addresses of the desk. */
const asked = ['search', 'status', 'page', 'month', 'week', 'venue', 'category', 'to', 'result', 'back', 'language']

/** Creates a user with this role. Returns a key of theirs, and a session of their browser. */
export async function signUp(
  deps: Deps,
  { name, role }: { readonly name: string; readonly role: Role },
): Promise<Credentials> {
  const { user, secret } = await createUser(deps, { name, role, email: `${name}@example.org` })
  const session = newSessionSecret()
  await deps.storage.writeWithoutRevision((tx) => openSession({ tx, at: deps.now() }, user, session))
  const isSecure = deps.config.publicUrl?.startsWith('https:') === true
  return {
    authorization: `Basic ${btoa(`${name}:${secret}`)}`,
    cookie: `${sessionCookieName(isSecure)}=${session}`,
    csrf: csrfTokenOf(session),
  }
}

/**
 * Returns the operations of the desk: each of its pages, and each form that they show.
 *
 * @param read Returns a page as an administrator sees it.
 */
export async function deskOperations(read: (path: string) => Promise<string>): Promise<readonly Operation[]> {
  const routes = [...openRoutes, ...ownRoutes].map((route) => ({ ...route, inPath: parametersIn(route.route) }))
  const forms: { readonly action: string; readonly fields: Readonly<Record<string, string>> }[] = []
  for (const { route, inPath } of routes)
    forms.push(...formsIn(await read(filled(route, inPath)), filled(route, inPath)))
  return ['', '/fr'].flatMap((language) =>
    routes.flatMap(({ route, inPath, pattern, submit }): Operation[] => {
      const bodies = forms.filter(({ action }) => pattern.test(action)).map(({ fields }) => fields)
      const names = [...new Set((bodies.length > 0 ? bodies : forms.map(({ fields }) => fields)).flatMap(Object.keys))]
      const path = `${language}${route}`
      const page = { ...plain, method: 'GET', path, inPath, inQuery: asked.map(parameterOf) }
      const form = { ...plain, method: 'POST', path, inPath, inBody: names.map(parameterOf), isForm: true as const }
      return submit ? [page, { ...form, bodies: bodies.length > 0 ? bodies : [{ csrf: csrfPlaceholder }] }] : [page]
    }),
  )
}

function parameterOf(name: string): Parameter {
  return { name, known: name === 'csrf' ? [csrfPlaceholder] : [1, 'publish', '2030-05-03'] }
}

function parametersIn(route: string): readonly Parameter[] {
  return [...route.matchAll(/{(\w+)}/g)].map(([, name = '']) => {
    const known = knownInPath[name]
    if (!known) throw new Error(`${route}: give “{${name}}” values in “knownInPath”, or nobody plays this address.`)
    return { name, known }
  })
}

function filled(route: string, inPath: readonly Parameter[]): string {
  return inPath.reduce((path, { name, known }) => path.replace(`{${name}}`, String(known[0])), route)
}

/** Returns the forms of a page that write: the path to which each is sent, its fields, and what its buttons do. */
export function formsIn(page: string, path: string) {
  return [...page.matchAll(/<form\b([^>]*\bmethod="post"[^>]*)>([\s\S]*?)<\/form>/g)].map(
    ([, attributes = '', inner = '']) => {
      const choices = [...inner.matchAll(/<(?:select|button)\b[^>]*\bname="([^"]+)"(?:[^>]*\bvalue="([^"]*)")?/g)]
      const fields = {
        ...Object.fromEntries(choices.map(([, name = '', value = '']) => [name, value])),
        ...fieldsIn(`<main>${inner}</main>`),
      }
      const action = /\baction="([^"?#]*)/.exec(attributes)?.[1] ?? path
      const deeds = choices.flatMap(([, name, value = '']) => (name === 'to' ? [value] : []))
      return { action, deeds, fields: 'csrf' in fields ? { ...fields, csrf: csrfPlaceholder } : fields }
    },
  )
}
