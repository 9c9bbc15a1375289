import { splitLanguagePath, TEXT_LANGUAGE_PATHS } from '../../base/languages/language.ts'
import { updateRequestTrace } from '../../base/monitoring/request.trace.ts'
import { html } from '../../base/text/html.ts'
import { signInAgain } from '../accounts/sign.in.page.ts'
import {
  actorOf,
  type DeskAnswer,
  type DeskCall,
  type DeskForm,
  type DeskRoute,
  linkTo,
  type OwnCall,
  type SignedIn,
  type SignedInAnswer,
  withParameters,
} from '../shell/desk.call.ts'
import { openRoutes, ownRoutes } from './desk.routes.ts'
import { expiredPage, notAllowedPage, notFoundPage } from './problem.pages.ts'

/** A request for a page of the desk. */
interface Asked {
  /** The fields of a form; undefined if the page is only read. */
  readonly form: DeskForm | undefined
  /** Whether a page of this site sent the request, or no page. */
  readonly isOwnPage: boolean
}

/** An answer, with the call whose session its frame shows. */
export interface Made {
  readonly answer: DeskAnswer
  readonly call: DeskCall
}

/** Answers a request: finds the page, the session and the token of the form, and lets the page answer. */
export async function answerDesk(call: DeskCall, { form, isOwnPage }: Asked): Promise<Made> {
  const { path } = call
  const bare = (answer: DeskAnswer): Made => ({ answer, call })
  if (form === undefined && !path.endsWith('/')) {
    const search = call.query.size === 0 ? '' : `?${call.query}`
    return bare({ kind: 'see', path: `${path}/${search}` })
  }
  const open = found(openRoutes, path)
  if (open) {
    updateRequestTrace({ route: open.route.route })
    if (form === undefined) return bare(await open.route.show(call, ...open.parts))
    // Otherwise another site could sign its visitors in under an account that it knows.
    if (!isOwnPage) return bare(expiredPage(call))
    const answer = await open.route.submit(call, form, ...open.parts)
    updateRequestTrace({ route: open.route.route })
    return answer.kind === 'signed-in' ? afterSignIn(call, answer) : bare(answer)
  }
  const { status, body: me } = await call.api.service<SignedIn>({ path: '/session' })
  if (status !== 200) return bare(withoutSession(call, { form, isOwnPage }))
  const own: OwnCall = { ...call, me, api: call.api.signedIn(call.cookie, me.csrf_token) }
  const answer = await answerOwn(own, form)
  return { answer, call: own }
}

async function answerOwn(call: OwnCall, form: DeskForm | undefined): Promise<DeskAnswer> {
  const match = found(ownRoutes, call.path)
  if (!match) return notFoundPage(call)
  const { route, parts } = match
  const name = () => updateRequestTrace({ route: route.route })
  name()
  if (route.mayUse && !route.mayUse(actorOf(call.me))) return notAllowedPage(call)
  const answer = await answerRoute(call, route, { form, parts })
  // The requests to the interface have noted their own routes.
  name()
  return answer
}

async function answerRoute(
  call: OwnCall,
  route: DeskRoute,
  { form, parts }: { readonly form: DeskForm | undefined; readonly parts: readonly string[] },
): Promise<DeskAnswer> {
  const { show } = route
  if (form === undefined) return typeof show === 'string' ? { kind: 'see', path: show } : show(call, ...parts)
  if (!route.submit) return notFoundPage(call)
  if (form.get('csrf') === call.me.csrf_token) return route.submit(call, form, ...parts)
  return route.again ? route.again(call, { form, notice: call.say('form-expired') }, ...parts) : expiredPage(call)
}

/** A page is read after signing in. The fields of a form are kept until then. */
function withoutSession(call: DeskCall, { form, isOwnPage }: Asked): DeskAnswer {
  const { path, query, textLanguage, say } = call
  if (form) return isOwnPage ? signInAgain(call, form) : expiredPage(call)
  const search = query.size === 0 ? '' : `?${query}`
  const to = `${path}${search}`
  if (isOwnPage) {
    const target = path === '/admin/' && search === '' ? {} : { to: `${TEXT_LANGUAGE_PATHS[textLanguage]}${to}` }
    return { kind: 'see', path: withParameters('/admin/sign-in/', target) }
  }
  // A browser that follows a link of another site does not send the cookie (`SameSite=Strict`). It does so when this page
  // leads it on.
  return {
    ...{ kind: 'page', title: say('moving'), refresh: linkTo(call, to) },
    main: html`<p><a class="button" href="${linkTo(call, to)}">${say('moving.on')}</a></p>`,
  }
}

/** Shows the form that was under way when the session ended, or the page that was asked for. */
async function afterSignIn(call: DeskCall, answer: SignedInAnswer): Promise<Made> {
  const { signedIn, carried, cookie, to } = answer
  if (carried.pairs.length === 0) return { answer, call }
  const [pathname = '/', ...search] = to.split('?')
  const { textLanguage, path } = splitLanguagePath(pathname)
  const query = new URLSearchParams(search.join('?'))
  const [pair = ''] = cookie.split(';')
  const own: OwnCall = {
    ...{ ...call, textLanguage, path, query },
    ...{ me: signedIn, cookie: pair, api: call.api.signedIn(pair, signedIn.csrf_token) },
  }
  const match = found(ownRoutes, path)
  const { again, mayUse } = match?.route ?? {}
  if (!match || !again || mayUse?.(actorOf(signedIn)) === false) return { answer, call }
  const shown = await again(own, { form: carried, notice: call.say('sign-in.restored') }, ...match.parts)
  return { answer: shown.kind !== 'page' && shown.kind !== 'see' ? shown : { ...shown, cookie }, call: own }
}

function found<R extends { readonly pattern: RegExp }>(
  routes: readonly R[],
  path: string,
): { readonly route: R; readonly parts: readonly string[] } | undefined {
  for (const route of routes) {
    const match = route.pattern.exec(path)
    if (match) return { route, parts: match.slice(1) }
  }
  return undefined
}
