import { openPullFolder, type PullManifest } from '../exchange/pull/pull.folder.ts'
import { pullTec } from '../exchange/pull/pull.tec.ts'
import { type SiteClient, SiteError, type SiteOptions } from '../exchange/pull/site.client.ts'
import { systemErrorReason } from '../operate/backup/backup.system.errors.ts'
import { CommandError, EXIT, type OutputOptions, printError, printResult } from './output.ts'
import { progressBar } from './progress.ts'
import { readSecretFile } from './secret.ts'

export interface PullFlags extends OutputOptions {
  readonly user?: string
  readonly passwordFile?: string
  readonly folder?: string
  readonly pause?: string
  readonly events?: string
  readonly sinceLast?: boolean
  readonly quiet?: boolean
}

const defaultPauseMs = 1000
const maxPauseMs = 600_000

/** Fetches a calendar of another site into a folder, and prints what was found. */
export async function pullFrom(url: string, flags: PullFlags, own?: SiteClient): Promise<number> {
  const { folder, known, failures, gone, manifest } = await pullInto(flags.folder, url, { ...flags, own })
  for (const failure of failures) printError(failure)
  const { isSignedIn, finishedAt, counts, refused } = manifest
  printResult(
    flags,
    {
      ...{ folder: folder.path, site: manifest.site, is_signed_in: isSignedIn, finished_at: finishedAt },
      ...{ counts, refused, failures, gone },
    },
    [
      reportText(folder.path, manifest, flags.sinceLast ? undefined : known),
      ...(gone.length > 0 ? [`The site no longer has the events ${gone.join(', ')}. They are in “gone” now.`] : []),
    ].join('\n'),
  )
  return failures.length > 0 ? EXIT.failed : EXIT.ok
}

/**
 * Fetches a calendar into a folder, which is called after its host by default.
 *
 * @param own Reads the calendar of this service, without a password.
 */
export async function pullInto(
  path: string | undefined,
  url: string,
  { own, ...flags }: Omit<PullFlags, 'folder'> & { readonly own?: SiteClient | undefined },
) {
  const site = siteFrom(url)
  const pauseMs = pauseFrom(flags.pause)
  const eventIds = eventIdsFrom(flags.events)
  const credentials = own ? { user: '', password: '' } : await credentialsFor(site, flags)
  const folder = openPullFolder(path ?? site.hostname)
  const known = await folder.readManifest()
  if (known && (known.site !== site.href || known.isSignedIn !== (credentials !== undefined))) {
    const as = known.isSignedIn ? 'a user' : 'visitors'
    throw new CommandError(
      EXIT.usage,
      `${folder.path} has what ${as} of ${known.site} may see. Choose another folder with --folder.`,
    )
  }
  const events = flags.quiet ? undefined : await progressBar('Fetching events')
  const pictures = events && (await progressBar('Fetching pictures', events))
  try {
    const { failures, gone, ...manifest } = await pullTec({
      ...{ site, pauseMs, folder, eventIds, now: () => new Date(), isSinceLast: flags.sinceLast ?? false },
      ...(credentials ? { credentials } : {}),
      ...(own ? { client: own } : {}),
      ...(events && pictures ? { onEvents: events.show, onPictures: pictures.show } : {}),
    })
    return { folder, known, failures, gone, manifest }
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) {
      const reason = systemErrorReason(error) ?? error.message
      throw new CommandError(EXIT.failed, `${folder.path} cannot be written: ${reason}.`, { cause: error })
    }
    if (!(error instanceof SiteError)) throw error
    const hasBegun = (await folder.readManifest()) !== undefined
    const next = hasBegun ? '\nRun the same command again to continue.' : ''
    throw new CommandError(EXIT.failed, `${error.message}${next}`, { cause: error })
  } finally {
    events?.stop()
    pictures?.stop()
  }
}

function siteFrom(url: string): URL {
  const site = URL.canParse(url) ? new URL(url) : undefined
  if (!site || !/^https?:$/.test(site.protocol) || site.username !== '') {
    throw new CommandError(EXIT.usage, `“${url}” is not the address of a site, such as https://old.example.org.`)
  }
  return site
}

function pauseFrom(pause: string | undefined): number {
  if (pause === undefined) return defaultPauseMs
  if (/^\d+$/.test(pause) && Number(pause) <= maxPauseMs) return Number(pause)
  throw new CommandError(EXIT.usage, `--pause must be a number of milliseconds, at most ${maxPauseMs}: --pause 200`)
}

function eventIdsFrom(events = ''): readonly number[] {
  if (/^(?:[1-9]\d{0,14}(?:,|$))*$/.test(events)) return events.split(',').filter(Boolean).map(Number)
  throw new CommandError(EXIT.usage, '--events must be ids of events: --events 112,115')
}

/** Returns the user of the site. A password is only sent encrypted, or within this machine. */
async function credentialsFor(site: URL, { user, passwordFile }: PullFlags): Promise<SiteOptions['credentials']> {
  if (user === undefined && passwordFile === undefined) return undefined
  if (user === undefined || passwordFile === undefined) {
    throw new CommandError(EXIT.usage, '--user and --password-file belong together.')
  }
  const isHere = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(site.hostname)
  if (site.protocol !== 'https:' && !isHere) {
    throw new CommandError(EXIT.usage, 'A password is only sent to an address that begins with https.')
  }
  return { user, password: await readSecretFile(passwordFile, `the application password of ${user}`) }
}

function reportText(
  path: string,
  { counts, refused, isSignedIn, finishedAt, own }: PullManifest,
  known: PullManifest | undefined,
): string {
  const found = Object.entries(counts).map(([name, count]) => `${count} ${name}`)
  const unread = Object.entries(refused).map(([name, status]) => `${name} (HTTP ${status})`)
  return [
    `${finishedAt === '' ? 'Not everything was' : 'Everything was'} fetched into ${path}: ${found.join(', ')}.`,
    ...(known?.finishedAt ? [`Most of it since ${known.finishedAt}. To fetch changes, add --since-last.`] : []),
    ...(unread.length > 0 ? [`The site refuses: ${unread.join(', ')}.`] : []),
    ...(isSignedIn ? [] : ['Visitors cannot see drafts, private and hidden events, passwords, authors and the trash.']),
    ...(own ? [] : ['No list has events that end before they start: name them with --events.']),
  ].join('\n')
}
