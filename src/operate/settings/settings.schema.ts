import Type from 'typebox'
import { oneOf, ref, text, withDescription } from '../../access/http/schema.ts'
import type { SettingSource } from '../../base/config/setting.ts'

const sources = ['option', 'environment', '.env', 'file', 'default'] satisfies SettingSource[]

/** A setting as it is in force. */
export const SettingSchema = Type.Object(
  {
    name: text('Setting.name'),
    value: Type.Unsafe<string | null>({ type: ['string', 'null'], ...withDescription('Setting.value') }),
    default: text('Setting.default'),
    is_set: Type.Boolean(withDescription('Setting.is_set')),
    is_secret: Type.Boolean(withDescription('Setting.is_secret')),
    source: oneOf(sources, 'Setting.source'),
    meaning: text('Setting.meaning'),
  },
  { $id: 'Setting', ...withDescription('Setting') },
)

export const SettingListSchema = Type.Object(
  { settings: Type.Array(ref(SettingSchema)) },
  { $id: 'SettingList', ...withDescription('SettingList') },
)
