import { Argument, type Command, Option } from 'commander'
import { type CommandDecorator, type OnExit, withExamples } from './command.ts'
import { configFor } from './settings.ts'

/** Adds the commands that fetch and import calendars of other sites. */
export function addImportCommands(program: Command, withOutput: CommandDecorator, end: OnExit): void {
  const imports = program.command('import').description('Import events from other calendars.')
  withExamples(imports, ['import tec events.json', 'import ics club.ics'])

  const tec = withOutput(imports.command('tec'))
    .description('Import what “pull tec” has fetched, or recorded answers of a tribe/events/v1 API.')
    .addArgument(new Argument('<file...>', 'a folder of “pull tec”, or JSON files with one answer each'))
    .option('--shift-to-today', 'move all events by whole weeks, so that they are in the future')
    .option('--author <name>', 'user who will own the records (default: the first administrator)')
    .option('--language <code>', 'language of the records, one of LANGUAGES (default: DEFAULT_LANGUAGE)')
    .option('--translation-of <file>', 'JSON file that maps each id to the id it translates: {"events": {"12": 10}, …}')
    .option('--keep-ids', 'give events, venues, organizers and terms their old ids: only into an empty calendar')
    .option('--event-password-file <file>', 'file with the password to set on all events of these files')
    .option('--dry-run', 'show what would be done without changing anything')
    .option('--quiet', 'no progress bar, no warnings')
    .action(async (files, options) =>
      end(await (await import('./import.ts')).importFiles(configFor(options), files, options)),
    )
  withExamples(tec, [
    'import tec old.example.org --dry-run',
    'import tec old.example.org --keep-ids',
    'import tec page-1.json page-2.json',
    'import tec *.json --shift-to-today',
    'import tec fr/*.json --language fr-CA --translation-of pairs.json',
    'import tec categories-*.json venues-*.json events-*.json',
    'import tec protected-*.json --event-password-file password.txt',
    'import tec events.json --author alice --dry-run --json',
  ])
  tec.addHelpText(
    'after',
    `
A folder comes with its users, without passwords, and its pictures. The warnings name everything that does not come.

Events come with their venues, organizers, categories and tags. Record the lists of these as well: they also contain
records that no event refers to, such as parent categories. An event with a password is refused if the answer does not
include its content. A second import changes only records that changed in the files, and never moves an event again.
Invalid records are reported by file and position. All others are imported, and the exit code is 1.`,
  )

  const withSource = (command: Command) =>
    withOutput(command)
      .option('--source <name>', 'name of the source (default: the name of the file or of the site)')
      .option('--author <name>', 'user who will own the records (default: the first administrator)')
      .option('--language <code>', 'language of the records, one of LANGUAGES (default: DEFAULT_LANGUAGE)')
      .option('--status <status>', 'status of public events: publish, pending or draft (default: publish)')
      .option('--category <name>', 'category of all events, beside their own')
      .option('--force', 'overwrite what was edited here')
      .option('--dry-run', 'show what would be done without changing anything')
      .option('--quiet', 'no progress bar, no notes')

  const ics = withSource(imports.command('ics'))
    .description('Import an iCalendar file, such as that of Google Calendar or Outlook.')
    .argument('<file>', 'a file, or an address that begins with https:// or webcal://')
    .action(async (file, options) =>
      end(await (await import('./import.calendar.ts')).importIcs(configFor(options), file, options)),
    )
  withExamples(ics, [
    'import ics club.ics --dry-run',
    'import ics https://calendar.example.org/basic.ics --source club --category Sports',
    'import ics club.ics --status pending --author alice --json',
  ])
  ics.addHelpText(
    'after',
    `
Events are known by their ids (UID), so you can import the same calendar again: only what has changed is written, and
what was edited here is kept. Rules become series. Invalid events are reported by their number, and the exit code is 1.`,
  )

  const csv = withSource(imports.command('csv'))
    .description('Import a spreadsheet: a CSV file with a row of headings.')
    .argument('<file>', 'a file, or an address that begins with https://')
    .option('--dates <order>', 'the first number in 03/04/2027, if the dates do not tell: day or month')
    .action(async (file, options) =>
      end(await (await import('./import.calendar.ts')).importCsv(configFor(options), file, options)),
    )
  withExamples(csv, ['import csv events.csv --dry-run', 'import csv events.csv --dates day --status draft --json'])
  csv.addHelpText(
    'after',
    `
Columns are known by their headings, as at the desk: those of The Events Calendar, Google Calendar and Outlook, in
English and French, and those of events.csv. The columns UID, RRULE and Dates are read as well. A row is known by its UID,
or else by its title and times. A row with a fault is reported by its number, and all others are imported.`,
  )

  const jsonld = withSource(imports.command('jsonld'))
    .description('Import the events that the pages of any site show to search engines (schema.org).')
    .argument('<url>', 'address of a page, of the site, or of its sitemap')
    .option('--match <text>', 'only pages whose addresses contain this text, such as /event/')
    .option('--pause <ms>', 'milliseconds between two pages (default 500)')
    .action(async (url, options) =>
      end(await (await import('./import.calendar.ts')).importJsonLd(configFor(options), url, options)),
    )
  withExamples(jsonld, ['import jsonld https://club.example.org --match /event/ --dry-run'])
  jsonld.addHelpText(
    'after',
    `
Of a site, the pages that its sitemaps name are read, those of events first. At most 5,000 pages of the same host are read,
one at a time.`,
  )

  const pull = program.command('pull').description('Fetch a whole calendar of another site into a folder.')
  withExamples(pull, ['pull tec https://old.example.org --user admin --password-file password.txt'])

  const pullTec = pull
    .command('tec')
    .description('Fetch a calendar of The Events Calendar. Changes nothing, here or there.')
    .argument('<url>', 'address of the site')
    .option('--user <name>', 'administrator of the site (default: fetch what visitors see)')
    .option('--password-file <file>', 'file with an application password of that user')
    .option('--folder <folder>', 'folder to fetch into (default: the host of the address)')
    .option('--pause <ms>', 'milliseconds between two requests (default 1000)')
    .option('--since-last', 'fetch only what has changed since the folder was fetched')
    .option('--events <ids>', 'ids of further events: those that end before they start are in no list')
    .option('--quiet', 'no progress bar')
    .option('--json', 'print the result as JSON')
    .action(async (url, flags) => end(await (await import('./pull.ts')).pullFrom(url, flags)))
  withExamples(pullTec, [
    'pull tec https://old.example.org --user admin --password-file password.txt',
    'pull tec https://old.example.org --folder old --pause 200 --json',
    'pull tec https://old.example.org --folder old --since-last',
  ])
  pullTec.addHelpText(
    'after',
    `
Requests are sent one at a time, and repeated while the site is busy. What is in the folder is not fetched again, so run
the same command again after an interruption. To fetch what has changed since, add --since-last. The folder then has
drafts, passwords and email addresses: keep it safe.`,
  )

  const redirects = program
    .command('redirects')
    .description('Print where the addresses of a calendar that “pull tec” has fetched lead now.')
    .argument('<folder>', 'a folder of “pull tec”')
    .addOption(
      new Option('--format <format>', 'for which server they are written')
        .choices(['caddy', 'nginx', 'csv'])
        .default('csv'),
    )
    .action(async (folder, { format }) => end(await (await import('./redirects.ts')).printRedirects(folder, format)))
  withExamples(redirects, ['redirects old.example.org', 'redirects old.example.org --format caddy > redirects.caddy'])
  redirects.addHelpText(
    'after',
    `
This service answers the usual addresses of the old site by itself, also those with ids. You need this file only for
addresses that other servers answer, or if the old site had other paths than /event/, /venue/ and /organizer/.`,
  )

  const verify = program.command('verify').description('Compare a calendar with the one that it was moved to.')
  withExamples(verify, ['verify tec old-site https://new.example.org'])
  const verifyTec = verify
    .command('tec')
    .description('Compare two calendars field by field, through their interfaces. Changes nothing, here or there.')
    .argument('<old>', 'address of the old site, or a folder of “pull tec”')
    .argument('<new>', 'address of the new site, or a folder of “pull tec”')
    .option('--user <name>', 'administrator of the old site (default: compare what visitors see)')
    .option('--password-file <file>', 'file with an application password of that user')
    .option('--new-user <name>', 'administrator of the new site')
    .option('--new-password-file <file>', 'file with an application password of that user')
    .option('--events <ids>', 'ids of further events of the old site')
    .option('--pause <ms>', 'milliseconds between two requests (default 1000)')
    .option('--quiet', 'no progress bar')
    .option('--json', 'print the result as JSON')
    .action(async (old, now, flags) => end(await (await import('./verify.ts')).verifySites(old, now, flags)))
  withExamples(verifyTec, [
    'verify tec https://old.example.org https://new.example.org',
    'verify tec old-site https://new.example.org --new-user admin --new-password-file password.txt --json',
  ])
  verifyTec.addHelpText(
    'after',
    `
Hosts, ids and counts are not compared. The exit code is 0 if both calendars have the same
records, and these differ only as the guide “Move from WordPress” says.`,
  )
}
