// Every citation of the contract leads to a page, section, row or ruling that exists (docs/contract/README.md).
import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { MENDED } from '../contract/mended.ts'
import { type Citation, citationsOf, readPage } from './contract.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
const contractPages = globSync('docs/contract/*.md', { cwd: root }).filter((file) => !file.endsWith('README.md'))
const pages = new Map(contractPages.map((file) => [basename(file, '.md'), readPage(textOf(file))]))

const code = globSync(['{src,test,tools,packages,demo,bin,ops}/**/*.{ts,mts,js,mjs,css,html}'], {
  cwd: root,
  exclude: (path) => path.includes('node_modules') || path.includes('dist'),
}).filter((file) => file !== 'test/docs/contract.test.ts')
const prose = globSync(['*.md', 'docs/**/*.md', 'packages/*/*.md', 'test/**/*.md'], {
  cwd: root,
  exclude: (path) => path.includes('node_modules'),
}).filter((file) => !['CHANGELOG.md', 'docs/contract/README.md'].includes(file))

const inPages = new Map(contractPages.map((file) => [file, basename(file, '.md')]))
const inFiles = [...code, ...prose].flatMap((file) =>
  citationsOf(textOf(file), pages, inPages.get(file)).map((citation) => ({ file, ...citation })),
)
const faultsOf = (citations: readonly Citation[]) =>
  citations.filter(({ fault }) => fault !== undefined).map(({ text, fault }) => `${text} ${fault}`)

test('every citation in source, tests and pages leads to a place of the contract', () => {
  const wrong = inFiles.filter(({ fault }) => fault !== undefined)

  assert.deepEqual(
    wrong.map(({ file, text, fault }) => `${file}: “${text}” ${fault}`),
    [],
  )
  assert.ok(inFiles.length > 250, `${inFiles.length} found`)
})

test('every answer that differs from the recorded one names the row that says so', () => {
  for (const [pair, { by }] of Object.entries(MENDED)) {
    const [first, ...others] = citationsOf(by, pages)
    assert.ok(first && by.startsWith(first.text), `${pair}: ${by}`)
    assert.deepEqual(faultsOf([first, ...others]), [], pair)
  }
})

test('every recorded case that was decided otherwise names a row that exists', () => {
  const cited = globSync('test/conformance/cases/*.json', { cwd: root }).flatMap((file) =>
    [...textOf(file).matchAll(/"decided": "(.*)"/g)].flatMap(([, decided = '']) =>
      // The recorded cases write `(events 8.16)` for a row of the last section.
      [...decided.matchAll(/\(([a-z-]+) (\d+)(?:\.(\d+))?\)/g)].map(
        ([, name, section, row]) => `${name}.md §${section}${row === undefined ? '' : ` row ${row}`}`,
      ),
    ),
  )

  assert.ok(cited.length > 50, `${cited.length} found`)
  assert.deepEqual(
    cited.flatMap((citation) => faultsOf(citationsOf(citation, pages))),
    [],
  )
})

test('each row of a table that has a test of its own for each has one, and no test is of a row that there is not', () => {
  for (const [file, name, number] of [
    ['src/calendar/events/model/decisions.test.ts', 'events', '8'],
    ['src/calendar/translations/translations.test.ts', 'languages', '6'],
  ] as const) {
    const rows = pages.get(name)?.sections.find((section) => section.number === number)?.rows ?? new Set()
    const tested = [...textOf(file).matchAll(/^test\('row (\d+):/gm)].map(([, row]) => row)
    assert.deepEqual(tested, [...rows], file)
  }
})

test('every decision that code names is one of docs/decisions', () => {
  const numbers = new Set(readdirSync(join(root, 'docs/decisions')).map((file) => file.slice(0, 4)))
  const wrong = code.flatMap((file) =>
    [...textOf(file).matchAll(/(docs\/)?\bdecisions\/(\d+)/g)]
      .filter(([, folder, number = '']) => folder === undefined || !numbers.has(number))
      .map(([cited]) => `${file}: ${cited}`),
  )

  assert.deepEqual(wrong, [])
})

test('citations in the one form resolve', () => {
  for (const good of [
    'events.md',
    'events.md §1',
    'docs/contract/events.md §1',
    'conventions.md §8.2',
    'events.md §1 "Search"',
    'events.md "Date texts accepted"',
    'events.md §2 "timezone_abbr"',
    'events.md §2 "Typography"',
    'events.md §8 row 7',
    'events.md §8 rows 12 to 15',
    'events.md §3, §8 rows 9 and 26; rulings.md 26',
    'events.md §3\n   * and §8 row 7',
    'languages.md F1, F2',
    'rulings.md 6, 7, 10 and 24',
    'index-and-doc.md note 3',
    'README.md and docs/limits.md, which are no pages of the contract',
  ]) {
    assert.deepEqual(faultsOf(citationsOf(good, pages)), [], good)
  }
})

test('citations of what does not exist, or in another form, are found', () => {
  for (const bad of [
    'events.md §9',
    'events.md §1.1',
    'events.md §8 row 33',
    'events.md §8 rows 12 to 33',
    'events.md §1 row 1',
    'events.md §1 "Typography"',
    'events.md "Dates accepted"',
    'events.md §3, §9',
    'events.md §3, §8 row 33',
    'languages.md F15',
    'events.md F1',
    'rulings.md 99',
    'rulings.md 0',
    'rulings.md 6, 7 and 99',
    'rulings.md §22',
    'index-and-doc.md note 6',
    'decisions.md 22',
    'words.md §1',
    'events.md §8, 7',
    'events.md §8, row 7',
    'events.md §8 (7, 8)',
    'events.md, "Search"',
    'events.md, §1',
    'events.md 8',
    'rulings.md ruling §4',
    'See §4',
    'See the contract on events, 2',
  ]) {
    assert.notDeepEqual(faultsOf(citationsOf(bad, pages)), [], bad)
  }
})

test('rulings have anchors, so that pages can link to each', () => {
  const rulings = textOf('docs/contract/rulings.md')
  const anchors = [...rulings.matchAll(/^(\d+)\. <a id="ruling-(\d+)"><\/a>/gm)]

  assert.deepEqual(
    anchors.map(([, number, anchor]) => [number, anchor]),
    [...(pages.get('rulings')?.items ?? [])].map((number, index) => [String(index + 1), number]),
  )
})
