// Tables as spreadsheets write them: tabs when they are copied, commas or semicolons in CSV files (RFC 4180).

/** Rows of cells. */
export type Cells = readonly (readonly string[])[]

/** Returns the cells of a text. Rows in which every cell is empty are left out. */
export const readDelimited = (text: string): Cells => readNumbered(text).map(({ cells }) => cells)

/** Does the same, with the number that a spreadsheet shows beside each row. */
export function readNumbered(text: string) {
  // The first line of some tables tells Excel the separator.
  const plain = text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/^sep=.\n/i, '')
  const separator = separatorOf(plain)
  const rows: string[][] = [[]]
  let place = 0
  while (place < plain.length) {
    const { cell, next } = cellAt(plain, place, separator)
    rows.at(-1)?.push(cell.trim())
    // After the last separator there is one more cell, which is empty.
    if (plain[next] === separator && next + 1 === plain.length) rows.at(-1)?.push('')
    if (plain[next] === '\n') rows.push([])
    place = next + 1
  }
  const numbered = rows.map((cells, row) => ({ cells, number: row + 1 }))
  return numbered.filter(({ cells }) => cells.some((cell) => cell !== ''))
}

/** The separator of a line of headings: a tab if it has one, otherwise the more frequent one. */
function separatorOf(text: string): string {
  const [, line = ''] = /^\n*(.*)/.exec(text) ?? []
  const outside = line.replace(/"[^"]*"/g, '')
  if (outside.includes('\t')) return '\t'
  const count = (letter: string) => outside.split(letter).length
  return count(';') > count(',') ? ';' : ','
}

interface Cell {
  readonly cell: string
  /** The place after it: a separator, a line break, or the end of the text. */
  readonly next: number
}

function cellAt(text: string, place: number, separator: string): Cell {
  const quoted = text[place] === '"' ? quotedAt(text, place) : undefined
  const isClosed = quoted !== undefined && [separator, '\n', undefined].includes(text[quoted.next])
  if (isClosed) return quoted
  let next = place
  while (next < text.length && text[next] !== separator && text[next] !== '\n') next += 1
  return { cell: text.slice(place, next), next }
}

/** Returns a cell in quotation marks; undefined if they are not closed, so that they belong to the text. */
function quotedAt(text: string, place: number): Cell | undefined {
  let close = text.indexOf('"', place + 1)
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2)
  if (close < 0) return undefined
  return { cell: text.slice(place + 1, close).replaceAll('""', '"'), next: close + 1 }
}
