import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter } from 'node:path'
import { test } from 'node:test'
import {
  licencesDocument,
  licencesFile,
  lockedPackages,
  lockfiles,
  unlockedDependencies,
} from '../tools/licences.list.ts'

/** Licences that let everybody use, change and redistribute the work. */
const permissive = new Set([
  'MIT',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Zlib',
])

/**
 * Its own files must stay open, and may be part of anything else (MPL-2.0, 3.3). The package has them as text, and we
 * change none.
 */
const unchanged = new Set(['ical.js: MPL-2.0'])

/** The licence allows this if the library can be replaced. sharp loads libvips as a separate file. */
const replaceable = /^@img\/sharp-/

/**
 * Development tools may also require that their own files stay open, or that their data names its author: we ship none
 * of it.
 */
const ofTools = new Set(['MPL-2.0', 'CC-BY-4.0'])

/** Test tools whose MIT licence is only in their README. */
const unstated = new Set(['only', 'humanize-number'])

const registry = 'https://registry.npmjs.org/'

/** Whether a permissive licence can be chosen, or all required ones are permissive: `A OR B`, `A AND B`. */
function isPermissive(licence: string): boolean {
  return licence
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((one) => permissive.has(one)))
}

test('the list of licences is that of the lockfile', () => {
  assert.equal(readFileSync(licencesFile, 'utf8'), licencesDocument(), 'npm run licences writes it anew')
})

test('every package has a permissive licence, or one that a library may have that is replaceable or unchanged', () => {
  const others = lockedPackages()
    .filter(({ name, licence }) => !isPermissive(licence) && !unchanged.has(`${name}: ${licence}`))
    .filter(
      ({ name, licence }) => !(replaceable.test(name) && isPermissive(licence.replaceAll('LGPL-3.0-or-later', 'MIT'))),
    )
    .filter(({ licence, isDevelopment }) => !(isDevelopment && ofTools.has(licence)))
    .filter(({ name, licence, isDevelopment }) => !(isDevelopment && unstated.has(name) && licence === 'none stated'))

  assert.deepEqual(
    others.map(({ name, licence }) => `${name}: ${licence}`),
    [],
  )
})

test('every package is held to what it was, and comes from the public registry', () => {
  const packages = lockfiles.flatMap((lockfile) => lockedPackages(lockfile))

  assert.ok(packages.length > 100)
  assert.deepEqual(
    packages.filter(({ integrity }) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? '')),
    [],
  )
  assert.deepEqual(
    packages.filter(({ resolved }) => resolved !== undefined && !resolved.startsWith(registry)),
    [],
  )
})

test('the lockfiles contain the packages of every platform', () => {
  assert.deepEqual(lockfiles.flatMap(unlockedDependencies), [])
})

test('no package runs a program of its own while it is installed, but the one that is allowed to', () => {
  const { allowScripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

  assert.deepEqual(allowScripts, { node: true, 'better-sqlite3': false, esbuild: false })
})

test('an installation prints no warnings, whichever Node runs npm', () => {
  const isOwn = (name: string) => !/^npm_/i.test(name)
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => isOwn(name)))
  // The Node of the machine, not that of the checkout.
  const PATH = own.PATH?.split(delimiter).filter((folder) => !folder.includes('node_modules'))
  const { status, stderr } = spawnSync('npm', ['ci', '--dry-run', '--offline', '--ignore-scripts'], {
    env: { ...own, PATH: PATH?.join(delimiter) },
    encoding: 'utf8',
  })

  assert.deepEqual([status, stderr], [0, ''])
})
