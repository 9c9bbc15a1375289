/** The names that a service uses for the language properties. */
export interface Words {
  /** Names of the service to names in the client’s types. */
  readonly toClient: ReadonlyMap<string, string>
  /** Names in the client’s types to names of the service. */
  readonly toService: ReadonlyMap<string, string>
}

const ownParameter = 'ml_language'

/** Returns the words of a service with this setting `LANGUAGE_PARAMETER`. */
export function wordsOf(languageParameter: string): Words {
  const pairs = wordsFor(ownParameter).map((word, at) => [word, wordsFor(languageParameter)[at] ?? word] as const)
  const isOwn = languageParameter === ownParameter
  return {
    toClient: new Map(isOwn ? [] : pairs.map(([own, word]) => [word, own])),
    toService: new Map(isOwn ? [] : pairs),
  }
}

/** Makes the names as the service does: `ml_language`, `ml_translations`, `ml_translation_of`. */
function wordsFor(languageParameter: string): readonly string[] {
  const stem = languageParameter.replace(/language$/, '')
  return [languageParameter, `${stem}translations`, `${stem}translation_of`]
}

/** Returns the same JSON with other keys, at any depth; the same object if no words differ. */
export function withWords(value: unknown, words: ReadonlyMap<string, string>): unknown {
  if (words.size === 0 || typeof value !== 'object' || value === null || value instanceof Date) return value
  if (Array.isArray(value)) return value.map((item) => withWords(item, words))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [words.get(key) ?? key, withWords(item, words)]))
}
