import { mayManageUsers } from '../../access/auth/policy.ts'
import { html } from '../../base/text/html.ts'
import type { Key, NewKey, User } from '../api/answers.ts'
import {
  type DeskAnswer,
  type DeskForm,
  type DeskRoutes,
  formOfPairs,
  linkTo,
  type OwnCall,
} from '../shell/desk.call.ts'
import { instantText } from '../shell/desk.dates.ts'
import {
  actionButton,
  type Choice,
  type Faults,
  faultsOf,
  field,
  formPage,
  gonePage,
  postForm,
  select,
} from '../shell/fields.ts'
import { tellAt } from '../shell/told.ts'

const scopes = ['read', 'plan', 'write'] as const
const terms = ['30', '365', ''] as const

/** Whose keys a page shows: those of the user, or of another one for an administrator. */
interface Owner {
  /** In addresses of the interface. */
  readonly user: string
  readonly path: string
}

const ownerOf = (id: string | undefined): Owner =>
  id === undefined ? { user: 'me', path: '/admin/account/keys/' } : { user: id, path: `/admin/users/${id}/keys/` }

interface Shown {
  readonly form?: DeskForm
  readonly faults?: Faults
  readonly text?: string | undefined
}

async function keysPage(call: OwnCall, owner: Owner, { form = formOfPairs([]), faults = {}, text }: Shown = {}) {
  const { say, api, textLanguage, config } = call
  const [keys, user] = await Promise.all([
    api.service<readonly Key[]>({ path: `/users/${owner.user}/keys` }),
    api.service<User>({ path: `/users/${owner.user}` }),
  ])
  if (keys.status !== 200) return gonePage(call, 'not-found.text')
  const name = owner.user === 'me' ? call.me.user.name : user.body.name
  const time = (instant: string) => instantText(textLanguage, instant, config.siteZone.id)
  const labels = { label: say('keys.label'), scope: say('keys.scope'), days: say('keys.days') }
  const about = ({ scope, expires_at, is_expired, last_used_at, created_at }: Key) => [
    say(`keys.scope.${scopes.find((one) => one === scope) ?? 'write'}`),
    say('account.since', { time: time(created_at) }),
    ...(expires_at ? [say(is_expired ? 'keys.expired' : 'keys.expires', { time: time(expires_at) })] : []),
    last_used_at ? say('keys.used', { time: time(last_used_at) }) : say('keys.unused'),
  ]
  const added = html`${field({ name: 'label', label: labels.label, hint: say('keys.label.hint'), value: form.get('label'), isRequired: true, maxLength: 100, autocomplete: 'off', fault: faults.label })}
${select({ name: 'scope', label: labels.scope, value: form.get('scope') || 'write', fault: faults.scope, choices: scopes.map((one): Choice => [one, say(`keys.scope.${one}`)]) })}
${select({ name: 'days', label: labels.days, value: form.get('days') || '365', fault: faults.days, choices: terms.map((days): Choice => [days, days === '' ? say('keys.forever') : say('keys.for', { count: Number(days) })]) })}
<button>${say('keys.add.submit')}</button>`
  return formPage(
    call,
    {
      ...{ title: say('keys.title', { name }), faults, labels, isNarrow: false, ...pageOf(owner) },
      text,
    },
    html`<p>${say('keys.about')}</p>
${
  keys.body.length === 0
    ? html`<p>${say('keys.none')}</p>`
    : html`<div class="panel"><ul class="rows">${keys.body.map(
        (
          key,
        ) => html`<li><span><strong>${key.label}</strong><br><span class="hint">${about(key).join(' · ')}</span></span>
${actionButton(call, `${owner.path}${key.id}/revoke/`, { label: html`${say('keys.revoke')}<span class="unseen">: ${key.label}</span>` })}</li>`,
      )}</ul></div>`
}
<section aria-labelledby="add">
<h2 id="add">${say('keys.add')}</h2>
${postForm(call, owner.path, { className: 'panel narrow', content: added })}
</section>`,
  )
}

const pageOf = ({ user, path }: Owner) => ({ section: user === 'me' ? 'account' : 'users', address: path }) as const

/** Makes a key, and returns the only page that shows its secret. */
async function makeKey(call: OwnCall, owner: Owner, form: DeskForm): Promise<DeskAnswer> {
  const { say, api } = call
  const days = /^\d{1,4}$/.test(form.get('days')) ? { expires_in_days: Number(form.get('days')) } : {}
  const { status, body, faults, message } = await api.service<NewKey>({
    ...{ method: 'POST', path: `/users/${owner.user}/keys` },
    json: { label: form.get('label').trim(), scope: form.get('scope'), ...days },
  })
  if (status !== 201) {
    const { expires_in_days, ...others } = faults
    const told = { ...others, ...(expires_in_days === undefined ? {} : { days: expires_in_days }) }
    return keysPage(call, owner, { form, faults: faultsOf({ faults: told, message }, 'label') })
  }
  return formPage(
    call,
    { title: say('keys.made', { label: body.label }), ...pageOf(owner) },
    html`<p>${say('keys.made.text')}</p>
<div class="field"><label for="f-secret">${say('keys.secret')}</label><input id="f-secret" class="code" readonly autocomplete="off" value="${body.secret}"></div>
<p><a class="button quiet" href="${linkTo(call, owner.path)}">${say('keys.back')}</a></p>`,
  )
}

async function revokeKey(call: OwnCall, owner: Owner, id: string): Promise<DeskAnswer> {
  const { status } = await call.api.service({ method: 'DELETE', path: `/users/${owner.user}/keys/${id}` })
  return status === 200
    ? tellAt(call, owner.path, { text: call.say('keys.revoked') })
    : { kind: 'see', path: owner.path }
}

/** The keys of programs, of the signed-in user or, for administrators, of any user. */
export const keyRoutes: DeskRoutes = {
  '/admin/account/keys/': {
    show: (call) => keysPage(call, ownerOf(undefined)),
    again: (call, { form, notice: text }) => keysPage(call, ownerOf(undefined), { form, text }),
    submit: (call, form) => makeKey(call, ownerOf(undefined), form),
  },
  '/admin/account/keys/{key}/revoke/': {
    show: '/admin/account/keys/',
    submit: (call, _form, id = '') => revokeKey(call, ownerOf(undefined), id),
  },
  '/admin/users/{user}/keys/': {
    mayUse: mayManageUsers,
    show: (call, user) => keysPage(call, ownerOf(user)),
    again: (call, { form, notice: text }, user) => keysPage(call, ownerOf(user), { form, text }),
    submit: (call, form, user) => makeKey(call, ownerOf(user), form),
  },
  '/admin/users/{user}/keys/{key}/revoke/': {
    mayUse: mayManageUsers,
    show: async (_call, user = '') => ({ kind: 'see', path: ownerOf(user).path }),
    submit: (call, _form, ...[user = '', id = '']) => revokeKey(call, ownerOf(user), id),
  },
}
