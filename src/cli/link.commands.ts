import { type Command, Option } from 'commander'
import { ROLES } from '../access/auth/actor.ts'
import { type CommandDecorator, type OnExit, withExamples } from './command.ts'
import { configFor } from './settings.ts'

/** Adds the commands for links with which people choose their password. */
export function addLinkCommands(user: Command, withOutput: CommandDecorator, end: OnExit): void {
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
