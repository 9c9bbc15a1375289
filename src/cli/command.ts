import type { Command } from 'commander'

/** Adds to a command what all of its kind have. */
export type CommandDecorator = (command: Command) => Command
/** Takes the exit code of the command that has run. */
export type OnExit = (exitCode: number) => void

/** Shows these examples below the help. */
export function withExamples(command: Command, examples: readonly string[]): void {
  command.addHelpText('after', `\nExamples:\n${examples.map((example) => `  cal-events ${example}`).join('\n')}`)
}
