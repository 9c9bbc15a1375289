import { rmSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const bundles = join(root, 'node_modules/.cache')
/** Modules that start a sibling of their own, which is in the bundle as well. */
const startsSibling = 'extname(import.meta.filename)'
/** Libraries of hundreds of small modules. The others stay outside, because some read files beside them. */
const inlined = /^(?:kysely|typebox)(?:\/|$)/

/**
 * The command line that tests start as processes. `test/run.ts` bundles it; a file of tests that is run alone uses the
 * sources.
 */
export const program = process.env.TEST_PROGRAM ?? join(root, 'bin/cal-events.mjs')

/**
 * Bundles the command line into a few files, laid out as a package: loading the thousand modules of a checkout is more
 * than a third of the processor time of each start, and tests start hundreds of processes.
 *
 * Files beside the sources are read from there. The bundle is removed when this process ends.
 *
 * @returns the path of the program.
 */
export async function bundleProgram(): Promise<string> {
  const { build } = await import('esbuild')
  await mkdir(bundles, { recursive: true })
  // Runs of tests beside each other may be of other states of the sources.
  const folder = await mkdtemp(join(bundles, 'cal-events-program-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  await build({
    absWorkingDir: root,
    entryPoints: {
      cli: 'src/cli/cli.ts',
      thread: 'src/thread.ts',
      'calendar.thread': 'src/exchange/calendars/calendar.thread.ts',
      'picture.child': 'src/storage/pictures/picture.child.ts',
    },
    // All in one folder, so that siblings stay siblings.
    ...{ outdir: join(folder, 'dist/cli'), bundle: true, splitting: true, format: 'esm', platform: 'node' },
    ...{ target: 'esnext', tsconfigRaw: {}, logLevel: 'warning' },
    plugins: [
      {
        name: 'addresses of the sources',
        setup: ({ onResolve, onLoad }) => {
          onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
            kind === 'entry-point' || inlined.test(path) ? undefined : { path, external: true },
          )
          onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => ({ loader: 'ts', contents: await sourceOf(path) }))
        },
      },
    ],
  })
  await cp(join(root, 'bin'), join(folder, 'bin'), { recursive: true })
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n')
  return join(folder, 'bin/cal-events.mjs')
}

/** A module of the service, which finds files beside it also in a bundle. */
async function sourceOf(path: string): Promise<string> {
  const text = await readFile(path, 'utf8')
  return text.includes(startsSibling)
    ? text
    : text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
}
