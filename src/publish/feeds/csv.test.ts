import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { events, eventWith, feedOf, textWriter } from '../../../test/support/arbitraries/feed.arbitrary.ts'
import { runs } from '../../../test/support/long.ts'
import { decodeEntities, escapeHtml, htmlToText } from '../../base/text/escape.ts'
import { linesOf, withoutControlCharacters } from '../../base/text/lines.ts'
import { table } from './csv.ts'

const writeCsv = textWriter(table)

type Rows = readonly (readonly string[])[]

/** One reader: a library, without a setting for line ends. */
const readByLibrary = (text: string): Rows => parse(text, { bom: true, relax_column_count: true })

/** Another reader, which follows RFC 4180 alone, but accepts any line end outside of quotes, as spreadsheets do. */
function readByGrammar(text: string): Rows {
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n\v\f\u0085\u2028\u2029]*))(,|\r\n|[\r\n\v\f\u0085\u2028\u2029]|$)/y
  const rows: string[][] = []
  let row: string[] = []
  cell.lastIndex = text.startsWith('\ufeff') ? 1 : 0
  while (cell.lastIndex < text.length) {
    const from = cell.lastIndex
    const [, quoted, plain = '', end] =
      cell.exec(text) ?? assert.fail(`no cell at ${from}: ${text.slice(from, from + 20)}`)
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}

const readers = { readByLibrary, readByGrammar }

/** Returns the first event of a table, by column. */
function firstEvent([names = [], cells = []]: Rows): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name, place) => [name, cells[place] ?? '']))
}

