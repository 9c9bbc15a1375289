/** Returns a text without control characters, lone surrogates and noncharacters, which are not valid in a text. */
export function withoutInvalidCharacters(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
  return text.toWellFormed().replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufdd0-\ufdef]/g, '')
}
