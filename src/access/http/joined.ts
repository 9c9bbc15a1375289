import { readFile } from 'node:fs/promises'

/** These files as one, one after the other. */
export async function joinFiles(files: readonly URL[]): Promise<Buffer> {
  return Buffer.from((await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n'))
}

/**
 * Scripts for browsers as one: a browser that has it has all of it, of one version, by one request.
 *
 * The modules share one scope then, so that no two of them may give different things the same name at their top. Lines
 * that are comments stay here, and of the blanks that begin a line all but one.
 *
 * @param files Each after those that it imports.
 */
export async function joinModules(files: readonly URL[]): Promise<Buffer> {
  const joined = (await joinFiles(files)).toString('utf8')
  return Buffer.from(
    joined
      .replace(/^ *(?:\/\/.*|\/\*(?:[^*]|\*(?!\/))*\*\/)\n/gm, '')
      .replace(/^import \{[^}]*\} from '\.[^']*'\n+/gm, '')
      .replace(/^export (?=\w)/gm, '')
      .replace(/^ +/gm, ' '),
  )
}
