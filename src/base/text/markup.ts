// Tokenizes HTML. The input is sanitised, so a tag is exactly the text between `<` and `>`.

/** A tag, with its name in lower case, or the text between two tags. `source` is the original text of the token. */
export type Token =
  | { readonly kind: 'text'; readonly source: string }
  | { readonly kind: 'open' | 'close'; readonly name: string; readonly source: string }

/** Elements without an end tag. */
export const VOID_ELEMENTS: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
)

/** Elements that are not placed in paragraphs. */
export const BLOCK_ELEMENTS: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote caption col colgroup dd details div dl dt fieldset figure footer h1 h2 h3 h4 h5 ' +
    'h6 header hgroup hr legend li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul'
  ).split(' '),
)

// A tag may not contain another `<`, so that a text full of `<` is still read in linear time.
const tokenPattern = /<[^<>]*>|[^<]+|</g
const tagName = /^<\/?([a-z][^\s/>]*)/i

/** Returns the tags and texts of `html`, in order. Their joined sources equal `html`. */
export function tokenize(html: string): Token[] {
  return (html.match(tokenPattern) ?? []).map(tokenFrom)
}

function tokenFrom(source: string): Token {
  const name = source.endsWith('>') ? tagName.exec(source)?.[1] : undefined
  if (name === undefined) return { kind: 'text', source }
  return { kind: source.startsWith('</') ? 'close' : 'open', name: name.toLowerCase(), source }
}

/**
 * Returns the text of `html` with entities unchanged. Tags become `between`. Script and style are removed with their
 * content. A `<` that opens no tag becomes `strayLess`.
 */
export function withoutTags(html: string, between = '', strayLess = '<'): string {
  const [before = '', ...rest] = html.split('<')
  let text = before
  let skippedUntil = ''

  for (const part of rest) {
    const end = part.indexOf('>')
    const name = /^\/?[a-z][a-z0-9]*/i.exec(part)?.[0].toLowerCase()
    if (skippedUntil !== '' && name !== skippedUntil) continue
    skippedUntil = ''

    if (end < 0 || !/^[a-z/!?]/i.test(part)) text += strayLess + part
    else if (name === 'script' || name === 'style') skippedUntil = `/${name}`
    else text += between + part.slice(end + 1)
  }
  return text
}
