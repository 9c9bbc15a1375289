/** Contract: a search drops the usual English stop words (events.md §1 "Search"). */
export const stopWords: ReadonlySet<string> = new Set(
  'about an are as at be by com for from how in is it of on or that the this to was what when where who will with www'.split(
    ' ',
  ),
)
