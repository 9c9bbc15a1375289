import { sql } from 'kysely'
import type { Language } from '../../base/languages/language.ts'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import { compiledStatement } from '../../storage/database/statements/compiled.statement.ts'
import type { Db, Row } from '../../storage/database/tables.ts'
import { isSeriesPublic } from '../changelog/series.version.repository.ts'
import { type RenderedEventRow, renderedEventColumns, renderedEventFromRow } from '../events/event.repository.ts'
import { listSegments } from '../occurrences/occurrence.repository.ts'
import type { ShownSeries, ShownTemplate } from './series.present.ts'

/** A template that visitors see, with its series as visitors see it. */
export interface PublicSeries {
  readonly templateId: number
  readonly template: ShownTemplate
  readonly series: ShownSeries
}

/** Returns those of these templates that the log of public changes has. Runs four queries, however many ids are given. */
export async function listPublicSeries(
  db: Db,
  dialect: Dialect,
  ids: readonly number[],
): Promise<readonly PublicSeries[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<RenderedEventRow>`
    select ${renderedEventColumns} from records join events on events.record_id = records.id
    where ${dialect.isAmong(sql.ref('records.id'), ids)} and ${dialect.isAmong(sql.ref('events.record_id'), ids)}
      and ${sql.raw(isSeriesPublic)} order by records.id`.execute(db)
  const templates = rows.map(renderedEventFromRow)
  const originals = [...new Set(templates.map(({ groupId }) => groupId))]
  const [versions, segments, states] = await Promise.all([
    versionRows(db, { ids: originals }),
    listSegments(db, originals),
    stateRows(db, { ids: originals }),
  ])
  const versionsOf = Map.groupBy(versions, ({ original }) => original)
  const stateOf = new Map(states.map((state) => [state.series_id, state]))
  return templates.map((template) => {
    const { id: templateId, groupId: id } = template
    const state = stateOf.get(id)
    return {
      ...{ templateId, template },
      series: {
        id,
        templates: versionsOf.get(id) ?? [template],
        segments: segments.get(id) ?? [],
        madeUntil: (state?.made_until ?? '') as LocalDateTime,
        isEndless: state?.is_endless === 1,
        sequence: state?.sequence ?? 0,
      },
    }
  })
}

interface TranslationRow {
  readonly original: number
  readonly id: number
  readonly language: Language
}

/** The published templates of these series, the original first. */
const versionRows = compiledStatement<{ readonly ids: readonly number[] }, TranslationRow>(
  ({ ids }, dialect) => sql<TranslationRow>`
    select group_id as original, id, language from records
    where ${dialect.isAmong(sql.ref('group_id'), ids)} and kind = 'series' and status = 'publish'
    order by case when id = group_id then 0 else 1 end, id`,
)

const stateRows = compiledStatement<{ readonly ids: readonly number[] }, Row<'series_state'>>(
  ({ ids }, dialect) => sql<Row<'series_state'>>`
    select series_id, made_until, is_endless, sequence from series_state
    where ${dialect.isAmong(sql.ref('series_id'), ids)}`,
)
