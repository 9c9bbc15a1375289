/** What the service calls the language of a record, and what has to do with it. */
export interface Words {
  /** The keys and parameters of the client’s types, by those of the service. */
  readonly toClient: ReadonlyMap<string, string>
  /** The other way round. */
  readonly toService: ReadonlyMap<string, string>
}

const ownParameter = 'ml_language'

/** The words of a service whose setting `LANGUAGE_PARAMETER` is this. */
export function wordsOf(languageParameter: string): Words {
  const pairs = wordsFor(ownParameter).map((word, at) => [word, wordsFor(languageParameter)[at] ?? word] as const)
  const isOwn = languageParameter === ownParameter
  return {
    toClient: new Map(isOwn ? [] : pairs.map(([own, word]) => [word, own])),
    toService: new Map(isOwn ? [] : pairs),
  }
}

/** As the service makes them: `ml_language`, `ml_translations`, `ml_translation_of`. */
function wordsFor(languageParameter: string): readonly string[] {
  const stem = languageParameter.replace(/language$/, '')
  return [languageParameter, `${stem}translations`, `${stem}translation_of`]
}

/** The same JSON with other keys, at any depth; the very same where no words differ. */
export function withWords(value: unknown, words: ReadonlyMap<string, string>): unknown {
  if (words.size === 0 || typeof value !== 'object' || value === null || value instanceof Date) return value
  if (Array.isArray(value)) return value.map((item) => withWords(item, words))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [words.get(key) ?? key, withWords(item, words)]))
}
