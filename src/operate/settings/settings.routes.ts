import { mayReadSettings } from '../../access/auth/policy.ts'
import { alwaysShort } from '../../access/http/read.cost.ts'
import { endpoint, type Route } from '../../access/http/route.ts'
import { settingsInForce } from './settings.in.force.ts'

const listEndpoint = endpoint({
  methods: ['GET'],
  isShort: alwaysShort,
  operation: 'listSettings',
  summary: 'settings.list',
  about: 'settings.list.about',
  answer: { schema: async () => (await import('./settings.schema.ts')).SettingListSchema },
  problems: ['rest_forbidden'],
  path: {},
  args: {},
  isOpenTo: mayReadSettings,
  handle: async ({ deps, textLanguage }) => ({
    status: 200,
    body: { settings: settingsInForce(deps.config, textLanguage) },
  }),
})

/** The settings in force, for administrators. They are changed by operators only. */
export const settingRoutes: readonly Route[] = [{ path: '/settings', tag: 'Settings', endpoints: [listEndpoint] }]
