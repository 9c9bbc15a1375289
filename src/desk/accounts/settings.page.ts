import { mayReadSettings } from '../../access/auth/policy.ts'
import { type Html, html } from '../../base/text/html.ts'
import type { SettingList } from '../api/answers.ts'
import type { DeskPage, DeskRoutes, OwnCall } from '../shell/desk.call.ts'

type Setting = SettingList['settings'][number]

/** Returns the settings in force. They are only read here, because operators change them. */
async function settingsPage(call: OwnCall): Promise<DeskPage> {
  const { say, api } = call
  const { body } = await api.service<SettingList>({ path: '/settings' })
  const own = body.settings.filter(({ source }) => source !== 'default')
  const others = body.settings.filter(({ source }) => source === 'default')
  const part = (id: 'own' | 'others', settings: readonly Setting[]) =>
    settings.length > 0 &&
    html`<section aria-labelledby="${id}"><h2 id="${id}">${say(`settings.${id}`)} <span class="number">${settings.length}</span></h2>
<dl class="settings panel">${settings.map((setting) => settingItem(call, setting))}</dl></section>`
  return {
    ...{ kind: 'page', title: say('settings.title'), section: 'settings' },
    main: html`<h1>${say('settings.title')}</h1>
<p>${say('settings.text')}</p>
${part('own', own)}
${part('others', others)}`,
  }
}

function settingItem(call: OwnCall, { name, value, is_set, source, meaning, default: byDefault }: Setting): Html {
  const { say } = call
  const text =
    value === null && is_set
      ? html`<span class="badge">${say('settings.hidden')}</span>`
      : value === null || value === ''
        ? html`<span class="hint">${say('settings.empty')}</span>`
        : html`<code>${value}</code>`
  const isOwn = source !== 'default'
  const isOther = isOwn && value !== null && value !== byDefault && byDefault !== ''
  // Screen readers read each definition by itself, so each but the value says what it is.
  return html`<div><dt><code>${name}</code></dt>
<dd>${text}</dd>
${isOwn && html`<dd class="hint about">${say('settings.source')} <span class="badge">${say(`settings.source.${source}`)}</span></dd>`}
${isOther && html`<dd class="hint about">${say('settings.default')} <code>${byDefault}</code></dd>`}
<dd class="hint">${withCode(meaning)}</dd></div>`
}

/** Returns a text in which words between backticks are code. */
function withCode(text: string): readonly (Html | string)[] {
  return text.split('`').map((part, place) => (place % 2 === 1 ? html`<code>${part}</code>` : part))
}

/** The page with the settings, for administrators. */
export const settingRoutes: DeskRoutes = { '/admin/settings/': { mayUse: mayReadSettings, show: settingsPage } }