/** Returns true if a spreadsheet may take the text for a formula: its first visible sign decides. */
const startsFormula = (text: string) =>
  /^[\t\r\n]/.test(text) || /^[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(text.replace(/^[\s\p{Z}\p{C}]+/u, ''))

/**
 * The expected text. A formula after another separator also gets an apostrophe, because some readers begin a cell
 * there. So does a formula after apostrophes, so that all of them are read back.
 */
const shown = (text: string) =>
  text
    .split(/([;\t\r\n\v\f\u0085\u2028\u2029])/)
    .map((part, place) => (place > 0 && place % 2 === 0 && isFormula(bare(part, `"'`)) ? `'${part}` : part))
    .join('')
    .replace(/^/, /^'*[\t\r\n]/.test(text) || startsFormula(bare(text, "'")) ? "'" : '')
const bare = (text: string, signs: string) => text.replace(new RegExp(`^[\\s\\p{Z}\\p{C}${signs}]+`, 'u'), '')
const isFormula = (part: string) => /^[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(part.replace(/^[\s\p{Z}\p{C}"]+/u, ''))

const lineEnds = ['\n', '\r', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029']

/** Texts of several lines, each of which may look like a formula. */
const manyLines = fc
  .array(
    fc.tuple(
      fc.constantFrom(...lineEnds, '', ' ', '\t', '\u200b', '\ufeff', '\u00a0'),
      fc.constantFrom('=1+1', '+1', '-1', '@SUM(A1)', '\uff1d1', '"', '""', ',', ';', "'", 'words', 'é😀'),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.flat().join(''))

/** Returns HTML that renders these lines, with line ends as characters and as tags. */
const asHtml = (text: string) =>
  escapeHtml(text)
    .replace(/[\r\v\f\u0085\u2028\u2029]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    .replaceAll('\n', '<br>')

test('two readers give back every text of a table, whatever ends its lines, but for formulas, which are texts', () => {
  fc.assert(
    fc.property(manyLines, manyLines, (description, title) => {
      const event = eventWith({ titleHtml: escapeHtml(title), contentHtml: asHtml(description) })
      const { text } = writeCsv(feedOf([event, eventWith({ titleHtml: 'Next' })]))

      for (const [name, read] of Object.entries(readers)) {
        const rows = read(text)
        const { title: cell, description: cells } = firstEvent(rows)
        assert.equal(rows.length, 3, `${name}: ${JSON.stringify(text)}`)
        assert.ok(rows.every(({ length }) => length === rows[0]?.length))
        assert.equal(cell, shown(withoutControlCharacters(htmlToText(event.titleHtml))), name)
        assert.equal(cells, shown(withoutControlCharacters(linesOf(event.contentHtml, '•'))), name)
      }
    }),
    { numRuns: runs(100, 500) },
  )
})

/**
 * A reader that separates cells by this sign, accepts quotes only at the beginning of a cell, and copies the rest of
 * the cell unchanged.
 */
function readBySeparator(text: string, separator: string): readonly string[] {
  const isEnd = (sign: string) => sign === separator || /[\r\n\v\f\u0085\u2028\u2029]/.test(sign)
  const cells: string[] = []
  for (let at = text.startsWith('\ufeff') ? 1 : 0; at < text.length; at += 1) {
    let cell = ''
    if (text[at] === '"') {
      for (at += 1; at < text.length && !(text[at] === '"' && text[at + 1] !== '"'); at += 1) {
        cell += text[at]
        if (text[at] === '"') at += 1
      }
      at += 1
    }
    for (; at < text.length && !isEnd(text[at] ?? ''); at += 1) cell += text[at]
    cells.push(cell)
  }
  return cells
}

test('a reader of another separator, as Excel in French, finds other cells and no formula in them', () => {
  fc.assert(
    fc.property(manyLines, manyLines, (description, title) => {
      const event = eventWith({ titleHtml: escapeHtml(title), contentHtml: asHtml(description) })
      const { text } = writeCsv(feedOf([event, eventWith({ titleHtml: 'Concert;=1+1;' })]))

      for (const separator of [';', '\t']) {
        const found = readBySeparator(text, separator).filter((cell) => isFormula(cell))
        assert.deepEqual(found, [], JSON.stringify(text))
      }
    }),
    { numRuns: runs(100, 500) },
  )
})

test('items of lists have a mark that is no formula', () => {
  const { text } = writeCsv(feedOf([eventWith({ contentHtml: '<ul><li>One</li><li>Two</li></ul>' })]))

  assert.equal(firstEvent(readByLibrary(text)).description, '• One\n• Two')
})

test('a formula in the second line of a description stays in its cell', () => {
  for (const end of lineEnds) {
    const { text } = writeCsv(feedOf([eventWith({ contentHtml: asHtml(`Harmless${end}=1+1`) })]))

    for (const read of Object.values(readers)) {
      const rows = read(text)
      assert.equal(rows.length, 2, JSON.stringify(end))
      assert.ok(rows.flat().every((cell) => !startsFormula(cell)))
      assert.match(firstEvent(rows).description ?? '', /^Harmless/)
    }
  }
})

test('no cell begins with what a spreadsheet takes for a formula, and numbers stay numbers', () => {
  const signs = fc.constantFrom(...'=+-@\uff1d\uff0b\uff0d\uff20')
  const hidden = fc.constantFrom('', ' ', '\u00a0', '\u200b', '\ufeff', '\u0085', '\u2028', ' \u200b ')
  fc.assert(
    fc.property(hidden, signs, fc.string(), (before, sign, after) => {
      const { text } = writeCsv(feedOf([eventWith({ titleHtml: escapeHtml(`${before}${sign}${after}`) })]))

      for (const read of Object.values(readers)) {
        const { id, title = '' } = firstEvent(read(text))
        assert.ok(title.startsWith("'"), JSON.stringify(title))
        assert.equal(id, '12')
      }
    }),
  )
})

test('the cells of any events are read back as they were written', () => {
  fc.assert(
    fc.property(fc.array(events, { minLength: 1, maxLength: 3 }), (drawn) => {
      const { text } = writeCsv(feedOf(drawn))

      for (const read of Object.values(readers)) {
        const [names = [], ...rows] = read(text)
        const told = rows.map((cells) => Object.fromEntries(names.map((name, place) => [name, cells[place]])))
        assert.deepEqual(
          told.map(({ id, title, start_date, categories }) => ({ id, title, start_date, categories })),
          drawn.map((event) => ({
            id: String(event.id),
            title: shown(htmlToText(event.titleHtml)),
            start_date: event.start,
            categories: shown(event.categories.map(({ name }) => decodeEntities(name)).join('; ')),
          })),
        )
      }
    }),
  )
})
