import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Actor } from '../../access/auth/actor.ts'
import { mayCreate, mayEditOthers, mayPublish } from '../../access/auth/policy.ts'
import { chooseVersion, type TranslationVersion } from '../../base/languages/chain.ts'
import { type IndexedPreference, preferenceBit } from '../../base/languages/preference.bits.ts'
import type { Db } from '../../storage/database/tables.ts'
import { type ClassVersion, classFromKey, isShownIn, ownVersion } from '../index/event.classes.ts'
import { FACETS } from '../index/event.index.ts'
import { IdSet } from '../index/id.set.ts'
import { readSetParts, type SetPart, type ShownClasses } from '../index/set.parts.repository.ts'
import { placeOfDay, visitMembers } from '../index/set.segments.ts'
import type { StatusFilter } from '../records/record.arguments.ts'
import { STATUSES } from '../records/record.ts'
import { askedStatuses } from '../records/record.visibility.ts'
import type { ReadContext } from '../translations/viewer.ts'

/** The events that a list shows to a caller, before any filter. */
export interface ShownEvents extends ShownClasses {
  /** Own events of the caller that the list shows, of classes of which it shows only some. */
  readonly added: IdSet
  /** Events that the list does not show, because it shows an own event of the caller instead. */
  readonly removed: IdSet
}

/** Which events a list asks for. */
export interface ShownQuery {
  readonly status: StatusFilter | undefined
  readonly preference: IndexedPreference
  /** Whether the list must leave out events whose values a password hides from the caller. */
  readonly isOfUnmasked: boolean
  /** Whether it must leave out all protected events. */
  readonly isOfUnprotected: boolean
}

/**
 * Returns the events that a list shows to a caller: those of `readableBy`, in the version of `isPreferredVersion`, except
 * hidden ones. Classes decide for editors and visitors. Other callers also see their own unpublished events, which are
 * read.
 */
export async function shownEvents(context: ReadContext, query: ShownQuery): Promise<ShownEvents> {
  const { actor } = context.viewer
  const { status, preference } = query
  const asked = askedStatuses(actor, status)
  const seesAll = mayEditOthers(actor)
  const statuses = seesAll ? asked : asked.filter((one) => one === 'publish')
  const isVisible = await isOfStatuses(context.db, statuses, preference)
  const isUnprotected = query.isOfUnprotected || (query.isOfUnmasked && !seesAll)
  const isOfClass = isUnprotected ? sql<SqlBool>`(${isVisible} and is_protected = 0)` : isVisible
  const whole = { isOfClass, added: new IdSet(), removed: new IdSet() }
  if (seesAll || actor.kind === 'visitor') return whole
  return withOwnEvents(context, query, { asked, whole })
}

/** The condition that a class is shown among some statuses. */
async function isOfStatuses(
  db: Db,
  statuses: readonly string[],
  preference: IndexedPreference,
): Promise<RawBuilder<SqlBool>> {
  const bit = sql.lit(preferenceBit(preference))
  if (statuses.length === 0) return sql<SqlBool>`1 = 0`
  const [only] = statuses
  if (statuses.length === 1) return sql<SqlBool>`(status = ${sql.lit(only)} and shown_to & ${bit} <> 0)`
  if (statuses.length === STATUSES.length - 1 && !statuses.includes('trash')) {
    return sql<SqlBool>`(status <> 'trash' and shown_among_all & ${bit} <> 0)`
  }
  const { rows } = await sql<{ class: string }>`select class from event_classes`.execute(db)
  const shown = rows.flatMap((row) =>
    isShownIn(classFromKey(row.class), preference, (status) => statuses.includes(status)) ? [row.class] : [],
  )
  return shown.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`(event_classes.class in (${sql.join(shown)}))`
}

interface OwnOptions {
  readonly asked: readonly string[]
  readonly whole: ShownEvents
}

