import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const textOf = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')
const kinds = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']

/** The versions of the changelog, newest first, each with its headings and lists. */
const versions = textOf('CHANGELOG.md').split(/^## /m).slice(1)

test('the changelog begins with what is not released, and each version has its number and day', () => {
  const [first, ...released] = versions.map((version) => version.split('\n')[0])

  assert.equal(first, 'Unreleased')
  for (const heading of released) assert.match(heading ?? '', /^\[?\d+\.\d+\.\d+\]? - \d{4}-\d\d-\d\d$/)
})

test('changes stand in lists under the kinds of Keep a Changelog', () => {
  for (const version of versions) {
    const [heading = '', ...sections] = version.split(/^### /m)
    const titles = sections.map((section) => section.split('\n')[0] ?? '')

    assert.equal(heading.split('\n').slice(1).join('').trim(), '')
    assert.deepEqual(
      titles.filter((title) => !kinds.includes(title)),
      [],
    )
    assert.equal(new Set(titles).size, titles.length)
    for (const section of sections) assert.match(section, /^\w+\n\n(?:- .+\n(?: {2}.+\n)*)+\n*$/)
  }
})

test('the number of the package is that of the newest version, until the first is released', () => {
  const newest = /^\[?(\d+\.\d+\.\d+)/.exec(versions[1] ?? '')?.[1]

  const { version } = JSON.parse(textOf('package.json')) as { readonly version: string }

  if (newest === undefined) assert.match(version, /^0\./)
  else assert.equal(version, newest)
})
