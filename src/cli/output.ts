import { systemErrorReason } from '../operate/backup/backup.system.errors.ts'

/** Exit codes. Those from 64 on are of sysexits.h, which supervisors know. */
export const EXIT = {
  ok: 0,
  /** Some of the work could not be done: a bad record of an import, a user who is not there. */
  failed: 1,
  /** The command line cannot be understood. */
  usage: 2,
  /** EX_UNAVAILABLE: the port is taken, the database cannot be opened. */
  unavailable: 69,
  /** EX_SOFTWARE: a bug. */
  bug: 70,
  /** EX_TEMPFAIL: the service has ended, and has cut what was in flight for too long. */
  cut: 75,
  /** EX_CONFIG: the settings are wrong or contradict each other. */
  config: 78,
} as const

/** A command that cannot do what it was asked, with a reason for the person who asked: none where another process said it. */
export class CommandError extends Error {
  readonly exitCode: number

  constructor(exitCode: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
  }
}

/** Whom the output is for: people, or with `--json` machines. */
export interface OutputOptions {
  readonly json?: boolean
}

/** What to tell where standard output takes nothing more. */
export function outputErrorText(error: NodeJS.ErrnoException): string {
  const reason =
    error.code === 'EPIPE' ? 'the program that reads it has ended' : (systemErrorReason(error) ?? error.message)
  return `Standard output cannot be written: ${reason}.`
}

/** One line, or several, on standard output. */
export function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** One line, or several, on standard error. */
export function printError(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** Says `forMachines` as JSON where that is asked for, and `forPeople` otherwise. */
export function printResult({ json = false }: OutputOptions, forMachines: unknown, forPeople: string): void {
  say(json ? JSON.stringify(forMachines, undefined, 2) : forPeople)
}

/** Rows in columns as wide as their widest cell, two blanks apart. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
