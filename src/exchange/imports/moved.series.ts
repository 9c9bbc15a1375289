import type { UserId } from '../../access/auth/actor.ts'
import type { Deps } from '../../access/deps.ts'
import { Problem } from '../../base/problems.ts'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import { parseZone } from '../../base/time/zone.ts'
import { findEvents } from '../../calendar/events/event.repository.ts'
import type { SeriesSegment } from '../../calendar/occurrences/occurrence.ts'
import type { RecordStatus } from '../../calendar/records/record.ts'
import { type AdoptedSeries, adoptSeries } from '../../calendar/series/series.joining.service.ts'
import { recurrenceFrom } from '../../calendar/series/series.recurrence.ts'
import { listNamed } from '../../calendar/sources/source.repository.ts'
import type { OwnCalendar, PulledEvent, PullFolder } from '../pull/pull.folder.ts'
import { type Form, isObject } from '../pull/pull.lists.ts'
import type { ImportRemark } from './source.ts'
import { globalIdOf, listOf } from './tec.values.ts'

/** An event of the folder that is a date of a series. */
interface PulledDate {
  readonly source: string
  readonly language: unknown
  readonly v1: Form
  readonly series: Form
}

/** Makes the imported dates of each pulled series a series again, unless one of them is in a series here. */
export async function writeMovedSeries(
  { storage, config, now }: Pick<Deps, 'storage' | 'config' | 'now'>,
  { folder, own }: { readonly folder: PullFolder; readonly own: OwnCalendar },
  ownerId: UserId,
): Promise<readonly ImportRemark[]> {
  const dates: PulledDate[] = []
  for (const file of await folder.list('events')) {
    const v1 = (await folder.readJson<PulledEvent>(file))?.v1
    if (!isObject(v1) || !isObject(v1.series)) continue
    const { url, status, start_date, global_id, [own.languageParameter]: language, series } = v1
    dates.push({ source: globalIdOf(global_id) ?? '', language, series, v1: { url, status, start_date } })
  }
  const templates: Form[] = []
  for (const file of await folder.list('series')) templates.push((await folder.readJson<Form>(file)) ?? {})
  const remarks: ImportRemark[] = []
  const actor = { kind: 'user', id: ownerId, role: 'administrator' } as const
  for (const [id, some] of Map.groupBy(dates, ({ series }) => Number(series.id))) {
    const sources = some.map(({ source }) => source)
    try {
      await storage.write(async (tx) => {
        const named = await listNamed(tx, 'event', sources)
        const known = await findEvents(
          tx,
          [...named.values()].map((one) => one.id),
        )
        if (known.values().some(({ seriesId }) => seriesId !== undefined)) return
        const idOf = ({ source }: PulledDate) => named.get(source)?.id
        const adopted = adoptedFrom(
          templates.filter((template) => Number(template.id) === id),
          some.filter((date) => idOf(date) !== undefined),
          (date) => idOf(date) as number,
        )
        if (adopted) await adoptSeries({ tx, actor, config, now }, adopted)
      })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      remarks.push({ file: `series/${id}.json`, path: '', text: { refused: error } })
    }
  }
  return remarks
}

/** Reads a series from its versions, the original first, and its dates. Undefined if none of its dates were imported. */
function adoptedFrom(
  versions: readonly Form[],
  dates: readonly PulledDate[],
  idOf: (date: PulledDate) => number,
): AdoptedSeries | undefined {
  const ofOriginal = ({ id, language, translations }: Form) =>
    isObject(translations) && translations[`${language}`] === id
  const ordered = versions.toSorted((one, other) => Number(ofOriginal(other)) - Number(ofOriginal(one)))
  const templates = ordered.flatMap(({ language, slug, status }) => {
    const shown = dates.filter((date) => date.language === language)
    // The one that differs least from the series has its values.
    const [model] = shown.toSorted((one, other) => deviatingFields(one).length - deviatingFields(other).length)
    return model ? [{ eventId: idOf(model), slug: String(slug), status: status as RecordStatus }] : []
  })
  const [main] = ordered
  if (templates.length === 0 || !main) return undefined
  const segments = listOf(main.segments).flatMap((raw, position) => segmentFrom(raw, position) ?? [])
  const except = new Set(segments.flatMap(({ recurrence }) => recurrence.except))
  const paths = new Set<string>()
  return {
    ...{ templates, segments, sequence: Number(main.sequence) },
    madeUntil: main.dates_until ? (`${main.dates_until} 00:00:00` as LocalDateTime) : undefined,
    dates: dates.map((date) => {
      const { v1, series, language } = date
      const recurrenceId = series.recurrence_id as LocalDateTime
      const base = ordered.find((one) => one.language === language)?.slug ?? main.slug
      const [, shown = `${base}/${recurrenceId.slice(0, 10)}`] = /\/event\/(.+?)\/?$/.exec(String(v1.url)) ?? []
      let path = shown
      for (let number = 2; paths.has(`${language} ${path}`); number += 1) path = `${shown}/${number}`
      paths.add(`${language} ${path}`)
      const isDropped = v1.status === 'trash' && except.has(recurrenceId)
      return { eventId: idOf(date), recurrenceId, path, isDropped, ownFields: deviatingFields(date) }
    }),
  }
}

function deviatingFields({ series }: PulledDate): readonly string[] {
  return listOf(series.own_fields).map(String)
}

function segmentFrom(raw: unknown, position: number): SeriesSegment | undefined {
  if (!isObject(raw)) return undefined
  const zone = parseZone(String(raw.timezone))
  if (!zone) return undefined
  const times = { start: raw.start_date as LocalDateTime, end: raw.end_date as LocalDateTime, zone }
  const isAllDay = raw.all_day === true
  const { rrule, dates, except } = raw
  const recurrence = recurrenceFrom({ ...(rrule ? { rrule } : {}), dates, except }, { ...times, isAllDay })
  return { id: 0, position, from: raw.from as LocalDateTime, ...times, isAllDay, recurrence }
}
