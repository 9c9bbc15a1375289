import { ROLES } from '../../access/auth/actor.ts'
import { mayManageUsers } from '../../access/auth/policy.ts'
import { html } from '../../base/text/html.ts'
import type { NewLink, User } from '../api/answers.ts'
import {
  type DeskAnswer,
  type DeskForm,
  type DeskPage,
  type DeskRoutes,
  formOfPairs,
  linkTo,
  type OwnCall,
} from '../shell/desk.call.ts'
import { instantText } from '../shell/desk.dates.ts'
import { actionButton, type Faults, faultsOf, field, formPage, postForm, select } from '../shell/fields.ts'

const pageOfUsers = { section: 'users', address: '/admin/users/' } as const

interface Typed {
  readonly form?: DeskForm
  readonly faults?: Faults
  readonly text?: string
}

async function usersPage(call: OwnCall, { form = formOfPairs([]), faults = {}, text }: Typed = {}): Promise<DeskPage> {
  const { say, api } = call
  const { body: users } = await api.service<readonly User[]>({ path: '/users' })
  const labels = { name: say('users.name'), email: say('users.email.optional'), role: say('users.role') }
  const link = ({ id, name }: User, kind: 'invite' | 'reset') =>
    actionButton(call, `/admin/users/${id}/link/`, {
      label: html`${say(`users.${kind}`)}<span class="unseen"> – ${name}</span>`,
      fields: { kind },
    })
  const added = html`${field({ name: 'name', label: labels.name, value: form.get('name'), isRequired: true, autocomplete: 'off', fault: faults.name })}
${field({ name: 'email', label: labels.email, value: form.get('email'), type: 'email', autocomplete: 'off', fault: faults.email })}
${select({
  ...{ name: 'role', label: labels.role, value: form.get('role') || 'editor', hint: say('role.about') },
  ...{ fault: faults.role, choices: ROLES.map((role) => [role, say(`role.${role}`)] as const) },
})}
<button>${say('users.add.submit')}</button>`
  return formPage(
    call,
    { ...pageOfUsers, title: say('users.title'), text, faults, labels, isNarrow: false },
    html`<h2 id="all" class="unseen">${say('users.list')}</h2>
<div class="table" tabindex="0" role="region" aria-labelledby="all">
<table>
<thead><tr><th scope="col">${say('users.name')}</th><th scope="col">${say('users.email')}</th><th scope="col">${say('users.role')}</th><th scope="col">${say('events.column.actions')}</th></tr></thead>
<tbody>
${users.map(
  (user) => html`<tr><th scope="row">${user.name}</th><td>${user.email}</td><td>${say(`role.${user.role}`)}</td>
<td class="actions">${link(user, 'invite')}${link(user, 'reset')} <a class="button quiet" href="${linkTo(call, `/admin/users/${user.id}/keys/`)}" aria-label="${say('keys.title', { name: user.name })}">${say('users.keys')}</a></td></tr>`,
)}
</tbody>
</table>
</div>
<section aria-labelledby="add">
<h2 id="add">${say('users.add')}</h2>
${postForm(call, pageOfUsers.address, { className: 'panel narrow', content: added })}
</section>`,
  )
}

/** Returns the page with a new link, which is the only one that shows it. */
async function linkPage(call: OwnCall, { id, name }: Pick<User, 'id' | 'name'>, kind: string): Promise<DeskPage> {
  const { say, api, textLanguage, config } = call
  const { status, body, message } = await api.service<NewLink>({
    ...{ method: 'POST', path: `/users/${id}/links`, json: { kind: kind === 'reset' ? 'reset' : 'invitation' } },
  })
  if (status !== 201) return usersPage(call, { text: message })
  const time = instantText(textLanguage, body.expires_at, config.siteZone.id)
  return formPage(
    call,
    { ...pageOfUsers, title: say('users.link.title', { name }), isNarrow: false },
    html`<p>${say('users.link.text', { name, time })}</p>
<div class="field"><label for="f-link">${say('users.link.label')}</label><input id="f-link" class="code" readonly value="${body.url}"></div>
<p><a class="button quiet" href="${linkTo(call, '/admin/users/')}">${say('users.link.back')}</a></p>`,
  )
}

/** The pages of users, for administrators. */
export const userRoutes: DeskRoutes = {
  '/admin/users/': {
    mayUse: mayManageUsers,
    show: (call) => usersPage(call),
    again: (call, { form, notice: text }) => usersPage(call, { form, text }),
    submit: async (call, form): Promise<DeskAnswer> => {
      const [name, email, role] = ['name', 'email', 'role'].map((field) => form.get(field).trim())
      const { status, body, faults, message } = await call.api.service<User>({
        ...{ method: 'POST', path: '/users', json: { name, role, ...(email === '' ? {} : { email }) } },
      })
      if (status !== 201) {
        return usersPage(call, { form, faults: faultsOf({ faults, message }, 'name') })
      }
      return linkPage(call, body, 'invitation')
    },
  },
  '/admin/users/{user}/link/': {
    mayUse: mayManageUsers,
    show: '/admin/users/',
    submit: async (call, form, id = ''): Promise<DeskAnswer> => {
      const { status, body, message } = await call.api.service<User>({ path: `/users/${id}` })
      return status === 200 ? linkPage(call, body, form.get('kind')) : usersPage(call, { text: message })
    },
  },
}
