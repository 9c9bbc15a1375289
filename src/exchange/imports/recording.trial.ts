import type { Deps } from '../../access/deps.ts'
import type { importGroups } from './import.present.ts'
import { type ImportOptions, importRecordings } from './import.service.ts'
import type { ImportSummary } from './import.summary.ts'
import { emptyRecording, type ImportRemark, type Recording } from './source.ts'

/** Records of one part. Other writers wait while a part is tried. */
const partSize = 100

/**
 * Tries a recording without effect, in parts, so that other writers never wait for all of it. Venues, organizers and
 * terms are tried first, and count once. Each part of the events tries its own again, because the earlier ones are gone.
 */
export async function tryRecording(deps: Deps, recording: Recording, options: ImportOptions): Promise<ImportSummary> {
  const { events } = recording
  const terms = distinct([...recording.terms, ...events.flatMap(({ categories, tags }) => [...categories, ...tags])])
  const venues = distinct([...recording.venues, ...events.flatMap((event) => event.venues)])
  const organizers = distinct([...recording.organizers, ...events.flatMap((event) => event.organizers)])
  const [failures, warnings] = [createCollection(), createCollection()]
  const attempt = async (part: Partial<Recording>) => {
    const tried = await importRecordings(deps, [{ ...emptyRecording, ...part }], { ...options, isDryRun: true })
    failures.add(tried.failures)
    warnings.add(tried.warnings)
    return tried
  }

  let total = await attempt({ terms, faults: recording.faults })
  for (const part of parts(venues)) total = joined(total, await attempt({ venues: part }))
  for (const part of parts(organizers)) total = joined(total, await attempt({ organizers: part }))
  for (const part of parts(events)) {
    const skippedImages = part.filter(({ hasImage }) => hasImage).length
    const { events: counts, ...tried } = await attempt({ events: part })
    total = joined(total, { ...tried, ...none, events: counts, skippedImages })
  }
  return { ...total, failures: failures.all(), warnings: warnings.all() }
}

const noCounts = { created: 0, updated: 0, unchanged: 0, failed: 0 }
/** The counts of what every part of the events tries again. */
const none = { venues: noCounts, organizers: noCounts, categories: noCounts, tags: noCounts }

function joined(one: ImportSummary, other: ImportSummary): ImportSummary {
  const sum = (group: (typeof importGroups)[number]) => {
    const [a, b] = [one[group], other[group]]
    return {
      created: a.created + b.created,
      updated: a.updated + b.updated,
      unchanged: a.unchanged + b.unchanged,
      failed: a.failed + b.failed,
    }
  }
  return {
    ...one,
    found: one.found + other.found,
    events: sum('events'),
    venues: sum('venues'),
    organizers: sum('organizers'),
    categories: sum('categories'),
    tags: sum('tags'),
    skippedImages: one.skippedImages + other.skippedImages,
    hiddenEvents: one.hiddenEvents + other.hiddenEvents,
    removedEmbeds: one.removedEmbeds + other.removedEmbeds,
  }
}

/** Collects the remarks of all parts. A venue that several parts have tried is remarked on once. */
function createCollection() {
  const remarks = new Map<string, ImportRemark>()
  return {
    add: (some: readonly ImportRemark[]) => {
      for (const remark of some) remarks.set(JSON.stringify([remark.path, remark.text, remark.of]), remark)
    },
    all: () => [...remarks.values()],
  }
}

function distinct<S extends { readonly source: string }>(records: readonly S[]): readonly S[] {
  return [...new Map(records.map((record) => [record.source, record])).values()]
}

function* parts<S>(records: readonly S[]): Generator<readonly S[]> {
  for (let place = 0; place < records.length; place += partSize) yield records.slice(place, place + partSize)
}
