import { Argument, Command, CommanderError, Help, Option } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { ROLES } from '../access/auth/actor.ts'
import { ConfigError } from '../base/config/config.ts'
import { PullFolderError } from '../exchange/pull/pull.folder.ts'
import { addBackupCommands } from './backup.commands.ts'
import { type CommandDecorator, type OnExit, withExamples } from './command.ts'
import { addExportCommands } from './export.commands.ts'
import { addImportCommands } from './import.commands.ts'
import { CommandError, EXIT, outputErrorText, printError } from './output.ts'
import { configFor } from './settings.ts'
import { addSubscriptionCommands } from './subscription.commands.ts'

/**
 * Runs one command. Its modules are loaded only then, so that each command starts as quickly as possible.
 *
 * @param args The command line arguments after the program name.
 * @returns the exit code, one of `EXIT`.
 */
export async function run(args: readonly string[]): Promise<number> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader such as `head` may stop reading early.
    if (error.code === 'EPIPE') return
    printError(outputErrorText(error))
    process.exit(EXIT.failed)
  })
  let exitCode: number = EXIT.ok
  const program = commandLine((code) => {
    exitCode = code
  })
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
    if (error instanceof ConfigError) {
      printError(error.message)
      return EXIT.config
    }
    if (error instanceof PullFolderError) {
      printError(error.message)
      return EXIT.failed
    }
    if (error instanceof CommandError) {
      if (error.message !== '') printError(error.message)
      return error.exitCode
    }
    console.error(error)
    return EXIT.bug
  }
}

/** Defines the command line. */
export function commandLine(end: (exitCode: number) => void): Command {
  const program = new Command('cal-events')
    .description('A server for calendar events, with a REST API and its own database.')
    .version(packageJson.version)
    .exitOverride()
    .showHelpAfterError('(--help shows examples)')
    // The commands added below inherit this.
    .configureHelp({ optionDescription: describeOption })
  withExamples(program, ['serve', 'user add alice --role editor', 'import tec *.json --shift-to-today'])
  program.addHelpText(
    'after',
    `
Settings are read from options first, then from the environment, then from the file in ENV_FILE, or .env in this folder.
A secret can be read from a file, for example with ADMIN_PASSWORD_FILE. To see all settings:
  cal-events config print

Exit codes: 0 success; 1 some of the work failed; 2 wrong usage; 69 the port or the database is not available;
70 a bug; 75 stopped, but requests that took too long were cut off; 78 wrong settings.`,
  )

  const withData = (command: Command) => command.option('--data-dir <folder>', 'folder with the database (DATA_DIR)')
  const withOutput = (command: Command) => withData(command).option('--json', 'print the result as JSON')

  const serve = withData(program.command('serve'))
    .description('Serve the API until the process is stopped.')
    .option('--port <number>', 'port to listen on (PORT)')
    .option('--host <address>', 'address to listen on (HOST)')
    .option('--workers <number>', 'number of server processes (WORKERS)')
    .action(async (options) => end(await (await import('./serve.ts')).serve(options)))
  withExamples(serve, ['serve', 'serve --port 8080 --host 0.0.0.0 --workers 4', 'serve --data-dir /var/lib/cal-events'])

  const migrate = withOutput(program.command('migrate'))
    .description('Create the database if needed, and update it to the newest version.')
    .action(async (options) => end(await (await import('./migrate.ts')).migrateDatabase(configFor(options), options)))
  withExamples(migrate, ['migrate', 'migrate --data-dir /var/lib/cal-events --json'])

  const check = withOutput(program.command('check'))
    .description('Check the database and its pictures for errors. Changes nothing, and can run while the service runs.')
    .action(async (flags) => end(await (await import('./check.ts')).checkDatabase(configFor(flags), flags)))
  withExamples(check, ['check', 'check --data-dir /var/lib/cal-events --json'])

  addDatabaseCommands(program, end)
  addUserCommands(program, withOutput, end)
  addKeyCommands(program, withOutput, end)
  addMediaCommands(program, withOutput, end)
  addImportCommands(program, withOutput, end)
  addExportCommands(program, withOutput, end)
  addSubscriptionCommands(program, withOutput, end)
  addAuditCommands(program, withOutput, end)
  addBackupCommands(program, withOutput, end)

  const config = program.command('config').description('Settings of the service.')
  withExamples(config, ['config print'])
  const print = withOutput(config.command('print'))
    .description('Print every setting, its value and its source. Secrets are not shown.')
    .option('--port <number>', 'as for serve')
    .option('--host <address>', 'as for serve')
    .option('--workers <number>', 'as for serve')
    .action(async (options) => end(await (await import('./config.print.ts')).printConfig(options)))
  withExamples(print, ['config print', 'config print --port 8080 --json'])
  return program
}

