import type { Command } from 'commander'
import { type CommandDecorator, type OnExit, withExamples } from './command.ts'
import { configFor } from './settings.ts'

export function addBackupCommands(program: Command, withOutput: CommandDecorator, end: OnExit): void {
  const backup = program.command('backup').description('Backups: one file with the database and the pictures.')
  withExamples(backup, [
    'backup create /var/backups/calendar.tar.zst',
    'backup verify /var/backups/calendar.tar.zst',
    'backup restore /var/backups/calendar.tar.zst',
  ])
  const withKey = (command: Command) =>
    withOutput(command).option(
      '--key-file <file>',
      'file with an age key or a passphrase (BACKUP_KEY_FILE, BACKUP_KEY)',
    )

  const create = withKey(backup.command('create'))
    .description('Back up the database and pictures, whether or not the service is running.')
    .argument('<file>', 'file to write; - for standard output')
    .option('--force', 'replace an existing file')
    .action(async (file, flags) => end(await (await import('./backup.ts')).createInto(configFor(flags), file, flags)))
  withExamples(create, [
    'backup create calendar.tar.zst',
    'backup create calendar.tar.zst.age --key-file backup.pub',
    'backup create - | ssh vault "cat > calendar.tar.zst"',
  ])

  const verify = withKey(backup.command('verify'))
    .description('Read a whole backup, and report whether it is complete and what it contains.')
    .argument('<file>', 'file to read; - for standard input')
    .action(async (file, flags) => end(await (await import('./backup.ts')).verifyFile(configFor(flags), file, flags)))
  withExamples(verify, ['backup verify calendar.tar.zst', 'backup verify calendar.tar.zst.age --key-file backup.key'])

  const restore = withKey(backup.command('restore'))
    .description('Restore a backup into the empty database and picture storage that the settings name.')
    .argument('<file>', 'file to read')
    .option('--force', 'replace everything in the database')
    .action(async (file, flags) => end(await (await import('./backup.ts')).restoreFrom(configFor(flags), file, flags)))
  withExamples(restore, [
    'backup restore calendar.tar.zst --data-dir /var/lib/cal-events',
    'backup restore calendar.tar.zst.age --key-file backup.key --force',
  ])
  restore.addHelpText(
    'after',
    `
A backup of SQLite can be restored into PostgreSQL, and the reverse. Stop the service first. The whole backup is checked
before anything is written. The database gets all of the backup or none of it: if restoring fails, run it again.`,
  )

  const key = backup
    .command('key')
    .description('Print a new key to encrypt backups with, as age-keygen does. Keep it apart from the backups.')
    .action(async () => end(await (await import('./backup.ts')).printNewKey()))
  withExamples(key, ['backup key > backup.key'])
}
