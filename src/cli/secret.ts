import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Hears nothing: what is typed is not shown. */
const silence = new Writable({ write: (_chunk, _encoding, done) => done() })

/** One line of standard input. Where somebody types it, it is asked for and not shown. */
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
