import type { Command } from 'commander'
import { type CommandDecorator, type OnExit, withExamples } from './command.ts'
import { configFor } from './settings.ts'

const load = () => import('./subscriptions.ts')

/** Adds the commands for calendars of others that are fetched again and again. */
export function addSubscriptionCommands(program: Command, withOutput: CommandDecorator, end: OnExit): void {
  const group = program
    .command('subscription')
    .description('Subscribe to calendars of others: iCalendar, or pages that tell search engines about their events.')
  withExamples(group, ['subscription add club https://club.example.org/basic.ics', 'subscription list'])

  const add = withOutput(group.command('add'))
    .description('Subscribe to a calendar, or change the subscription of this name.')
    .argument('<name>', 'name of the source: lowercase letters, digits and hyphens')
    .argument('<url>', 'address of a calendar, a page or a sitemap: https:// or webcal://')
    .option('--every <time>', 'time between two fetches, from 15m to 7d (default: 6h)')
    .option('--language <code>', 'language of the events, one of LANGUAGES (default: DEFAULT_LANGUAGE)')
    .option('--category <name>', 'category of all events, beside their own')
    .option('--status <status>', 'status of new events: publish, pending or draft (default: publish)')
    .option('--authority <who>', 'keep what was edited here, or overwrite it: keep or source (default: keep)')
    .option('--missing <action>', 'for coming events that are missing twice: keep, cancel or trash (default: keep)')
    .option('--author <name>', 'user who will own the events (default: the first administrator)')
    .action(async (name, url, options) =>
      end(await (await load()).addSubscription(configFor(options), [name, url], options)),
    )
  withExamples(add, [
    'subscription add club https://club.example.org/basic.ics --category Sports --status pending',
    'subscription add team webcal://team.example.org/games.ics --every 1h --missing cancel',
  ])

  const list = withOutput(group.command('list'))
    .description('List the calendars. The exit code is 1 if one cannot be fetched.')
    .action(async (options) => end(await (await load()).showSubscriptions(configFor(options), options)))
  withExamples(list, ['subscription list', 'subscription list --json'])

  const fetchOne = withOutput(group.command('fetch'))
    .description('Fetch a calendar now.')
    .argument('<name>', 'name of the source')
    .option('--accept', 'also if it has less than half of the events that it had')
    .action(async (name, options) => end(await (await load()).fetchNow(configFor(options), name, options)))
  withExamples(fetchOne, ['subscription fetch club', 'subscription fetch club --accept'])

  for (const [word, isPaused, text] of [
    ['pause', true, 'Stop fetching a calendar.'],
    ['resume', false, 'Fetch a paused calendar again.'],
  ] as const) {
    const command = withOutput(group.command(word))
      .description(text)
      .argument('<name>', 'name of the source')
      .action(async (name, options) => end(await (await load()).pauseSubscription(configFor(options), name, isPaused)))
    withExamples(command, [`subscription ${word} club`])
  }

  const remove = withOutput(group.command('remove'))
    .description('End a subscription. Its events stay.')
    .argument('<name>', 'name of the source')
    .action(async (name, options) => end(await (await load()).removeSubscription(configFor(options), name)))
  withExamples(remove, ['subscription remove club'])
}
