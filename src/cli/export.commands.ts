import type { Command } from 'commander'
import { type CommandDecorator, type OnExit, withExamples } from './command.ts'
import { configFor } from './settings.ts'

/** Adds the commands that give out the calendar. */
export function addExportCommands(program: Command, withOutput: CommandDecorator, end: OnExit): void {
  const exports = program
    .command('export')
    .description('Export the calendar. Changes nothing, and can run while the service runs.')
  withExamples(exports, ['export folder calendar', 'export csv events.csv', 'export wxr calendar.xml'])

  const folder = withOutput(exports.command('folder'))
    .description('Export everything into a folder, pictures included, which “import tec” reads.')
    .argument('<folder>', 'a new folder, or one of an earlier export, which is brought up to date')
    .option('--quiet', 'no progress bar')
    .action(async (path, flags) => end(await (await import('./export.ts')).exportFolder(configFor(flags), path, flags)))
  withExamples(folder, ['export folder calendar', 'export folder calendar --data-dir /var/lib/cal-events --json'])
  folder.addHelpText(
    'after',
    `
The folder has one JSON file for each event, those of all lists, and the pictures: drafts, hidden events, the trash, all
languages, series and users, but no passwords. Keep it safe. After an interruption, run the same command again.`,
  )

  for (const [format, about, example] of [
    [
      'csv',
      'Export events as CSV with the columns of The Events Calendar.',
      'export csv evenements.csv --language fr-CA',
    ],
    ['ics', 'Export events as iCalendar, with their series.', 'export ics events.ics --status publish,private'],
  ] as const) {
    const command = withOutput(exports.command(format))
      .description(about)
      .argument('<file>', 'the file to write')
      .option('--language <code>', 'language of events and headings, one of LANGUAGES (default: each event once)')
      .option('--status <statuses>', 'statuses of the events, separated by commas (default: publish)')
      .option('--quiet', 'no progress bar')
      .action(async (file, flags) =>
        end(await (await import('./export.ts')).exportFeed(configFor(flags), { format, file, flags })),
      )
    withExamples(command, [`export ${format} events.${format}`, example, `export ${format} events.${format} --json`])
    command.addHelpText('after', '\nEvents that are hidden from lists are not in the file: “export folder” has them.')
  }

  const wxr = withOutput(exports.command('wxr'))
    .description('Export everything as XML, which the importer of WordPress reads for The Events Calendar.')
    .argument('<file>', 'the file to write')
    .option('--quiet', 'no progress bar')
    .action(async (file, flags) => end(await (await import('./export.ts')).exportWxr(configFor(flags), file, flags)))
  withExamples(wxr, ['export wxr calendar.xml', 'export wxr calendar.xml --json'])
  wxr.addHelpText(
    'after',
    `
Import it into a new site, where all ids are free. WordPress fetches the pictures from this service, so set PUBLIC_URL and
let it run meanwhile. Events with a password become private, because nobody can read their passwords.`,
  )
}
