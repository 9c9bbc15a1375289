import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const floors: Readonly<Record<string, readonly string[]>> = JSON.parse(read('src/floors.json'))

/** The floors of the tree in the page, in order, with their rooms. A name is a folder or a file. */
function drawnFloors(): Readonly<Record<string, readonly string[]>> {
  const drawn: Record<string, string[]> = {}
  let floor = ''
  for (const line of read('docs/architecture.md').split('\n')) {
    const [, indent, name] = /^(│ {3}| {4})?[├└]── ([a-z]+(?:\.[a-z]+)?)(?:\/|\.ts) /.exec(line) ?? []
    if (name === undefined) continue
    if (indent === undefined) {
      floor = name
      drawn[floor] = []
    } else {
      drawn[floor]?.push(name)
    }
  }
  return drawn
}

test('the page of the architecture draws every floor and every room, in their order', () => {
  const drawn = drawnFloors()

  assert.deepEqual(drawn, floors)
  assert.deepEqual(Object.keys(drawn), Object.keys(floors))
})
