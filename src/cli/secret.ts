import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { unreadableReason } from '../base/config/file.faults.ts'
import { CommandError, EXIT } from './output.ts'

/** Discards its input, so that typed text is not shown. */
const silence = new Writable({ write: (_chunk, _encoding, done) => done() })

/** Reads one line of standard input. On a terminal, prints a prompt and hides the typed text. */
export async function readSecret(question: string): Promise<string> {
  const { stdin, stderr } = process
  if (stdin.isTTY) stderr.write(question)
  const lines = createInterface({ input: stdin, output: silence, terminal: stdin.isTTY })
  try {
    for await (const line of lines) return line
    return ''
  } finally {
    lines.close()
    if (stdin.isTTY) stderr.write('\n')
  }
}

/**
 * Reads a secret from a file.
 *
 * @param what What the file must contain, for messages.
 */
export async function readSecretFile(file: string, what: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CommandError(EXIT.usage, `${file} cannot be read: ${unreadableReason(error)}.`)
  })
  const secret = text.replace(/\r?\n$/, '')
  if (secret === '') throw new CommandError(EXIT.usage, `${file} is empty: it must contain ${what}.`)
  return secret
}
