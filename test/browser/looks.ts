/** How a page is looked at. */
export interface Look {
  readonly colorScheme: 'light' | 'dark'
  readonly isNarrow: boolean
}

/**
 * Returns how to look at the page with this number in English and in French. The French look is the opposite of the
 * English one, so every page is seen in both languages, both themes and both widths. Pages differ in which of them meet.
 */
export function looksAt(page: number): { readonly en: Look; readonly fr: Look } {
  const [isDark, isNarrow] = [(page & 1) === 1, (page & 2) === 2]
  return {
    en: { colorScheme: isDark ? 'dark' : 'light', isNarrow },
    fr: { colorScheme: isDark ? 'light' : 'dark', isNarrow: !isNarrow },
  }
}
