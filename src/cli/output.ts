import { systemErrorReason } from '../operate/backup/backup.system.errors.ts'

/** Exit codes. Those from 64 are defined in sysexits.h, which supervisors know. */
export const EXIT = {
  ok: 0,
  /** Part of the work failed: an invalid record of an import, a user that does not exist. */
  failed: 1,
  /** The command line is invalid. */
  usage: 2,
  /** EX_UNAVAILABLE: the port is in use, or the database cannot be opened. */
  unavailable: 69,
  /** EX_SOFTWARE: a bug. */
  bug: 70,
  /** EX_TEMPFAIL: the service has ended, and has interrupted requests that took too long. */
  cut: 75,
  /** EX_CONFIG: the settings are invalid or contradict each other. */
  config: 78,
} as const

/** A failed command, with a reason for the user. The reason is empty if another process has printed it. */
export class CommandError extends Error {
  readonly exitCode: number

  constructor(exitCode: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
  }
}

/** The audience of the output: people, or machines with `--json`. */
export interface OutputOptions {
  readonly json?: boolean
}

/** Returns the message for standard output that accepts no more data. */
export function outputErrorText(error: NodeJS.ErrnoException): string {
  const reason =
    error.code === 'EPIPE' ? 'the program that reads it has ended' : (systemErrorReason(error) ?? error.message)
  return `Standard output cannot be written: ${reason}.`
}

/** Prints one or more lines on standard output. */
export function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Prints one or more lines on standard error. */
export function printError(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** Prints `forMachines` as JSON if requested, and `forPeople` otherwise. */
export function printResult({ json = false }: OutputOptions, forMachines: unknown, forPeople: string): void {
  say(json ? JSON.stringify(forMachines, undefined, 2) : forPeople)
}

/** Formats rows in columns as wide as their widest cell, separated by two spaces. */
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