/** Returns the help text of an option, with its choices and whether it is required. */
function describeOption(option: Option): string {
  const description = new Help().optionDescription(option)
  return option.mandatory ? `${description} (required)` : description
}

function addDatabaseCommands(program: Command, end: OnExit): void {
  const database = program.command('db').description('Work with the whole database.')
  const example = 'db copy --from sqlite:data/calendar.sqlite --to postgres://cal:secret@db.example.org/cal'
  withExamples(database, [example])

  const copy = database
    .command('copy')
    .description('Copy a database into an empty one, on either engine, and verify every row.')
    .requiredOption('--from <address>', 'database to read, in the form of DATABASE_URL; it is not changed')
    .requiredOption('--to <address>', 'empty database to fill, or one that does not exist yet')
    .option('--json', 'print the result as JSON')
    .action(async (flags) => end(await (await import('./database.copy.ts')).copyBetween(flags)))
  withExamples(copy, [
    example,
    'db copy --from postgres://cal:secret@db.example.org/cal --to sqlite:copy.sqlite --json',
  ])
  copy.addHelpText(
    'after',
    `
Ids do not change. If anything fails, the target stays empty. Changes made to the source during the copy are not copied,
so stop the service first when you move. Picture files are not in the database and are not copied.`,
  )
}

function addMediaCommands(program: Command, withOutput: CommandDecorator, end: OnExit): void {
  const media = program.command('media').description('Pictures.')
  withExamples(media, ['media gc', 'media gc --remove --days 30'])

  const gc = withOutput(media.command('gc'))
    .description('Find unused pictures and leftover files, and remove them if asked to.')
    .option('--remove', 'remove them; without it, they are only listed')
    .option('--days <number>', 'skip files younger than N days (default 7)')
    .action(async (flags) => end(await (await import('./media.ts')).collectMedia(configFor(flags), flags)))
  withExamples(gc, ['media gc', 'media gc --remove --days 30 --json'])
}

function addUserCommands(program: Command, withOutput: CommandDecorator, end: OnExit): void {
  const user = program.command('user').description('Users and their application passwords.')
  withExamples(user, ['user add alice --role editor', 'user list', 'user role alice author', 'user remove alice'])

  const add = withOutput(user.command('add'))
    .description('Add a user and show the application password once.')
    .argument('<name>', 'user name to sign in with')
    .addOption(new Option('--role <role>', 'what the user may do').choices(ROLES).makeOptionMandatory())
    .option('--email <address>', 'email address, which can also be used to sign in')
    .action(async (name, options) => end(await (await import('./users.ts')).addUser(configFor(options), name, options)))
  withExamples(add, ['user add alice --role editor', 'user add bot --role author --email bot@example.org --json'])

  const list = withOutput(user.command('list'))
    .description('List all users.')
    .action(async (options) => end(await (await import('./users.ts')).printUsers(configFor(options), options)))
  withExamples(list, ['user list', 'user list --json'])

  const remove = withOutput(user.command('remove'))
    .description('Remove a user who owns no records.')
    .argument('<name>', 'name or email address')
    .action(async (name, options) =>
      end(await (await import('./users.ts')).removeUserCommand(configFor(options), name, options)),
    )
  withExamples(remove, ['user remove alice'])

  const role = withOutput(user.command('role'))
    .description('Change the role of a user.')
    .argument('<name>', 'name or email address')
    .addArgument(new Argument('<role>', 'what the user may do').choices(ROLES))
    .action(async (name, role, options) =>
      end(await (await import('./users.ts')).changeRole(configFor(options), { name, role }, options)),
    )
  withExamples(role, ['user role alice author'])

  const account = withOutput(user.command('account-password'))
    .description(
      'Set the password that a person signs in with in a browser. Reads it from standard input, or asks for it.',
    )
    .argument('<name>', 'name or email address')
    .action(async (name, options) =>
      end(await (await import('./users.ts')).setAccountPassword(configFor(options), name, options)),
    )
  withExamples(account, ['user account-password alice', 'user account-password alice --json < password.txt'])

  const password = withOutput(user.command('password'))
    .description('Create a new application password for a user and show it once. Earlier ones are revoked.')
    .argument('<name>', 'name or email address')
    .option('--keep', 'keep earlier application passwords valid')
    .action(async (name, options) =>
      end(await (await import('./users.ts')).newPassword(configFor(options), name, options)),
    )
  withExamples(password, ['user password alice', 'user password alice --keep --json'])
  addLinkCommands(user, withOutput, end)
}

