import type { Command } from 'commander'
import { commandLine } from '../src/cli/cli.ts'

const start = '<!-- commands -->'
const end = '<!-- /commands -->'
const width = 110

/** Every command of the command line, those that hold others before them. */
export function commands(): readonly Command[] {
  return withSubcommands(commandLine(() => {}))
}

/** The page with the help of every command as it is now. */
export function withCommands(page: string): string {
  const [before = '', rest = ''] = page.split(start)
  const [, after = ''] = rest.split(end)
  const sections = commands().map((command) => `## ${nameOf(command)}\n\n\`\`\`\n${helpOf(command)}\n\`\`\`\n`)
  return `${before}${start}\n${sections.join('\n')}${end}${after}`
}

/** What `--help` prints. */
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

/** As it is typed. */
export function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name()
}
