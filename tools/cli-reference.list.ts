import type { Command, Option } from 'commander'
import { commandLine } from '../src/cli/cli.ts'

const start = '<!-- commands -->'
const end = '<!-- /commands -->'
const width = 110

/** Returns every command of the command line, parents before their subcommands. */
export function commands(): readonly Command[] {
  return withSubcommands(commandLine(() => {}))
}

/** Returns the page with the current help of every command that does something. What many have is said once. */
export function withCommands(page: string): string {
  const [before = '', rest = ''] = page.split(start)
  const [, after = ''] = rest.split(end)
  const leaves = commands().filter((command) => command.commands.length === 0)
  const shared = sharedOptions(leaves)
  const sections = leaves.map((command) => sectionOf(command, shared, leaves))
  return `${before}${start}\n${[tableOf(shared, leaves), ...sections].join('\n')}${end}${after}`
}

interface SharedOption {
  readonly flags: string
  readonly description: string
  readonly has: readonly Command[]
}

/** The options that at least three commands have with the same meaning; of several meanings, the most frequent one. */
function sharedOptions(leaves: readonly Command[]): ReadonlyMap<string, SharedOption> {
  const all = leaves.flatMap((command) => optionsOf(command).map((option) => ({ command, option })))
  const groups = Map.groupBy(all, ({ option }) => option.flags + option.description)
  const shared = [...groups].flatMap(([key, [first, ...others]]): [string, SharedOption][] =>
    first && others.length >= 2
      ? [[key, { ...textOf(first), has: [first, ...others].map(({ command }) => command) }]]
      : [],
  )
  const isMostFrequent = ({ flags, has }: SharedOption) =>
    shared.every(([, other]) => other.flags !== flags || other.has.length <= has.length)
  return new Map(shared.filter(([, option]) => isMostFrequent(option)))
}

const optionsOf = (command: Command) => command.options.filter(({ hidden }) => !hidden)

const textOf = ({ command, option }: { command: Command; option: Option }) => ({
  flags: option.flags,
  description: command.createHelp().optionDescription(option),
})

function tableOf(shared: ReadonlyMap<string, SharedOption>, leaves: readonly Command[]): string {
  const exceptions = ({ has }: SharedOption) =>
    leaves.flatMap((command) => (has.includes(command) ? [] : [`\`${shortNameOf(command)}\``])).join(', ')
  const rows = [...shared.values()].map((option) => {
    const where = isUsual(option, leaves) ? `; all commands except ${exceptions(option)}` : ''
    return `| \`${option.flags}\` | ${option.description}${where} |`
  })
  return ['| option | meaning |', '| --- | --- |', ...rows, ''].join('\n')
}

const isUsual = ({ has }: SharedOption, leaves: readonly Command[]) => has.length > leaves.length / 2

function sectionOf(command: Command, shared: ReadonlyMap<string, SharedOption>, leaves: readonly Command[]): string {
  const isShared = (option: Option) => shared.has(option.flags + option.description)
  command.configureHelp({
    ...command.configureHelp(),
    visibleOptions: (one) => optionsOf(one).filter((option) => !isShared(option)),
  })
  const [usage = '', description = '', ...parts] = helpOf(command).split('\n\n')
  const typed = usage.replaceAll(/^Usage: | \[options\]/g, '')
  const others = [...shared.values()].filter((option) => option.has.includes(command) && !isUsual(option, leaves))
  const also = others.map(({ flags }) => `\`${flags.split(' ')[0]}\``).join(', ')
  const said = `${description.replaceAll(/\s+/g, ' ')}${also === '' ? '' : `\n\nAlso ${also}.`}`
  const lines = [...(typed === nameOf(command) ? [] : [typed]), ...parts].join('\n\n')
  return `## ${nameOf(command)}\n\n${said}\n\n\`\`\`\n${lines}\n\`\`\`\n`
}

/** Returns the command without the name of the program. */
const shortNameOf = (command: Command) => nameOf(command).replace('cal-events ', '')

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
