import { readFileSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { richBundle } from '../src/desk/rich/rich.bundle.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** All libraries in the bundle have this licence, and the same author. It has to be in every copy. */
const licence = readFileSync(join(root, 'node_modules/prosemirror-model/LICENSE'), 'utf8')

/** Bundles the visual editor with its libraries for the browsers of the last years. */
export async function bundleDesk(): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'src/desk/rich/browser/rich.main.ts')],
    ...{ bundle: true, minify: true, write: false, format: 'esm', target: 'es2022', legalComments: 'none' },
    banner: { js: `/*! ProseMirror, https://prosemirror.net\n${licence}*/` },
    tsconfigRaw: {},
  })
  const [file] = outputFiles
  if (!file) throw new Error('esbuild wrote nothing.')
  await mkdir(dirname(richBundle), { recursive: true })
  // Several processes may bundle at the same time. Each of them replaces the file as a whole.
  const part = `${richBundle}.${process.pid}`
  await writeFile(part, file.contents)
  await rename(part, richBundle)
}
