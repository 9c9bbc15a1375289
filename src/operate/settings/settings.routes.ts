import { basename } from 'node:path'
import { mayReadSettings } from '../../access/auth/policy.ts'
import { alwaysShort } from '../../access/http/read.cost.ts'
import { endpoint, type Route } from '../../access/http/route.ts'
import { type Config, SETTINGS } from '../../base/config/config.ts'
import { type Setting, type SettingSource, settingSourcesOf, settingTextsOf } from '../../base/config/setting.ts'
import type { TextLanguage } from '../../base/languages/language.ts'
import { settingMeaning } from '../../base/languages/texts.ts'

const listEndpoint = endpoint({
  methods: ['GET'],
  isShort: alwaysShort,
  operation: 'listSettings',
  summary: 'settings.list',
  about: 'settings.list.about',
  answer: { schema: async () => (await import('./settings.schema.ts')).SettingListSchema },
  problems: ['rest_forbidden'],
  isOpenTo: mayReadSettings,
  handle: async ({ deps, textLanguage }) => ({
    status: 200,
    body: { settings: settingsInForce(deps.config, textLanguage) },
  }),
})

/** The settings in force, for administrators. They are changed by operators only. */
export const settingRoutes: readonly Route[] = [{ path: '/settings', tag: 'Settings', endpoints: [listEndpoint] }]

/** A setting as it is in force, without what only operators may know. */
export interface SettingInForce {
  readonly name: string
  /** Null for a secret. Of a file or a folder, only the last part of its path. */
  readonly value: string | null
  readonly default: string
  /** Whether it has a text. Of secrets, clients learn nothing else. */
  readonly is_set: boolean
  readonly is_secret: boolean
  readonly source: SettingSource
  readonly meaning: string
}

/** Returns all settings with their meanings in a language, in the order of their table. */
function settingsInForce(config: Config, language: TextLanguage): readonly SettingInForce[] {
  const [texts, sources] = [settingTextsOf(config), settingSourcesOf(config)]
  return Object.values(SETTINGS).map((setting: Setting<unknown>) => {
    const { name, byDefault, isSecret } = setting
    const text = texts[name] ?? byDefault
    return {
      ...{ name, value: toldTo(setting, text), default: byDefault },
      ...{ is_set: text !== '', is_secret: isSecret },
      source: sources[name] ?? (texts[name] === undefined ? 'default' : 'environment'),
      meaning: settingMeaning(language, name),
    }
  })
}

function toldTo({ isSecret, isPath, shown }: Setting<unknown>, text: string): string | null {
  if (isSecret) return null
  return isPath ? withoutFolders(text) : shown(text)
}

/** Of a store in the network, only the scheme and the bucket: its other parts may hold credentials. */
function withoutFolders(text: string): string {
  if (text === '') return ''
  const store = /^([a-z0-9]+:\/\/)(?:[^/?#]*@)?([^/?#]*)/i.exec(text)
  return store ? `${store[1]}${store[2]}` : basename(text)
}
