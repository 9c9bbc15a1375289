import { splitLanguagePath, TEXT_LANGUAGE_PATHS } from '../../base/languages/language.ts'
import { html } from '../../base/text/html.ts'
import {
  type DeskAnswer,
  type DeskCall,
  type DeskForm,
  type DeskPage,
  formOfPairs,
  linkTo,
  type OpenRoutes,
  type SignedIn,
  withParameters,
} from '../shell/desk.call.ts'
import { type Faults, field, formPage, hidden } from '../shell/fields.ts'

/** Before the names of the fields of another form, which wait for the sign-in. */
const carriedPrefix = 'carried.'
const longestReturn = 2000

export function startOf({ textLanguage }: Pick<DeskCall, 'textLanguage'>): string {
  return `${TEXT_LANGUAGE_PATHS[textLanguage]}/admin/`
}

interface SignInState {
  readonly to: string
  readonly login?: string
  readonly faults?: Faults
  readonly carried?: DeskForm | undefined
  readonly hasSignedOut?: boolean
}

function signInPage(call: DeskCall, { to, login = '', faults = {}, carried, hasSignedOut }: SignInState): DeskPage {
  const { say } = call
  const labels = { login: say('sign-in.login'), password: say('sign-in.password') }
  const kept = carried && carried.pairs.length > 0 ? carried.pairs : undefined
  const text = kept ? say('sign-in.carried') : hasSignedOut && say('signed-out')
  return formPage(
    call,
    {
      ...{ title: say('sign-in'), address: withParameters('/admin/sign-in/', { to }), text, faults, labels },
      // The challenge of a 401 is for programs.
      status: Object.keys(faults).length > 0 ? 422 : kept ? 403 : 200,
    },
    html`<form method="post" action="${linkTo(call, '/admin/sign-in/')}" class="panel">
${hidden('to', to)}
${kept?.map(([name, value]) => hidden(`${carriedPrefix}${name}`, value))}
${field({ name: 'login', label: labels.login, value: login, autocomplete: 'username', isRequired: true, isFocused: !text && Object.keys(faults).length === 0, maxLength: 300 })}
${field({ name: 'password', label: labels.password, type: 'password', autocomplete: 'current-password', isRequired: true, fault: faults.password })}
<button>${say('sign-in')}</button>
</form>
<p class="hint">${say('sign-in.help')}</p>`,
  )
}

/** Returns the sign-in page instead of a form that arrived without a session. Its fields wait there. */
export function signInAgain(call: DeskCall, form: DeskForm): DeskPage {
  const { query, path } = call
  const to = `${TEXT_LANGUAGE_PATHS[call.textLanguage]}${path}${query.size === 0 ? '' : `?${query}`}`
  const pairs = form.pairs.filter(([name]) => name !== 'csrf')
  return signInPage(call, { to: returnPath(to, startOf(call)), carried: formOfPairs(pairs) })
}

/** The page for signing in. */
export const signInRoutes: OpenRoutes = {
  '/admin/sign-in/': {
    show: async (call): Promise<DeskAnswer> => {
      const to = returnPath(call.query.get('to') ?? '', startOf(call))
      return signInPage(call, { to, hasSignedOut: call.query.has('out') })
    },
    submit: async (call, form): Promise<DeskAnswer> => {
      const to = returnPath(form.get('to'), startOf(call))
      const carried = formOfPairs(
        form.pairs.flatMap(([name, value]) =>
          name.startsWith(carriedPrefix) ? [[name.slice(carriedPrefix.length), value] as const] : [],
        ),
      )
      const login = form.get('login').trim()
      const { status, body, headers, message } = await call.api.service<SignedIn>({
        ...{ method: 'POST', path: '/session', json: { login: login || ' ', password: form.get('password') } },
      })
      if (status !== 201) return signInPage(call, { to, login, carried, faults: { password: message } })
      return { kind: 'signed-in', cookie: String(headers['set-cookie']), signedIn: body, to, carried }
    },
  },
}

/**
 * Returns the page of the desk to go to after signing in. Every address outside the desk, and every address that a browser
 * could read as another site, becomes the start page of the desk.
 *
 * @param sent Path and query, below the prefix of a proxy.
 */
function returnPath(sent: string, otherwise: string): string {
  if (sent.length > longestReturn || !/^\/[!-~]*$/.test(sent) || sent.includes('\\')) return otherwise
  const base = 'http://desk.invalid'
  if (!URL.canParse(sent, base)) return otherwise
  const { origin, pathname, search } = new URL(sent, base)
  const { path, prefix } = splitLanguagePath(pathname)
  const isOfDesk = origin === base && /^\/admin\//.test(path) && !/^\/admin\/(?:sign-in|sign-out|link)\//.test(path)
  return isOfDesk && !/^\/\//.test(`${prefix}${path}`) ? `${prefix}${path}${search}` : otherwise
}
