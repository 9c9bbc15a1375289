import { readFile } from 'node:fs/promises'

export async function concatenateFiles(files: readonly URL[]): Promise<Buffer> {
  return Buffer.from((await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n'))
}

/** Returns style sheets as one file, without comments on lines of their own, blank lines and indentation. */
export async function bundleStyles(files: readonly URL[]): Promise<Buffer> {
  const joined = (await concatenateFiles(files)).toString('utf8')
  return Buffer.from(
    joined
      .replace(/^ *\/\*(?:[^*]|\*(?!\/))*\*\/\n/gm, '')
      .replace(/\n{2,}/g, '\n')
      .replace(/^ +/gm, ''),
  )
}

/**
 * Returns scripts for browsers as one file, so that a browser loads all of them in one request and in one version.
 *
 * The modules then share one scope, so no two of them may define the same name at the top level. The bundle omits
 * comments on lines of their own and blank lines, and shortens each indentation to one blank.
 *
 * @param files Each after the files that it imports.
 */
export async function bundleModules(files: readonly URL[]): Promise<Buffer> {
  const joined = (await concatenateFiles(files)).toString('utf8')
  return Buffer.from(
    joined
      .replace(/^ *(?:\/\/.*|\/\*(?:[^*]|\*(?!\/))*\*\/)\n/gm, '')
      .replace(/^import \{[^}]*\} from '\.[^']*'\n+/gm, '')
      .replace(/^export (?=\w)/gm, '')
      .replace(/\n{2,}/g, '\n')
      .replace(/^ +/gm, ' '),
  )
}
