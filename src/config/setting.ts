/** One setting as an operator sees it. `read` throws an Error that says what the value must be. */
export interface Setting<T> {
  readonly name: string
  readonly byDefault: string
  readonly meaning: string
  readonly read: (text: string) => T
}

export const setting = <T>(
  name: string,
  byDefault: string,
  meaning: string,
  read: (text: string) => T,
): Setting<T> => ({ name, byDefault, meaning, read })

/** What a table of settings is read as. */
export type Settings<S extends Readonly<Record<string, Setting<unknown>>>> = {
  readonly [K in keyof S]: ReturnType<S[K]['read']>
}
