import { maxPasswordLetters, minPasswordLetters } from '../../access/auth/password.hash.ts'
import { html } from '../../base/text/html.ts'
import type { Link } from '../api/answers.ts'
import {
  type DeskCall,
  type DeskForm,
  type DeskPage,
  formOfPairs,
  linkTo,
  type OpenRoutes,
  type SignedIn,
} from '../shell/desk.call.ts'
import { type Faults, field, formPage } from '../shell/fields.ts'
import { startOf } from './sign.in.page.ts'

/** Returns the faults of a new password that was typed twice. */
export function newPasswordFaults({ say }: DeskCall, form: DeskForm): Faults {
  const letters = [...form.get('password')].length
  if (letters < minPasswordLetters || letters > maxPasswordLetters) {
    return { password: say('password.hint', { least: minPasswordLetters }) }
  }
  return form.get('password') === form.get('repeat') ? {} : { repeat: say('password.differs') }
}

/** Returns the two fields of a new password. */
export function newPasswordFields({ say }: DeskCall, faults: Faults) {
  const shared = { type: 'password', autocomplete: 'new-password', isRequired: true } as const
  const hint = say('password.hint', { least: minPasswordLetters })
  return html`${field({ ...shared, name: 'password', label: say('password.new'), hint, fault: faults.password })}
${field({ ...shared, name: 'repeat', label: say('password.repeat'), fault: faults.repeat })}`
}

export const newPasswordLabels = ({ say }: DeskCall) => ({
  password: say('password.new'),
  repeat: say('password.repeat'),
})

async function linkPage(call: DeskCall, secret: string, faults: Faults = {}): Promise<DeskPage> {
  const { say } = call
  const { status, body, message } = await call.api.service<Link>({
    ...{ method: 'POST', path: '/links/lookup', json: { secret } },
  })
  if (status !== 200) return invalidLink(call, status, message)
  const text = body.kind === 'reset' ? 'link.reset' : 'link.welcome'
  return formPage(
    call,
    { title: say('link.title'), faults, labels: newPasswordLabels(call) },
    html`<p>${say(text, { name: body.user })}</p>
<form method="post" action="${linkTo(call, call.path)}" class="panel">
<input type="text" name="username" value="${body.user}" autocomplete="username" readonly hidden>
${newPasswordFields(call, faults)}
<button>${say('link.submit')}</button>
</form>`,
  )
}

function invalidLink(call: DeskCall, status: number, message: string): DeskPage {
  const { say } = call
  return formPage(
    call,
    { status, title: say('link.invalid') },
    html`<p>${message}</p>
<p><a class="button" href="${linkTo(call, '/admin/sign-in/')}">${say('link.sign-in')}</a></p>`,
  )
}

/** The page that a link opens. Looking at it does not use the link up. */
export const linkRoutes: OpenRoutes = {
  '/admin/link/{secret}/': {
    show: (call, secret = '') => linkPage(call, secret),
    submit: async (call, form, secret = '') => {
      const faults = newPasswordFaults(call, form)
      if (Object.keys(faults).length > 0) return linkPage(call, secret, faults)
      const { status, body, headers, message } = await call.api.service<SignedIn>({
        ...{ method: 'POST', path: '/links/follow', json: { secret, password: form.get('password') } },
      })
      if (status !== 201) return invalidLink(call, status, message)
      return {
        ...{ kind: 'signed-in', cookie: String(headers['set-cookie']), signedIn: body },
        ...{ to: startOf(call), carried: formOfPairs([]) },
      }
    },
  },
}
