import type { Command } from 'commander'

/** Adds to a command what all commands of its kind share. */
export type CommandDecorator = (command: Command) => Command
/** Receives the exit code of the command. */
export type OnExit = (exitCode: number) => void

/** Adds these examples to the help. */
export function withExamples(command: Command, examples: readonly string[]): void {
  command.addHelpText('after', `\nExamples:\n${examples.map((example) => `  cal-events ${example}`).join('\n')}`)
}
