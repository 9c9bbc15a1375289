import type { UserId } from '../../access/auth/actor.ts'
import type { Deps } from '../../access/deps.ts'
import type { PullFolder, PullManifest } from '../pull/pull.folder.ts'
import { type ImportOptions, importRecordings } from './import.service.ts'
import type { ImportSummary } from './import.summary.ts'
import { openMovedCalendar } from './moved.folder.ts'
import { reserveIds } from './moved.ids.ts'
import { writeMovedPeople } from './moved.people.ts'
import { addMovedPictures } from './moved.pictures.ts'
import { writeMovedSeries } from './moved.series.ts'

/** A folder with a pulled calendar. */
export interface PulledCalendar {
  readonly folder: PullFolder
  readonly manifest: PullManifest
}

/**
 * Imports a pulled calendar as recordings are imported, with its users and pictures. The warnings name everything that
 * does not come, one by one.
 */
export async function importMoved(
  deps: Deps,
  { folder, manifest }: PulledCalendar,
  options: ImportOptions,
): Promise<ImportSummary> {
  const calendar = await openMovedCalendar(folder, manifest)
  const { isDryRun = false, keepsIds = false, authorId, language = deps.config.defaultLanguage } = options
  const storage = deps.storage.withOrigin({ via: 'import' })
  if (keepsIds) await reserveIds({ storage }, folder, { host: calendar.host, isDryRun })
  // Nothing is added by a dry run, so it needs no owner yet.
  const owner = async () => (typeof authorId === 'number' ? authorId : authorId(storage.write))
  const ownerId = isDryRun ? undefined : await owner()
  const people = await storage.write((tx) => writeMovedPeople(tx, calendar, { now: deps.now(), isDryRun }))
  const added = await addMovedPictures({ ...deps, storage }, folder, {
    ...{ ownerId: ownerId ?? (0 as UserId), authors: people.authors, language, isDryRun },
  })
  const summary = await importRecordings(deps, calendar.recordings, {
    ...options,
    ...(ownerId === undefined ? {} : { authorId: ownerId }),
    ...(calendar.translations ? { translations: calendar.translations } : {}),
    ...(calendar.languages ? { languages: calendar.languages } : {}),
    moving: { authors: people.authors, pictures: added.pictures },
  })
  const { own } = manifest
  const ofSeries =
    own && ownerId !== undefined ? await writeMovedSeries({ ...deps, storage }, { folder, own }, ownerId) : []
  return {
    ...summary,
    warnings: [...calendar.remarks, ...people.remarks, ...added.remarks, ...summary.warnings, ...ofSeries],
  }
}
