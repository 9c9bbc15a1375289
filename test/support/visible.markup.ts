import { parseDocument } from 'htmlparser2'

/** What a visitor sees of a text: each character with the elements around it, without blanks that browsers leave out. */
export function charactersOf(html: string): readonly string[] {
  const seen: string[] = []
  let block = 0
  const visit = (node: Parsed, inside: readonly string[], isPre: boolean, isFirst = false): void => {
    if (node.type === 'text') {
      // The order of nested inline elements, and an element twice, make no difference.
      const around = [...new Set(inside)].toSorted().join(' ')
      for (const character of isPre
        ? (node.data ?? '').replace(isFirst ? /^\n/ : /^$/, '')
        : (node.data ?? '').replace(/[ \t\n\f\r]+/g, ' ')) {
        seen.push(character === ' ' && !isPre ? ' ' : `${character} ${block} ${around}`)
      }
      return
    }
    const name = node.name ?? ''
    const own = [name, ...Object.entries(node.attribs ?? {}).map(([key, value]) => `${key}=${value}`)].join(' ')
    const isBlock = blocks.has(name)
    if (isBlock) {
      block += 1
      seen.push('|')
    }
    if (name === 'br' || name === 'img' || name === 'hr')
      seen.push(`${own} ${[...new Set(inside)].toSorted().join(' ')}`)
    for (const [place, child] of (node.children ?? []).entries()) {
      visit(child, name === '' ? inside : [...inside, own], isPre || name === 'pre', name === 'pre' && place === 0)
    }
    if (isBlock) seen.push('|')
  }
  visit(parseDocument(html) as unknown as Parsed, [], false)
  return withoutNeedlessBlanks(seen).map((one) => one.replace(/ \d+ /, ' '))
}

interface Parsed {
  readonly type: string
  readonly name?: string
  readonly data?: string
  readonly attribs?: Readonly<Record<string, string>>
  readonly children?: readonly Parsed[]
}

const blocks: ReadonlySet<string> = new Set('p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre hr div'.split(' '))

/** Leaves out blanks at the edges of lines, second blanks, and blocks without content. */
function withoutNeedlessBlanks(seen: readonly string[]): readonly string[] {
  const kept: string[] = []
  const isEdge = (one: string | undefined) => one === undefined || one === '|' || one === ' ' || one.startsWith('br')
  for (const one of seen) {
    if (one === ' ' && isEdge(kept.at(-1))) continue
    if ((one === '|' || one.startsWith('br')) && kept.at(-1) === ' ') kept.pop()
    if (one === '|' && kept.at(-1) === '|') continue
    kept.push(one)
  }
  if (kept.at(-1) === ' ') kept.pop()
  return kept.filter((one, place) => one !== '|' || (place > 0 && place < kept.length - 1))
}
