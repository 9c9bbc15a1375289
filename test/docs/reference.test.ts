import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import messages from '../../src/base/languages/en/messages.json' with { type: 'json' }
import { PROBLEMS, type ProblemCode } from '../../src/base/problems.ts'
import { commands, helpOf, nameOf, withCommands } from '../../tools/cli-reference.list.ts'
import { withSettingsTable } from '../../tools/settings-table.list.ts'

const pageOf = (name: string) => readFileSync(new URL(`../../docs/reference/${name}`, import.meta.url), 'utf8')

/** The cells of all rows of tables whose first cell matches. */
function rowsOf(page: string, first: RegExp): readonly (readonly string[])[] {
  return page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split(' | ').map((cell) => cell.replaceAll(/^\| | \|$/g, '').trim()))
    .filter(([cell = '']) => first.test(cell))
}

test('the page of settings has the table that is made from them', () => {
  const page = pageOf('configuration.md')

  assert.equal(page, withSettingsTable(page), 'npm run settings-table writes it anew')
})

test('the page of the command line says what --help says', () => {
  const page = pageOf('cli.md')

  assert.equal(page, withCommands(page), 'npm run cli-reference writes it anew')
})

test('every command shows examples of itself', () => {
  const without = commands().filter((command) => {
    const [, examples = ''] = helpOf(command).split('Examples:\n')
    return !/^ {2}(?<typed>\S.*)$/m.exec(examples)?.groups?.typed?.startsWith(nameOf(command))
  })

  assert.deepEqual(without.map(nameOf), [])
})

test('the page of errors has every code with its status, why, and what to do; and no other', () => {
  const rows = rowsOf(pageOf('errors.md'), /^`[a-z_-]+`(?:, `[a-z_-]+`)*$/)

  const listed = rows.flatMap(([codes = '', status = '']) =>
    codes.split(', ').map((code) => `${code.replaceAll('`', '')} ${status}`),
  )
  const known = Object.keys(PROBLEMS).map((code) => `${code} ${statusesOf(code as ProblemCode)}`)
  assert.deepEqual(listed.toSorted(), known.toSorted())
  assert.deepEqual(
    rows.filter((cells) => cells.length !== 4 || cells.includes('')),
    [],
  )
})

// Contract: 401 for visitors, 403 for users.
const statusesOf = (code: ProblemCode) => (code === 'rest_forbidden' ? '401, 403' : String(PROBLEMS[code]))

test('everything that is said of a value says itself what is allowed, or the page of errors says what to do', () => {
  const listed = [...pageOf('errors.md').matchAll(/^- \*(.+?)\* \S.*$/gm)].map(([, text]) => text)

  const said = Object.entries(messages).flatMap(([key, text]) => (key.startsWith('fault.') ? [String(text)] : []))
  const silent = said.filter((text) => !listed.includes(text) && !saysWhatIsAllowed.test(text))
  assert.ok(listed.length > 40)
  assert.deepEqual(silent, [])
  assert.deepEqual(
    listed.filter((text = '') => !said.includes(text)),
    [],
  )
  for (const key of ['json_syntax', 'json_encoding'] as const) assert.ok(pageOf('errors.md').includes(messages[key]))
})

const saysWhatIsAllowed =
  /\bmust\b|\b(?:[Ss]end|Choose|Change|Create|Check|Lower|Shorten|Use|Remove|Allowed|Known are)\b|such as|may have at most|may number/
