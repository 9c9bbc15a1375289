import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A package in the lockfile. */
export interface LockedPackage {
  /** Its folder, such as `node_modules/pg`. */
  readonly place: string
  readonly name: string
  readonly version: string
  readonly licence: string
  readonly isDevelopment: boolean
  /** The address of its archive, and the digest of the archive. */
  readonly resolved: string | undefined
  readonly integrity: string | undefined
}

interface LockEntry {
  readonly name?: string
  readonly version?: string
  readonly license?: string
  readonly dev?: boolean
  readonly link?: boolean
  readonly resolved?: string
  readonly integrity?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const root = fileURLToPath(new URL('..', import.meta.url))
export const licencesFile = join(root, 'LICENCES.md')

/** The lockfile of the service, and that of the Node 24 which runs some tests. */
export const lockfiles = ['package-lock.json', 'test/node-24/package-lock.json'] as const

function readLock(lockfile: string): Readonly<Record<string, LockEntry>> {
  const lock = JSON.parse(readFileSync(join(root, lockfile), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockEntry>>
  }
  return lock.packages
}

/**
 * Returns the optional dependencies that a lockfile does not contain, as `node_modules/a needs b`. npm leaves one out
 * if the registry does not have it for every platform yet, and `npm ci` then refuses the lockfile.
 */
export function unlockedDependencies(lockfile: string): readonly string[] {
  const packages = readLock(lockfile)
  return Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !foldersAbove(place).some((folder) => `${folder}node_modules/${name}` in packages))
      .map((name) => `${place === '' ? 'package.json' : place} needs ${name}`),
  )
}

/** The folders in whose `node_modules` Node looks for a dependency of a package, the nearest first. */
function foldersAbove(place: string): readonly string[] {
  if (place === '') return ['']
  const above = place.slice(0, Math.max(0, place.lastIndexOf('node_modules/') - 1))
  return [`${place}/`, ...foldersAbove(above)]
}

/** Returns all packages of a lockfile except our own, by name. */
export function lockedPackages(lockfile: string = lockfiles[0]): readonly LockedPackage[] {
  return Object.entries(readLock(lockfile))
    .filter(([place]) => place !== '')
    .map(([place, { name, version = '', license, dev = false, resolved, integrity }]) => ({
      place,
      name: name ?? place.split('node_modules/').at(-1) ?? place,
      version,
      licence: license ?? statedLicence(place) ?? 'none stated',
      isDevelopment: dev,
      resolved,
      integrity,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1))
}

/** Some packages state the licence in an older format, which the lockfile does not contain. */
function statedLicence(place: string): string | undefined {
  const file = join(root, place, 'package.json')
  if (!existsSync(file)) return undefined
  const { license, licenses } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly license?: { readonly type?: string } | string
    readonly licenses?: readonly { readonly type?: string }[]
  }
  const types = licenses?.flatMap(({ type }) => type ?? []) ?? []
  if (types.length > 0) return types.join(' OR ')
  return typeof license === 'string' ? license : license?.type
}

/**
 * Returns the packages and their licences as a Markdown document: first those of production, then those that only tests
 * and builds need.
 */
export function licencesDocument(): string {
  const rows = (packages: readonly LockedPackage[]) => [
    '| package | version | licence |',
    '| --- | --- | --- |',
    ...new Set(packages.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`)),
  ]
  const all = lockedPackages()
  return [
    '# Licences of what this service is made of',
    '',
    'Written by `npm run licences` from the lockfile; a test holds it current, and every licence to the list in',
    '`test/supply.test.ts`.',
    '',
    '## In operation',
    '',
    ...rows(all.filter(({ isDevelopment }) => !isDevelopment)),
    '',
    '## In tests and while developing only',
    '',
    ...rows(all.filter(({ isDevelopment }) => isDevelopment)),
    '',
  ].join('\n')
}
