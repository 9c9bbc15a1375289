import { html } from '../../base/text/html.ts'
import type { Session } from '../api/answers.ts'
import type { DeskAnswer, DeskPage, DeskRoutes, OwnCall } from '../shell/desk.call.ts'
import { linkTo } from '../shell/desk.call.ts'
import { instantText } from '../shell/desk.dates.ts'
import { actionButton, type Faults, field, formPage, postForm } from '../shell/fields.ts'
import { tellAt } from '../shell/told.ts'
import { newPasswordFaults, newPasswordFields, newPasswordLabels } from './link.page.ts'

async function accountPage(call: OwnCall, faults: Faults = {}): Promise<DeskPage> {
  const { say, api, me, textLanguage, config } = call
  const { body: sessions } = await api.service<readonly Session[]>({ path: '/users/me/sessions' })
  const time = (instant: string) => instantText(textLanguage, instant, config.siteZone.id)
  const labels = { current: say('account.current'), ...newPasswordLabels(call) }
  const page = { title: say('account.title'), section: 'account', address: '/admin/account/', isNarrow: false } as const
  const password = html`${field({ name: 'current', label: labels.current, type: 'password', autocomplete: 'current-password', isRequired: true, fault: faults.current })}
${newPasswordFields(call, faults)}
<button>${say('account.save')}</button>`
  return formPage(
    call,
    { ...page, faults, labels },
    html`<p><strong>${me.user.name}</strong>${me.user.email && html` · ${me.user.email}`} · ${say('account.role', { role: say(`role.${me.user.role}`) })}</p>
<p><a class="button quiet" href="${linkTo(call, '/admin/account/keys/')}">${say('keys.link')}</a></p>
<section aria-labelledby="password">
<h2 id="password">${say('account.password')}</h2>
${postForm(call, '/admin/account/password/', { className: 'panel narrow', content: password })}
</section>
<section aria-labelledby="sessions">
<h2 id="sessions">${say('account.sessions')}</h2>
<ul class="rows">
${sessions.map(
  (
    session,
  ) => html`<li><span><strong>${session.is_current ? say('account.this') : say('account.session', { id: session.id })}</strong><br>
<span class="hint">${say('account.since', { time: time(session.created_at) })} · ${say('account.seen', { time: time(session.last_seen_at) })}</span></span>
${!session.is_current && actionButton(call, `/admin/account/sessions/${session.id}/end/`, { label: html`${say('account.end')}<span class="unseen">: ${say('account.session', { id: session.id })}</span>` })}</li>`,
)}
</ul>
</section>`,
  )
}

/** The pages with the password and the sessions of the signed-in user. */
export const accountRoutes: DeskRoutes = {
  '/admin/account/': { show: (call) => accountPage(call) },
  '/admin/account/password/': {
    show: '/admin/account/',
    submit: async (call, form): Promise<DeskAnswer> => {
      const typed = newPasswordFaults(call, form)
      if (Object.keys(typed).length > 0) return accountPage(call, typed)
      const { status, message } = await call.api.service({
        ...{ method: 'PUT', path: '/users/me/password' },
        json: { password: form.get('password'), current_password: form.get('current') },
      })
      if (status !== 204) return accountPage(call, { current: message })
      return tellAt(call, '/admin/account/', { text: call.say('account.saved') })
    },
  },
  '/admin/account/sessions/{session}/end/': {
    show: '/admin/account/',
    submit: async (call, _form, id = ''): Promise<DeskAnswer> => {
      await call.api.service({ method: 'DELETE', path: `/users/me/sessions/${id}` })
      return tellAt(call, '/admin/account/', { text: call.say('account.ended') })
    },
  },
  '/admin/sign-out/': {
    show: '/admin/',
    submit: async (call): Promise<DeskAnswer> => {
      const { headers } = await call.api.service({ method: 'DELETE', path: '/session' })
      const cookie = headers['set-cookie']
      return {
        ...{ kind: 'see', path: '/admin/sign-in/?out=1' },
        cookie: cookie === undefined ? undefined : String(cookie),
      }
    },
  },
}
