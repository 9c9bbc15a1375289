import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { unreadableReason } from './file.faults.ts'
import type { SettingTexts } from './sources.ts'

/** What a file of settings says, and what is wrong with it, one line each. */
export interface EnvFile {
  readonly texts: SettingTexts
  readonly faults: readonly string[]
}

const usualName = '.env'
/** `NAME=value`, as far as it goes: a value between quotes may have several lines. */
const assignment = /^[ \t]*(?:export[ \t]+)?[A-Za-z_][\w.-]*[ \t]*=[ \t]*(?:"[^"]*"|'[^']*'|`[^`]*`)?[^\n]*$/gm
const comment = /^[ \t]*#[^\n]*$/gm

/**
 * Reads the file that `ENV_FILE` names, which must be there, or else `.env` in the working folder, which need not.
 *
 * @param environment The real one.
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

/** Numbers of the lines that say nothing, which the parser passes over in silence. What they say may be a secret. */
function strayLines(text: string): readonly number[] {
  const blank = (found: string) => found.replace(/[^\n]/g, '')
  const rest = text.replaceAll('\r\n', '\n').replace(assignment, blank).replace(comment, blank)
  return rest.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [index + 1]))
}
