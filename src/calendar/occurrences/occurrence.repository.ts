import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Actor } from '../../access/auth/actor.ts'
import { mayEdit } from '../../access/auth/policy.ts'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import { parseZone, utcZone } from '../../base/time/zone.ts'
import { compiledStatement, dialectOf } from '../../storage/database/statements/compiled.statement.ts'
import type { Db, Row } from '../../storage/database/tables.ts'
import { findIdBySlug } from '../records/record.translations.repository.ts'
import { editableBy, readableBy } from '../records/record.visibility.ts'
import { isRecurrenceFault, type RecurrenceContext, type RecurrenceRule } from '../recurrence/recurrence.ts'
import { parseRule } from '../recurrence/rule.text.ts'
import type { Viewer } from '../translations/viewer.ts'
import type { SeriesMembership, SeriesSegment } from './occurrence.ts'

/**
 * Returns which series these events are dates of, by event. Events of no series are left out. Runs one query, and
 * another one if any event is of a series.
 *
 * @param reader Who reads the events. Without a reader, further dates and exceptions are not shown.
 */
export async function listMemberships(
  db: Db,
  eventIds: readonly number[],
  reader?: Actor,
): Promise<ReadonlyMap<number, SeriesMembership>> {
  const rows = eventIds.length === 0 ? [] : await membershipRows(db, { ids: eventIds })
  const segments = await listSegments(db, [...new Set(rows.map((row) => row.series_id))])
  return new Map(
    rows.map((row) => [
      row.event_id,
      {
        eventId: row.event_id,
        seriesId: row.series_id,
        templateId: row.template_id,
        recurrenceId: row.recurrence_id as LocalDateTime,
        path: row.path,
        ownFields: JSON.parse(row.own_fields) as readonly string[],
        isDropped: row.is_dropped === 1,
        base: row.base,
        rules: segments.get(row.series_id) ?? [],
        isWhole: reader !== undefined && mayEdit(reader, { authorId: row.owner_id, status: row.template_status }),
        madeUntil: (row.made_until ?? undefined) as LocalDateTime | undefined,
      },
    ]),
  )
}

type MembershipRow = Omit<Row<'occurrences'>, 'language'> & {
  readonly template_id: number
  readonly base: string
  readonly owner_id: number
  readonly template_status: string
  readonly made_until: string | null
}

const membershipRows = compiledStatement<{ readonly ids: readonly number[] }, MembershipRow>(
  ({ ids }, dialect) => sql<MembershipRow>`
    select date.event_id, date.series_id, date.recurrence_id, date.path, date.own_fields, date.is_dropped,
      coalesce(version.id, original.id) as template_id, coalesce(version.slug, original.slug) as base,
      coalesce(version.author_id, original.author_id) as owner_id,
      coalesce(version.status, original.status) as template_status,
      (select made_until from series_state where series_id = date.series_id and is_endless = 1) as made_until
    from occurrences date join records original on original.id = date.series_id
      left join records version
        on version.group_id = date.series_id and version.kind = 'series' and version.language = date.language
    where ${dialect.isAmong(sql.ref('date.event_id'), ids)}`,
)

type RuleRow = Row<'series_rules'>

const ruleRows = compiledStatement<{ readonly ids: readonly number[] }, RuleRow>(
  ({ ids }, dialect) => sql<RuleRow>`
    select id, series_id, position, from_local, start_local, end_local, timezone, is_all_day, rrule, dates, "except"
    from series_rules where ${dialect.isAmong(sql.ref('series_id'), ids)} order by series_id, position`,
)

/** Returns the segments of these series in their order, by series. Runs at most one query. */
export async function listSegments(
  db: Db,
  seriesIds: readonly number[],
): Promise<ReadonlyMap<number, readonly SeriesSegment[]>> {
  const rows = seriesIds.length === 0 ? [] : await ruleRows(db, { ids: seriesIds })
  const ofSeries = Map.groupBy(rows, (row) => row.series_id)
  return new Map([...ofSeries].map(([id, some]) => [id, some.map(segmentFromRow)]))
}

/** Rules that were read, by their texts and starts. A page of a list has many, and lists repeat them. */
const known = new LRUCache<string, RecurrenceRule>({ max: 500 })

/** A stored rule was accepted once, so it can be read. */
function storedRule(text: string, context: RecurrenceContext): RecurrenceRule {
  const key = `${text} ${context.start} ${context.zone.name}`
  const rule = known.get(key) ?? parseRule(text, context)
  if (isRecurrenceFault(rule)) throw new Error(`The stored rule ${text} cannot be read.`)
  known.set(key, rule)
  return rule
}

function segmentFromRow(row: RuleRow): SeriesSegment {
  const start = row.start_local as LocalDateTime
  // A newer time zone database may no longer have this zone.
  const zone = parseZone(row.timezone) ?? { ...utcZone, name: row.timezone }
  return {
    id: row.id,
    position: row.position,
    from: row.from_local as LocalDateTime,
    start,
    end: row.end_local as LocalDateTime,
    zone,
    isAllDay: row.is_all_day === 1,
    recurrence: {
      rule: row.rrule === '' ? undefined : storedRule(row.rrule, { zone, start }),
      dates: JSON.parse(row.dates) as readonly LocalDateTime[],
      except: JSON.parse(row.except) as readonly LocalDateTime[],
    },
  }
}

/**
 * Returns the series of these templates, by template. Left out are those that the caller does not know: he may neither
 * read nor change the template, and read none of the dates. Runs at most one query.
 */
export async function listKnownSeries(
  db: Db,
  actor: Actor,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ readonly id: number; readonly series_id: number }>`
    select template.id, coalesce(template.group_id, template.id) as series_id from records template
    where ${dialectOf(db).isAmong(sql.ref('template.id'), ids)} and template.kind = 'series'
      and (${readableBy('template', actor, 'any')} or ${editableBy('template', actor)}
        or exists (select 1 from occurrences date join records on records.id = date.event_id
          where date.series_id = coalesce(template.group_id, template.id) and ${readableBy('records', actor, 'any')}))`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.id, row.series_id]))
}

/**
 * Returns the next date of the series with this slug that the viewer may read: the one that ends first, or else the last
 * one. Undefined if there is none. Runs at most two queries.
 *
 * @param at Whole seconds since 1970, UTC.
 */
export async function findNextDateBySlug(
  db: Db,
  viewer: Viewer,
  { slug, at }: { readonly slug: string; readonly at: number },
): Promise<number | undefined> {
  const templateId = await findIdBySlug(db, { kind: 'series', slug }, viewer)
  if (templateId === undefined) return undefined
  const { rows } = await sql<{ id: number }>`
    select records.id from records template
      join occurrences date on date.series_id = coalesce(template.group_id, template.id)
        and date.language = template.language
      join records on records.id = date.event_id join events on events.record_id = date.event_id
    where template.id = ${templateId} and date.is_dropped = 0 and records.status <> 'trash'
      and ${readableBy('records', viewer.actor, 'any')}
    order by case when events.end_utc > ${at} then 0 else 1 end,
      case when events.end_utc > ${at} then events.end_utc else -events.end_utc end, records.id
    limit 1`.execute(db)
  return rows[0]?.id
}
