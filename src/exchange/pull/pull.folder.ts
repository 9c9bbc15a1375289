import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { unreadableReason } from '../../base/config/file.faults.ts'

// The folder that a calendar of another site is fetched into. It is kept as evidence, and imported from. A file that is
// there is whole, so fetching can stop at any moment and continue later. Only its owner may read it: it has drafts and
// passwords of events.

/** The folder cannot be read, or is none of a fetched calendar. */
export class PullFolderError extends Error {}

/** What the manifest says about the folder. */
export interface PullManifest {
  readonly format: 'cal-events-pull'
  readonly version: 1
  /** The address of the site. */
  readonly site: string
  /** Whether a user of the site fetched, who sees more than its visitors. */
  readonly isSignedIn: boolean
  /** Empty until everything was fetched. */
  readonly finishedAt: string
  /** Set if the site is a calendar of this service. */
  readonly own?: OwnCalendar
  readonly counts: Readonly<Record<string, number>>
  /** What the site refused, with the statuses of its answers. */
  readonly refused: Readonly<Record<string, number>>
}

/** A calendar of this service, as its index describes it. */
export interface OwnCalendar {
  /** The first word of its namespaces. */
  readonly word: string
  readonly languageParameter: string
  readonly languages: readonly string[]
}

/** An event as the two interfaces of the site show it. What the site refuses is null. */
export interface PulledEvent {
  readonly id: number
  readonly raw: unknown
  readonly v1: unknown
  /** Only of this service: the texts as they were typed. */
  readonly source?: unknown
}

/** A picture of the site. Without a file, `fault` says why. */
export interface PulledPicture {
  readonly id: number
  readonly url: string
  readonly raw: unknown
  readonly fault?: string
}

const manifestName = 'manifest.json'

export type PullFolder = ReturnType<typeof openPullFolder>

/** Opens a folder, which may not exist yet. Names are paths in it. */
export function openPullFolder(folder: string) {
  const pathOf = (name: string) => {
    const path = join(folder, name)
    // Names have words of the site, such as its languages.
    if (relative(folder, path).startsWith('..')) throw new PullFolderError(`${path} is outside of ${folder}.`)
    return path
  }
  const write = async (name: string, content: string | Buffer) => {
    const path = pathOf(name)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFile(`${path}.part`, content, { mode: 0o600 })
    await rename(`${path}.part`, path)
  }
  const readJson = async <T>(name: string): Promise<T | undefined> => {
    const path = pathOf(name)
    const text = await readFile(path, 'utf8')
      .catch(undefinedIfMissing)
      .catch((error: unknown) => {
        throw new PullFolderError(`${path} cannot be read: ${unreadableReason(error)}.`)
      })
    try {
      return text === undefined ? undefined : (JSON.parse(text) as T)
    } catch {
      throw new PullFolderError(`${path} is not JSON. If “pull” wrote it, remove it and fetch again.`)
    }
  }
  return {
    path: folder,
    pathOf,
    write,
    writeJson: (name: string, value: unknown) => write(name, `${JSON.stringify(value, undefined, 1)}\n`),
    readJson,
    /** Removes a file or a folder in it, if it is there. */
    remove: (name: string) => rm(pathOf(name), { recursive: true, force: true }),
    /** Returns the names of the JSON files in a folder of it: those of events by their ids. */
    list: async (name: string): Promise<readonly string[]> => {
      const names = (await readdir(pathOf(name)).catch(undefinedIfMissing)) ?? []
      const files = names.filter((file) => file.endsWith('.json')).toSorted()
      return files
        .toSorted((one, other) => (Number.parseInt(one, 10) || 0) - (Number.parseInt(other, 10) || 0))
        .map((file) => `${name}/${file}`)
    },
    /** @throws PullFolderError */
    readManifest: async () => {
      const manifest = await readJson<PullManifest>(manifestName)
      if (!manifest || (manifest.format === 'cal-events-pull' && manifest.version === 1)) return manifest
      throw new PullFolderError(`${pathOf(manifestName)} is not the manifest of a fetched calendar.`)
    },
    writeManifest: (manifest: PullManifest) => write(manifestName, `${JSON.stringify(manifest, undefined, 1)}\n`),
  }
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
  throw error
}

/** Returns the path of a picture's file in the folder, beside what is known of it. */
export const pictureFile = (name: string) => name.replace(/json$/, 'file')
