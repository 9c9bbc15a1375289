/** One setting as an operator sees it. `read` throws an Error that says what the value must be. */
export interface Setting<T> {
  readonly name: string
  readonly byDefault: string
  readonly meaning: string
  readonly read: (text: string) => T
  /** The text as it may be printed: without what is secret in it. */
  readonly shown: (text: string) => string
  /** Whether it may hold a secret, which may then also stand in the file that `NAME_FILE` names. */
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

/** A setting that may hold a secret; by default nothing of it is printed. */
export const secretSetting = <T>(
  name: string,
  meaning: string,
  read: (text: string) => T,
  shown = hidden,
): Setting<T> => ({ name, byDefault: '', meaning, read, shown, isSecret: true })

/** The setting that names a file with the secret of another one. */
export function fileSettingOf({ name }: Pick<Setting<unknown>, 'name'>): string {
  return `${name}_FILE`
}

/** What a table of settings is read as. */
export type Settings<S extends Readonly<Record<string, Setting<unknown>>>> = {
  readonly [K in keyof S]: ReturnType<S[K]['read']>
}
