import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

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
