import type { Trigger } from '../dialect.ts'

// Triggers that keep internal tables and the slugs of the past up to date.

/**
 * The rows of `revisions` that the engine itself raises: with every change of venues and organizers with their pictures, of
 * terms, and of what events show of these, so not for the numbers of their events. Values read from these tables stay valid as
 * long as the number is the same.
 */
export const countedRows = { linkedRecords: 3, terms: 4, shownLinks: 5 } as const

type Change = Omit<Trigger, 'name' | 'statement'>

const each = (table: string, when: (row: 'new' | 'old') => Partial<Change> = () => ({})): readonly Change[] =>
  (['insert', 'update', 'delete'] as const).map((on) => ({ table, on, ...when(on === 'delete' ? 'old' : 'new') }))

/** A change of a term that is not only one of the number of its events. */
const shownOfTerms = [
  ...['taxonomy', 'name', 'name_folded', 'slug', 'description'],
  ...['parent_id', 'language', 'group_id', 'introduced_by'],
]

const linkedRecords: readonly Change[] = [
  ...each('records', (row) => ({ when: `${row}.kind <> 'event'` })),
  ...['venues', 'organizers', 'media'].flatMap((table) => each(table)),
]

// A new picture is shown once an event or a venue is given it, and that is a change of these.
const shownLinks: readonly Change[] = [
  { table: 'records', on: 'insert', when: "new.kind in ('venue', 'organizer')" },
  { table: 'records', on: 'update', when: "new.kind in ('venue', 'organizer', 'media')" },
  { table: 'records', on: 'delete', when: "old.kind in ('venue', 'organizer', 'media')" },
  ...each('venues'),
  ...each('organizers'),
  { table: 'media', on: 'update' },
  { table: 'media', on: 'delete' },
  { table: 'terms', on: 'insert' },
  { table: 'terms', on: 'update', columns: shownOfTerms },
  { table: 'terms', on: 'delete' },
]

const counting = (changes: readonly Change[], end: string, row: number): readonly Trigger[] =>
  changes.map((change) => ({
    ...{ ...change, name: `${change.table}_${end}_${change.on}` },
    statement: `update revisions set number = number + 1 where id = ${row}`,
  }))

/** Notes a released number, if a series could assign it: not 1, and without leading zeros. */
const noteGap = (kind: string) => `
  insert into slug_gaps (kind, language, stem, digits, slug)
  select series.kind, series.language, series.stem, series.digits, old.slug
  from slug_series series
  where series.kind = ${kind} and series.language = old.language
    and series.stem = rtrim(old.slug, '0123456789')
    and series.digits = length(old.slug) - length(rtrim(old.slug, '0123456789'))
    and old.slug >= series.stem || case series.digits when 1 then '2' else '1' end
    and (length(cast(series.next as text)) > series.digits or old.slug < series.stem || cast(series.next as text))
  on conflict (kind, language, stem, digits, slug) do nothing`

const noteGaps = (table: string, kind: string): readonly Trigger[] => [
  { name: `${table}_slug_deleted`, table, on: 'delete', statement: noteGap(kind) },
  {
    ...{ name: `${table}_slug_changed`, table, on: 'update', columns: ['slug', 'language'] },
    when: 'new.slug <> old.slug or new.language <> old.language',
    statement: noteGap(kind),
  },
]

const isOtherSlug = "new.slug <> old.slug and old.slug <> ''"
const rememberSlug = (kind: string) => `insert into former_slugs (kind, slug, language, item_id)
  select ${kind}, old.slug, old.language, old.id where true
  on conflict (kind, slug, language) do update set item_id = excluded.item_id`
const forgetMerge = (kind: string) => `delete from merged_items where kind = ${kind} and item_id = new.id`

const formerSlugs: readonly Trigger[] = [
  {
    ...{ name: 'records_former_slug', table: 'records', on: 'update', columns: ['slug'] },
    // A record in the trash keeps its slug, with a suffix.
    when: `${isOtherSlug} and old.status = 'publish' and old.kind in ('event', 'venue', 'organizer')
      and new.slug <> old.slug || '__trashed'`,
    statement: rememberSlug('old.kind'),
  },
  {
    ...{ name: 'terms_former_slug', table: 'terms', on: 'update', columns: ['slug'], when: isOtherSlug },
    statement: rememberSlug('old.taxonomy'),
  },
  {
    ...{ name: 'records_merge_over', table: 'records', on: 'update', columns: ['status'] },
    when: "old.status = 'trash' and new.status <> 'trash' and new.kind in ('venue', 'organizer')",
    statement: forgetMerge('new.kind'),
  },
  { name: 'terms_merge_over', table: 'terms', on: 'insert', statement: forgetMerge('new.taxonomy') },
]

export const keptTriggers: readonly Trigger[] = [
  ...counting(linkedRecords, 'linked', countedRows.linkedRecords),
  ...counting(each('terms'), 'linked', countedRows.terms),
  ...counting(shownLinks, 'shown', countedRows.shownLinks),
  ...noteGaps('records', 'old.kind'),
  ...noteGaps('terms', "'term'"),
  ...formerSlugs,
]
