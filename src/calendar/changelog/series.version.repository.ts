import type { Dialect } from '../../storage/database/dialect.ts'

/**
 * SQL of whether the log has a template, on `records` and `events`. As for events, what lists do not show is not in it.
 */
export const isSeriesPublic = `(records.kind = 'series' and records.status = 'publish' and records.password is null
  and events.is_hidden = 0)`

/** Further dates and exceptions are not for everybody: they name days of dates that are not public. */
const ruleNames = ['from_local', 'start_local', 'end_local', 'timezone', 'is_all_day', 'rrule']

/** A cast is not enough: SQLite embeds the text in other JSON as an object. */
const asText = (json: string) => `('' || cast(${json} as text))`

/**
 * Returns SQL of the text from which the version of a template follows, on `records`: its own changes, its translations,
 * and the rules and dates of its series.
 */
export function seriesVersionColumn({ jsonObject }: Dialect): string {
  const original = 'coalesce(records.group_id, records.id)'
  const rule = `${jsonObject}(${ruleNames.map((name) => `'${name}', rule."${name}"`).join(', ')})`
  const values = {
    count: 'records.change_count',
    slug: 'records.slug',
    original,
    // Without a condition on the kind, SQLite looks the group up. All records of a group are of one kind.
    translations: `(select string_agg(cast(version.id as text) || ' ' || version.language, ',' order by version.id)
      from records version
      where version.status = 'publish' and version.group_id = records.group_id)`,
    rules: `(select string_agg(${asText(rule)}, ',' order by rule.position) from series_rules rule
      where rule.series_id = ${original})`,
    state: `(select cast(sequence as text) || case when is_endless = 1 then ' ' || substr(made_until, 1, 10) else '' end
      from series_state where series_id = ${original})`,
  }
  const members = Object.entries(values).map(([name, value]) => `'${name}', ${value}`)
  return asText(`${jsonObject}(${members.join(', ')})`)
}
