import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { english } from '../../src/base/languages/en/catalogue.ts'
import type { Text } from '../../src/base/languages/plural.ts'
import { commands, helpOf } from '../../tools/cli-reference.list.ts'
import { avoidedPhrases, commentsOf, faultsOf, proseOf } from './prose.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** The text of licences is not ours. */
const quoted = /^LICENCES\.md$/
/** Code and tests cite the contract by its headings, so these never change. */
const withoutHeadings = (page: string) => page.replace(/^#+ .*$/gm, '')
/** Pages to rewrite. A page leaves this list and never comes back. */
const pagesNotDone: readonly string[] = []
/** Folders with comments to rewrite. A folder leaves this list and never comes back. */
const commentsNotDone: readonly string[] = []
/** The file that contains the phrases themselves. */
const phraseList = 'test/docs/prose.ts'

const pages = globSync(['*.md', 'docs/**/*.md', 'demo/**/*.md', 'packages/*/README.md'], { cwd: root }).filter(
  (file) => !quoted.test(file) && !file.includes('licences/') && !pagesNotDone.includes(file),
)

test('the documentation is written in plain English', () => {
  const textOf = (file: string) => (file.startsWith('docs/contract/') ? withoutHeadings(read(file)) : read(file))

  const faults = pages.flatMap((file) => faultsOf(file, proseOf(textOf(file))))

  assert.deepEqual(faults, [])
})

test('a decision says what and why in at most 300 words', () => {
  const lengths = pages
    .filter((file) => /decisions\/\d/.test(file))
    .map((file) => {
      const words = read(file).replace(/`[^`]*`|\]\([^)]*\)/g, ' ')
      return { file, words: words.match(/\p{L}[\p{L}\p{N}’.-]*/gu)?.length ?? 0 }
    })

  assert.deepEqual(
    lengths.filter(({ words }) => words > 300),
    [],
  )
})

test('the settings are described in plain English, each so that it makes sense alone', () => {
  const settings = Object.entries(english.texts.settings)

  const faults = settings.flatMap(([name, meaning]) => faultsOf(name, [meaning.replace(/`[^`]*`/g, 'CODE')]))
  const leaning = settings.filter(([, meaning]) => /^(?:The same|As |Also |That |Those )|\bbefore that\b/.test(meaning))
  assert.deepEqual(faults, [])
  assert.deepEqual(leaning, [])
})

test('the command line explains itself in plain English', () => {
  const faults = commands().flatMap((command) => faultsOf(command.name(), helpOf(command).split('\n\n')))

  assert.deepEqual(faults, [])
})

test('the service speaks plain English', () => {
  const { settings: _, ...sections } = english.texts
  const said = (text: Text) => Object.values(typeof text === 'string' ? [text] : text)
  const texts = Object.values(sections).flatMap((section) => Object.values<Text>(section).flatMap(said))

  // The Events Calendar has named its columns.
  const own = texts.filter((text) => text !== english.texts.feeds.headings)
  assert.ok(own.length > 2000)
  assert.deepEqual(faultsOf('en', own), [])
})

test('comments are written in plain English', () => {
  const sources = globSync(['{src,packages,tools,demo,test,bin}/**/*.{ts,mjs,js}'], { cwd: root }).filter(
    (file) =>
      file !== phraseList &&
      !file.includes('node_modules') &&
      !file.includes('/rich/bundle/') &&
      !commentsNotDone.some((part) => file === part || file.startsWith(`${part}/`)),
  )

  assert.deepEqual(
    sources.flatMap((file) => faultsOf(file, commentsOf(read(file)))),
    [],
  )
})

test('phrases are found in prose and in comments, and not in code', () => {
  const page = 'The file\nstands in a folder.\n\n```sh\nstands in code\n```\n\n`stands in code`'
  const source = '/**\n * Whatever is\n * sent.\n */\nconst text = "stands in code"\n// It is\n// told at once.\n'

  assert.equal(faultsOf('page', proseOf(page)).length, 1)
  assert.equal(faultsOf('source', commentsOf(source)).length, 2)
  for (const { instead } of avoidedPhrases) assert.notEqual(instead, '')
})
