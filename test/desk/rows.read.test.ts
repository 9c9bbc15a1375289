import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { decodeText } from '../../src/base/text/decode.ts'
import { readDelimited } from '../../src/desk/rows/delimited.ts'
import { isAmbiguous, orderOf } from '../../src/desk/rows/row.times.ts'
import { hiddenStatusIn } from '../../src/desk/rows/row.words.ts'

/** A text as a cell keeps it: without white space around it, and with the line breaks of a form. */
const cell = fc
  .string({ unit: fc.constantFrom('a', 'é', '"', ',', ';', '\t', '\n', ' ', '0', '“') })
  .map((text) => text.trim())
const tables = fc
  .array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 })
  .map((rows) => [['Title', 'Date', 'Text'], ...rows.map((row) => [...row])])

test('what other programs write as CSV, or copy as a table, is read back as it was', () => {
  fc.assert(
    fc.property(tables, fc.constantFrom(',', ';', '\t'), fc.constantFrom('\n', '\r\n'), (rows, delimiter, end) => {
      const text = stringify(rows, { delimiter, record_delimiter: end, bom: true, quoted_match: /[\t\n";,]/ })
      const filled = rows.filter((row) => row.some((one) => one !== ''))
      assert.deepEqual(readDelimited(text), filled)
    }),
  )
})

test('any text is read as rows, without a loop that does not end', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('"', ',', '\t', '\n', '\r', 'a'), maxLength: 60 }), (text) => {
      const letters = readDelimited(text).flat().join('').replace(/[^a]/g, '')
      assert.equal(letters.length, text.replace(/[^a]/g, '').length)
    }),
  )
  assert.deepEqual(readDelimited('He said "hi"\tb\n"open\tc'), [
    ['He said "hi"', 'b'],
    ['"open', 'c'],
  ])
  assert.deepEqual(readDelimited(''), [])
  assert.deepEqual(readDelimited('a,\n,b'), [
    ['a', ''],
    ['', 'b'],
  ])
})

test('a line that tells the separator is no row, and what is in the trash is not public', () => {
  assert.deepEqual(readDelimited('\ufeffsep=;\r\nTitle;Date\r\nA, b;2030-02-01'), [
    ['Title', 'Date'],
    ['A, b', '2030-02-01'],
  ])
  for (const word of ['trash', 'TRASH', 'Corbeille']) assert.equal(hiddenStatusIn(word), 'draft', word)
})

test('files of spreadsheets are read in each encoding that they are saved in', () => {
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Titre\té', 'utf16le')])
  assert.equal(decodeText(utf16), 'Titre\té')
  assert.equal(decodeText(Buffer.from(utf16).swap16()), 'Titre\té')
  assert.equal(decodeText(Buffer.from('Été', 'utf8')), 'Été')
  assert.equal(decodeText(Buffer.from('Été', 'latin1')), 'Été')
})

test('the dates of a table tell the order of their numbers, unless they contradict each other', () => {
  assert.equal(orderOf(['03/04/2030', '25/12/2030']), 'day')
  assert.equal(orderOf(['3.4.30', '12/25/2030 19:00']), 'month')
  assert.equal(orderOf(['03/04/2030']), undefined)
  assert.equal(orderOf(['13/04/2030', '04/13/2030']), undefined)
  assert.equal(orderOf(['2030-12-25']), undefined)
  assert.deepEqual(['03/04/2030', '2030-03-04', 'March 4', '19:30'].map(isAmbiguous), [true, false, false, false])
})
