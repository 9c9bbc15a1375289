import fc from 'fast-check'

/** Pieces that change the meaning of a value if markup is edited as text. */
const scraps = [
  ...['"', "'", '`', '=', '>', '<', '/>', '\\', '/', '//', ' ', '\n', '\t', '\r\n', 'x', ';', '&', '&amp;', '&quot;'],
  ...['&#34;', '&#x22;', '&apos;', '&lt;', '&gt;', '&nbsp;', '&NewLine;', '&Tab;', '&colon;', '--', '...', "'t"],
  ...[
    ' color=',
    ' COLOR=',
    ' size=',
    '\nface=',
    ' class=',
    ' style=',
    ' bgcolor=',
    ' align=',
    ' src=',
    ' SRC=',
    '\tsrc=',
  ],
  ...[' poster=', ' href=', ' title=', ' alt=', ' onerror=', ' loading=', ' decoding=', ' width=', ' height='],
  ...['javascript:alert(1)', 'https://x.example/', '//x.example/', '/\\x.example/', '/\t/x.example/', '/own.png'],
  ...['<b>', '</a>', '<br>', '<br /><br />', '\n\n', '<!--', '-->', '</p>', '<img src=x onerror=alert(1)>'],
]
const names = [
  ...['href', 'HREF', 'src', 'Src', 'title', 'alt', 'class', 'style', 'color', 'COLOR', 'face', 'size', 'align', 'id'],
  ...['poster', 'cite', 'name', 'rel', 'target', 'width', 'height', 'bgcolor', 'aria-label', 'onclick', 'loading'],
  ...['data-swap', 'data-live', 'DATA-Today', 'hidden', 'lang', 'dir'],
]
const elements = [
  ...['a', 'A', 'img', 'IMG', 'font', 'p', 'h1', 'H1', 'b', 'td', 'table', 'tr', 'video', 'audio', 'source', 'track'],
  ...['blockquote', 'ul', 'li', 'div', 'pre', 'code', 'br', 'hr', 'figure', 'figcaption', 'svg', 'script'],
]

const value = fc.oneof(
  { weight: 4, arbitrary: fc.array(fc.constantFrom(...scraps), { maxLength: 4 }).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: fc.string({ maxLength: 6 }) },
)
const attribute = fc
  .tuple(fc.constantFrom(...names), value, fc.constantFrom('"', "'", ''))
  .map(([name, text, quote]) => ` ${name}=${quote}${quote === '' ? text : text.replaceAll(quote, '')}${quote}`)
const startTag = fc
  .tuple(fc.constantFrom(...elements), fc.array(attribute, { maxLength: 5 }))
  .map(([name, attributes]) => `<${name}${attributes.join('')}>`)
const endTag = fc.constantFrom(...elements).map((name) => `</${name}>`)

/** Markup as attackers write it: values that spell attributes and tags, in every quoting style. */
export const hostileMarkup: fc.Arbitrary<string> = fc
  .array(
    fc.oneof({ weight: 4, arbitrary: startTag }, { weight: 2, arbitrary: endTag }, { weight: 1, arbitrary: value }),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.join(''))

/** Markup as people write it: nested formatting and blocks, with blank lines anywhere. */
export const formattedMarkup: fc.Arbitrary<string> = fc.letrec<{ node: string; nodes: string }>((tie) => {
  const names = 'a b big code em font i s small strike strong tt u span sub p div blockquote ul li h2 h1 pre'
  const starts = names.split(' ').map((name) => (name === 'a' ? 'a href="https://x.example/"' : name))
  return {
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom('One ', 'two', '\n\n', '\n\n', '\n', '&amp; ', '<br>', '<br><br>', '<hr>', '&nbsp;'),
      fc.tuple(fc.constantFrom(...starts), tie('nodes')).map(([start, inner]) => {
        return `<${start}>${inner}</${start.replace(/ .*/, '')}>`
      }),
    ),
    nodes: fc.array(tie('node'), { maxLength: 4 }).map((parts) => parts.join('')),
  }
}).nodes
