import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** The script of the visual editor with its libraries. It is not a part of the repository: `npm ci` bundles it. */
export const richBundle = fileURLToPath(new URL('bundle/rich.js', import.meta.url))

/** @throws Error that says how to make the script, if it is missing. */
export async function readRichBundle(file = richBundle): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (cause) {
    throw new Error(`The script of the desk’s visual editor is missing: ${file}. Run “npm run bundle”.`, {
      cause,
    })
  }
}
