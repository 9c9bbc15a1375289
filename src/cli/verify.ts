import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPullFolder } from '../exchange/pull/pull.folder.ts'
import type { VerifiedSide } from '../exchange/verify/verified.records.ts'
import { type Difference, verifyFolders } from '../exchange/verify/verify.ts'
import { CommandError, EXIT, printError, printResult } from './output.ts'
import { progressBar } from './progress.ts'
import { type PullFlags, pullInto } from './pull.ts'

interface VerifyFlags extends Omit<PullFlags, 'folder'> {
  readonly newUser?: string
  readonly newPasswordFile?: string
}

/** The differences that are shown to people, of each kind. `--json` has all. */
const maxShown = 20

/** Compares two calendars, and prints how they differ. */
export async function verifySites(old: string, now: string, flags: VerifyFlags): Promise<number> {
  const { newUser, newPasswordFile, user, passwordFile, events, ...common } = flags
  const oldFlags = { ...common, ...given({ user, passwordFile, events }) }
  const newFlags = { ...common, ...given({ user: newUser, passwordFile: newPasswordFile }) }
  const temporary = await mkdtemp(join(tmpdir(), 'cal-events-verify-'))
  try {
    const sides = [
      await sideFrom(old, join(temporary, 'old'), oldFlags),
      await sideFrom(now, join(temporary, 'new'), newFlags),
    ]
    const [before, after] = sides as [VerifiedSide, VerifiedSide]
    if (before.manifest.isSignedIn !== after.manifest.isSignedIn) {
      const [who, other] = before.manifest.isSignedIn ? ['old', 'new'] : ['new', 'old']
      throw new CommandError(
        EXIT.usage,
        `A user has read the ${who} site, and visitors the ${other} one. Read both alike.`,
      )
    }
    const progress = flags.quiet ? undefined : await progressBar('Comparing')
    const result = await verifyFolders(before, after, progress?.show).finally(() => progress?.stop())
    const { compared, differences, deviations } = result
    printResult(flags, { is_same: differences.length === 0, compared, deviations, differences }, reportText(result))
    return differences.length === 0 ? EXIT.ok : EXIT.failed
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** Returns only the flags that were given. */
function given(flags: Readonly<Record<string, string | undefined>>) {
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined))
}

/** Returns a calendar that is in a folder, or fetches it. */
async function sideFrom(from: string, path: string, flags: Omit<PullFlags, 'folder'>): Promise<VerifiedSide> {
  if (URL.canParse(from)) {
    const { folder, manifest, failures } = await pullInto(path, from, flags)
    for (const failure of failures) printError(failure)
    return { folder, manifest }
  }
  const folder = openPullFolder(from)
  const manifest = await folder.readManifest()
  if (manifest) return { folder, manifest }
  throw new CommandError(EXIT.usage, `“${from}” is neither the address of a site nor a folder of “pull tec”.`)
}

function reportText({ compared, differences, deviations }: Awaited<ReturnType<typeof verifyFolders>>): string {
  const found = Object.entries(compared).map(([kind, count]) => `${count} ${kind}`)
  const listed = Object.entries(deviations).map(([name, count]) => `${count} ${name}`)
  const groups = Map.groupBy(differences, ({ what, kind, field }) => [what, kind, field].filter(Boolean).join(' '))
  const shown = [...groups].flatMap(([name, some]) => [
    '',
    `${name}: ${some.length}`,
    ...some.slice(0, maxShown).map(lineOf),
    ...(some.length > maxShown ? [`  … and ${some.length - maxShown} more: --json shows all.`] : []),
  ])
  return [
    `Compared: ${found.join(', ')}.`,
    ...(listed.length > 0 ? [`Differences that a move makes: ${listed.join(', ')}.`] : []),
    differences.length === 0 ? 'Nothing else differs.' : `Other differences: ${differences.length}.`,
    ...shown,
  ].join('\n')
}

function lineOf({ what, record, old, new: now }: Difference): string {
  return what === 'different' ? `  ${record}: ${short(old)} → ${short(now)}` : `  ${record}`
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 120 ? `${text.slice(0, 119)}…` : text
}
