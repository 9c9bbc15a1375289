import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { unreadableReason } from './file.faults.ts'
import type { SettingTexts } from './sources.ts'

/** The contents of a settings file, and its faults, one line each. */
export interface EnvFile {
  readonly texts: SettingTexts
  readonly faults: readonly string[]
}

const usualName = '.env'
/** A complete `NAME=value` assignment. A quoted value may have several lines. */
const assignment = /^[ \t]*(?:export[ \t]+)?[A-Za-z_][\w.-]*[ \t]*=[ \t]*(?:"[^"]*"|'[^']*'|`[^`]*`)?[^\n]*$/gm
const comment = /^[ \t]*#[^\n]*$/gm

/**
 * Reads the file that `ENV_FILE` names, which must exist. Otherwise reads `.env` in the working directory, if it
 * exists.
 *
 * @param environment The variables of the process.
 */
export function readEnvFile({ ENV_FILE: named }: SettingTexts): EnvFile {
  const file = named || usualName
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
    const lines = strayLines(text)
    const faults =
      lines.length === 0 ? [] : [`The file ${file} has lines that are not NAME=value: ${lines.join(', ')}.`]
    return { texts: parseEnv(text), faults }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && !named) return { texts: {}, faults: [] }
    return { texts: {}, faults: [`The file ${file} cannot be read: ${unreadableReason(error)}.`] }
  }
}

/** Returns the numbers of the lines that the parser silently ignores. Their text may be a secret. */
function strayLines(text: string): readonly number[] {
  const blank = (found: string) => found.replace(/[^\n]/g, '')
  const rest = text.replaceAll('\r\n', '\n').replace(assignment, blank).replace(comment, blank)
  return rest.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [index + 1]))
}