/** Adds the commands for links with which people choose their password. */
function addLinkCommands(user: Command, withOutput: CommandDecorator, end: OnExit): void {
  const invite = withOutput(user.command('invite'))
    .description('Create a link with which a user chooses a password. It works once, within seven days.')
    .argument('<name>', 'name of the user')
    .addOption(new Option('--role <role>', 'add the user first, with this role').choices(ROLES))
    .option('--email <address>', 'email address of the user to add')
    .action(async (name, flags) => end(await (await import('./links.ts')).inviteUser(configFor(flags), name, flags)))
  withExamples(invite, ['user invite alice', 'user invite alice --role editor --email alice@example.org'])

  const reset = withOutput(user.command('reset'))
    .description('Create a link with which a user chooses a new password. It works once, within one hour.')
    .argument('<name>', 'name or email address')
    .action(async (name, flags) => end(await (await import('./links.ts')).resetPassword(configFor(flags), name, flags)))
  withExamples(reset, ['user reset alice', 'user reset alice --json'])
}

function addKeyCommands(program: Command, withOutput: CommandDecorator, end: OnExit): void {
  const key = program.command('key').description('Keys, also called application passwords: what programs sign in with.')
  withExamples(key, ['key add alice --label newsletter', 'key list', 'key rotate 7', 'key revoke 7'])

  const add = withOutput(key.command('add'))
    .description('Create a key for a user and show its secret once.')
    .argument('<name>', 'name or email address')
    .requiredOption('--label <text>', 'what it is for')
    .option('--days <number>', 'expire after N days (default: never)')
    .option('--scope <scope>', 'what it may do: read, plan (writes are only tried) or write (default: write)')
    .action(async (name, flags) =>
      end(await (await import('./keys.ts')).createKeyCommand(configFor(flags), name, flags)),
    )
  withExamples(add, [
    'key add alice --label newsletter',
    'key add bot --label import --days 90 --json',
    'key add widget --label website --scope read',
  ])

  const list = withOutput(key.command('list'))
    .description('List the keys of a user, or of all. Secrets are not shown.')
    .argument('[name]', 'name or email address')
    .action(async (name, flags) => end(await (await import('./keys.ts')).printKeys(configFor(flags), name, flags)))
  withExamples(list, ['key list', 'key list alice --json'])

  const rotate = withOutput(key.command('rotate'))
    .description('Create a new secret for a key and show it once.')
    .argument('<id>', 'number of the key, as the list shows it')
    .option('--overlap-hours <number>', 'keep the previous secret valid for N hours (default 0)')
    .action(async (id, flags) => end(await (await import('./keys.ts')).renewKey(configFor(flags), id, flags)))
  withExamples(rotate, ['key rotate 7', 'key rotate 7 --overlap-hours 24 --json'])

  const revoke = withOutput(key.command('revoke'))
    .description('Revoke a key, immediately and on all nodes.')
    .argument('<id>', 'number of the key, as the list shows it')
    .action(async (id, flags) => end(await (await import('./keys.ts')).endKey(configFor(flags), id, flags)))
  withExamples(revoke, ['key revoke 7'])
}

function addAuditCommands(program: Command, withOutput: CommandDecorator, end: OnExit): void {
  const audit = program.command('audit').description('The audit log: who changed what, and when.')
  withExamples(audit, ['audit list --kind event --id 12', 'audit prune'])

  const list = withOutput(audit.command('list'))
    .description('List changes, newest first.')
    .option('--kind <kind>', 'event, venue, organizer, category, tag, media, user or audit')
    .option('--id <number>', 'id of the record')
    .option('--actor <actor>', 'name or id of a user, or cli, import or service')
    .option('--action <action>', 'create, upload, update, trash, restore, delete or prune')
    .option('--from <moment>', 'changes since this day or time (2030-01-15, 2030-01-15T12:00:00Z)')
    .option('--to <moment>', 'changes until this day or time')
    .option('--limit <number>', 'show at most N changes (default 50)')
    .option('--cursor <cursor>', 'continue where the last list ended')
    .action(async (flags) => end(await (await import('./audit.ts')).printAudit(configFor(flags), flags)))
  withExamples(list, ['audit list --actor alice --from 2030-01-15', 'audit list --kind event --id 12 --json'])

  const prune = withOutput(audit.command('prune'))
    .description('Remove entries older than AUDIT_RETENTION_DAYS. The service does this every hour.')
    .action(async (flags) => end(await (await import('./audit.ts')).pruneEntries(configFor(flags), flags)))
  withExamples(prune, ['audit prune', 'audit prune --json'])
}
