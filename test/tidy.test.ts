import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = join(root, 'src')
/** The client, which is a package of its own. */
const client = join(root, 'packages/client/src')
/** A longer file is not wrong, but look for a joint to cut it at. */
const manyLines = 500

/**
 * The floors from the ground up, and the rooms of each. A room imports only from earlier rooms of its floor and from
 * floors below.
 */
const floors: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(join(source, 'floors.json'), 'utf8'),
)
const order = Object.entries(floors).flatMap(([floor, rooms]) =>
  rooms.length === 0 ? [floor] : rooms.map((room) => `${floor}/${room}`),
)

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => join(source, file))
const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => join(root, 'test', file))
const clientFiles = readdirSync(client, { encoding: 'utf8' }).map((file) => join(client, file))
const isTest = (file: string) => file.endsWith('.test.ts')

/** The files of ours that a file imports, as absolute paths. */
function importsOf(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/(?<!')(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, path = '']) =>
    join(dirname(file), path),
  )
}

/** `calendar/events` for a file of that room, `app` for a file that is a floor of its own. */
function roomOf(file: string): string {
  const [floor = '', room = ''] = relative(source, file).split('/')
  const name = (part: string) => part.replace(/\.ts$/, '')
  return (floors[name(floor)] ?? [room]).length === 0 ? name(floor) : `${floor}/${name(room)}`
}

test('a room imports only from itself and from rooms before it', () => {
  const wrong = files
    .filter((file) => !isTest(file))
    .flatMap((file) =>
      importsOf(file)
        .filter((imported) => order.indexOf(roomOf(imported)) > order.indexOf(roomOf(file)))
        .map((imported) => `${relative(root, file)} → ${relative(root, imported)}`),
    )

  assert.deepEqual(wrong, [])
})

test('every room has its place in the order', () => {
  const rooms = new Set(files.map(roomOf))

  assert.deepEqual([...rooms].toSorted(), order.toSorted())
})

test('no file imports itself by way of others', () => {
  const graph = new Map(
    [...files.filter((file) => !isTest(file)), ...clientFiles].map((file) => [file, importsOf(file)]),
  )
  const cycles: string[] = []
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) {
      cycles.push([...path.slice(path.indexOf(file)), file].map((step) => relative(root, step)).join(' → '))
      return
    }
    if (done.has(file)) return
    for (const imported of graph.get(file) ?? []) visit(imported, [...path, file])
    done.add(file)
  }
  for (const file of graph.keys()) visit(file, [])

  assert.deepEqual(cycles, [])
})

test('the client needs nothing but what every platform has', () => {
  const outside = clientFiles.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?<!')(?:from|import)\s*\(?\s*'([^']+)'/g)]
      .filter(([, name = '']) => !name.startsWith('./'))
      .map(([, name]) => `${relative(root, file)}: ${name}`),
  )

  assert.deepEqual(outside, [])
})

test(`files of code with more than ${manyLines} lines are named`, (t) => {
  for (const file of [...files, ...clientFiles]) {
    const lines = readFileSync(file, 'utf8').split('\n').length - 1
    if (isTest(file) || file.endsWith('.generated.ts') || lines <= manyLines) continue
    t.diagnostic(`${relative(root, file)}: ${lines} lines`)
  }
})

test('only the registry of languages names languages', () => {
  // Examples are data, and the settings have defaults; old migrations stay unchanged.
  const exempt = /base\/languages\/|examples\/|migrations\/|base\/config\//
  const codeOf = (file: string) => readFileSync(join(source, file), 'utf8').replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')
  const named = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:ts|js)$/.test(file) && !isTest(file) && !exempt.test(file))
    .filter((file) => /'(?:en|fr|fr-CA)'|['"`]\/fr\b|\bisFrench\b|stopWords = new/.test(codeOf(file)))

  assert.deepEqual(named, [])
})

test('no test is focused or skipped', () => {
  const marked = [...files, ...tests].filter((file) =>
    /\b(?:test|it|describe|suite)\.(?:only|skip|todo)\b|\{[^}\n]*\b(?:skip|only|todo):\s*true/.test(
      readFileSync(file, 'utf8'),
    ),
  )

  assert.deepEqual(
    marked.filter((file) => !file.endsWith('tidy.test.ts')),
    [],
  )
})

test('texts are normalized in one place, which bounds what that takes', () => {
  const outside = [...files, ...clientFiles]
    .filter((file) => !isTest(file) && !file.endsWith('/base/text/normalize.ts'))
    .filter((file) => /\.normalize\(/.test(readFileSync(file, 'utf8')))
    .map((file) => relative(root, file))

  assert.deepEqual(outside, [])
})

test('SQL is in repositories only', () => {
  const outside = files
    .filter((file) => !isTest(file) && !/\.repository\.ts$|record\.visibility\.ts$|\/storage\/database\//.test(file))
    .filter((file) =>
      /\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql(?:<[^>]*>)?`/.test(readFileSync(file, 'utf8')),
    )
    .map((file) => relative(root, file))

  assert.deepEqual(outside, [])
})

const maxParameters = 3

/** The lists of parameters of all functions in a file: of declarations, methods and arrow functions. */
function parameterLists(file: string): readonly string[] {
  const code = stripTypeScriptTypes(readFileSync(file, 'utf8'))
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''")
  const lists: string[] = []
  for (let start = code.indexOf('('); start >= 0; start = code.indexOf('(', start + 1)) {
    const end = closingOf(code, start)
    const before = code.slice(Math.max(0, start - 80), start)
    const after = code.slice(end + 1, end + 20)
    const isMethod =
      /(?<![.\w]|new )(?!(?:if|for|while|switch|catch|with)\b)\w+\s*$/.test(before) && /^\s*\{/.test(after)
    if (/\bfunction\b\s*\*?\s*\w*\s*$/.test(before) || /^\s*=>/.test(after) || isMethod) {
      lists.push(code.slice(start + 1, end))
    }
  }
  return lists
}

/** The index of the bracket that closes the one at `start`. */
function closingOf(code: string, start: number): number {
  let depth = 0
  for (let place = start; place < code.length; place += 1) {
    if ('([{'.includes(code[place] ?? '')) depth += 1
    if (')]}'.includes(code[place] ?? '')) depth -= 1
    if (depth === 0) return place
  }
  return code.length
}

/** Counts the parameters of a list: commas within brackets, and one at the end, do not count. */
function countParameters(list: string): number {
  let flat = list.trim().replace(/,$/, '')
  for (let before = ''; before !== flat; ) {
    before = flat
    flat = flat.replace(/\([^()[\]{}]*\)|\[[^()[\]{}]*\]|\{[^()[\]{}]*\}/g, '')
  }
  return flat.trim() === '' ? 0 : flat.split(',').length
}

/** Functions that create the rows of a table: their parameters are its columns. */
const filesWithMoreParameters: readonly string[] = ['base/config/setting.ts']

test(`no function has more than ${maxParameters} positional parameters`, () => {
  const wrong = files
    .filter((file) => !/\.(?:test|d)\.ts$/.test(file))
    // Hooks of Fastify end with `done`, so Fastify defines their parameters.
    .filter((file) =>
      parameterLists(file).some((list) => countParameters(list) > maxParameters && !/\bdone\s*$/.test(list)),
    )
    .map((file) => relative(source, file))

  assert.deepEqual(wrong.toSorted(), filesWithMoreParameters.toSorted())
})
