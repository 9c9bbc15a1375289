import type { SettingName } from '../languages/catalogue.ts'

/** A setting as an operator sees it. `read` throws an Error that says what the value must be. */
export interface Setting<T> {
  /** The languages have its meaning under this name. */
  readonly name: SettingName
  readonly byDefault: string
  readonly read: (text: string) => T
  /** Returns the text as it may be printed, without secrets. */
  readonly shown: (text: string) => string
  /** Whether it may hold a secret. A secret may also be in the file that `NAME_FILE` names. */
  readonly isSecret: boolean
  /** Whether it names a file or a folder. Clients see only the last part of its path. */
  readonly isPath: boolean
}

/** The source of the text of a setting; `file` is the file that `NAME_FILE` names. */
export type SettingSource = 'option' | 'environment' | '.env' | 'file' | 'default'

const textsOfConfigs = new WeakMap<object, Readonly<Record<string, string | undefined>>>()

/** Freezes a configuration, and remembers the texts from which it was read. */
export function frozen<C extends object>(config: C, texts: Readonly<Record<string, string | undefined>>): Readonly<C> {
  textsOfConfigs.set(config, texts)
  return Object.freeze(config)
}

/**
 * Returns the texts from which a configuration was read. A thread reads the same settings from them, because some
 * values are functions, which cannot be sent to a thread.
 */
export function settingTextsOf(config: object): Readonly<Record<string, string | undefined>> {
  const texts = textsOfConfigs.get(config)
  if (!texts) throw new Error('This configuration was changed after it was read.')
  return texts
}

const sourcesOfConfigs = new WeakMap<object, Readonly<Record<string, SettingSource>>>()

/** Remembers the sources of the settings of a configuration, by name. */
export function noteSources(config: object, sources: Readonly<Record<string, SettingSource>>): void {
  sourcesOfConfigs.set(config, sources)
}

/** Returns the sources that were noted. A program that sets its own settings notes none. */
export function settingSourcesOf(config: object): Readonly<Record<string, SettingSource>> {
  return sourcesOfConfigs.get(config) ?? {}
}

const identity = (text: string) => text
const hidden = (text: string): string => (text === '' ? '' : '…')

export const setting = <T>(
  name: SettingName,
  byDefault: string,
  read: (text: string) => T,
  shown = identity,
): Setting<T> => ({ name, byDefault, read, shown, isSecret: false, isPath: false })

/** Defines a setting that names a file or a folder. */
export const pathSetting = <T>(...args: Parameters<typeof setting<T>>): Setting<T> => ({
  ...setting(...args),
  isPath: true,
})

/** Defines a setting that may hold a secret. By default no part of it is printed. */
export const secretSetting = <T>(name: SettingName, read: (text: string) => T, shown = hidden): Setting<T> => ({
  name,
  byDefault: '',
  read,
  shown,
  isSecret: true,
  isPath: false,
})

/** Returns the name of the setting that names the file with this secret. */
export function fileSettingOf({ name }: Pick<Setting<unknown>, 'name'>): string {
  return `${name}_FILE`
}

/** The values that result from a table of settings. */
export type Settings<S extends Readonly<Record<string, Setting<unknown>>>> = {
  readonly [K in keyof S]: ReturnType<S[K]['read']>
}
