/** A setting as an operator sees it. `read` throws an Error that says what the value must be. */
export interface Setting<T> {
  readonly name: string
  readonly byDefault: string
  readonly meaning: string
  readonly read: (text: string) => T
  /** Returns the text as it may be printed, without secrets. */
  readonly shown: (text: string) => string
  /** Whether it may hold a secret. A secret may also be in the file that `NAME_FILE` names. */
  readonly isSecret: boolean
}

const identity = (text: string) => text
const hidden = (text: string): string => (text === '' ? '' : '…')

export const setting = <T>(
  name: string,
  byDefault: string,
  meaning: string,
  read: (text: string) => T,
  shown = identity,
): Setting<T> => ({ name, byDefault, meaning, read, shown, isSecret: false })

/** Defines a setting that may hold a secret. By default no part of it is printed. */
export const secretSetting = <T>(
  name: string,
  meaning: string,
  read: (text: string) => T,
  shown = hidden,
): Setting<T> => ({ name, byDefault: '', meaning, read, shown, isSecret: true })

/** Returns the name of the setting that names the file with this secret. */
export function fileSettingOf({ name }: Pick<Setting<unknown>, 'name'>): string {
  return `${name}_FILE`
}

/** The values that result from a table of settings. */
export type Settings<S extends Readonly<Record<string, Setting<unknown>>>> = {
  readonly [K in keyof S]: ReturnType<S[K]['read']>
}
