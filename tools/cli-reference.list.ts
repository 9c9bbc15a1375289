import type { Command } from 'commander'
import { commandLine } from '../src/cli/cli.ts'

const start = '<!-- commands -->'
const end = '<!-- /commands -->'
const width = 110

/** Returns every command of the command line, parents before their subcommands. */
export function commands(): readonly Command[] {
  return withSubcommands(commandLine(() => {}))
}

/** Returns the page with the current help of every command. */
export function withCommands(page: string): string {
  const [before = '', rest = ''] = page.split(start)
  const [, after = ''] = rest.split(end)
  const sections = commands().map((command) => `## ${nameOf(command)}\n\n\`\`\`\n${helpOf(command)}\n\`\`\`\n`)
  return `${before}${start}\n${sections.join('\n')}${end}${after}`
}

/** Returns the output of `--help`. */
export function helpOf(command: Command): string {
  let help = ''
  command.configureOutput({
    writeOut: (text) => {
      help += text
    },
    getOutHelpWidth: () => width,
    getOutHasColors: () => false,
  })
  command.outputHelp()
  return help.trimEnd()
}

function withSubcommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)]
}

/** Returns the command as typed. */
export function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name()
}