/** Adds the own events of a caller that are not published, or protected. */
async function withOwnEvents(
  context: ReadContext,
  query: ShownQuery,
  { asked, whole }: OwnOptions,
): Promise<ShownEvents> {
  const { actor } = context.viewer
  if (actor.kind === 'visitor') return whole
  const isOfSome = sql<SqlBool>`(is_hidden = 0 and status in (${sql.join(asked)})
    and (status <> 'publish' or is_protected = 1) and not ${whole.isOfClass})`
  const places = { from: placeOfDay(0), to: Number.MAX_SAFE_INTEGER }
  const facets = [FACETS.author(actor.id)]
  // The published ones among the competitors of own events may be replaced by them.
  const parts = await readSetParts(context, { facets, isOfClass: isOfSome, places, longPlaces: places })
  if (parts.length === 0) return whole
  const winners = await ownWinners(context, parts, { asked, preference: query.preference })
  const added = new IdSet()
  for (const { class: key, members } of parts) {
    const own = classFromKey(key)
    const { status } = ownVersion(own)
    if (own.isProtected && (query.isOfUnprotected || (query.isOfUnmasked && !mayUnmaskOwn(actor, status)))) continue
    const isAlone = own.versions.length === 1
    if (isAlone && !isShownIn(own, query.preference, () => true)) continue
    visitMembers(members, (_day, id) => {
      if (isAlone || winners.shown.has(id)) added.add(id)
    })
  }
  return { ...whole, isOfSome, added, removed: winners.hidden }
}

/** Whether the caller may see what a password hides in his own events of a status. See `isUnmaskedFor`. */
function mayUnmaskOwn(actor: Actor, status: string): boolean {
  if (!mayCreate(actor)) return false
  return mayPublish(actor) || (status !== 'publish' && status !== 'future')
}

interface VersionRow extends TranslationVersion {
  readonly group_id: number
}

/** Returns which versions of the groups of own events are shown, and which are not. Runs at most one query. */
async function ownWinners(
  { db, dialect, viewer }: ReadContext,
  parts: readonly SetPart[],
  { asked, preference }: { readonly asked: readonly string[]; readonly preference: IndexedPreference },
): Promise<{ readonly shown: IdSet; readonly hidden: IdSet }> {
  const shown = new IdSet()
  const hidden = new IdSet()
  const translated: number[] = []
  for (const { class: key, members } of parts) {
    if (classFromKey(key).versions.length > 1) visitMembers(members, (_day, id) => translated.push(id))
  }
  if (translated.length === 0 || viewer.actor.kind === 'visitor') return { shown, hidden }
  const { rows } = await sql<VersionRow>`
    select version.id, version.group_id, version.language from (
      select distinct group_id from records where ${dialect.isAmong(sql.ref('id'), translated)}
    ) given join records version on version.group_id = given.group_id
    join events on events.record_id = version.id and events.is_hidden = 0
    where version.status in (${sql.join(asked)})
      and (version.status = 'publish' or version.author_id = ${viewer.actor.id})`.execute(db)
  for (const [groupId, group] of Map.groupBy(rows, (row) => row.group_id)) {
    const best = chooseVersion(
      group.map((version) => ({ ...version, groupId })),
      preference,
    )
    for (const { id } of group) (id === best?.id ? shown : hidden).add(id)
  }
  return { shown, hidden }
}

/** Returns the same events without those that have no venue. */
export function onlyWithVenue(shown: ShownEvents): ShownEvents {
  return onlyOfClasses(shown, sql<SqlBool>`venues > 0`)
}

/** Returns those of the events whose classes meet a condition on the rows of `event_classes`. */
export function onlyOfClasses(shown: ShownEvents, condition: RawBuilder<SqlBool>): ShownEvents {
  const { isOfClass, isOfSome } = shown
  return {
    ...shown,
    isOfClass: sql<SqlBool>`(${isOfClass} and ${condition})`,
    isOfSome: isOfSome && sql<SqlBool>`(${isOfSome} and ${condition})`,
  }
}

/** `fr` for `fr-CA`. */
const lettersOf = (language: string) => language.split('-')[0]

/** The conditions that an event is a date of a series, and that it is not. */
export const isOfSeries = sql<SqlBool>`is_of_series = 1`
export const isOfNoSeries = sql<SqlBool>`is_of_series = 0`

/** The condition that an event has no venue. */
export const isWithoutVenue = sql<SqlBool>`venues = 0`

/**
 * Returns the condition that an event exists in no form of a language: one in `en` exists in English.
 *
 * @param counts Whether another version with this status counts.
 */
export async function isWithoutLanguage(
  db: Db,
  language: string,
  counts: (status: string) => boolean,
): Promise<RawBuilder<SqlBool>> {
  const { rows } = await sql<{ class: string }>`select class from event_classes`.execute(db)
  const isIn = (version: ClassVersion) => lettersOf(version.language) === lettersOf(language)
  const found = rows.filter((row) => {
    const { versions, self } = classFromKey(row.class)
    return !versions.some((version, place) => isIn(version) && (place === self || counts(version.status)))
  })
  return found.length === 0
    ? sql<SqlBool>`1 = 0`
    : sql<SqlBool>`(event_classes.class in (${sql.join(found.map((row) => row.class))}))`
}
