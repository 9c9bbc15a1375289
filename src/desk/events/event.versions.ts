import { TEXT_LANGUAGE_CODES, TEXT_LANGUAGES } from '../../base/languages/language.ts'
import type { EventSource } from '../api/answers.ts'
import { type Operation, type Refused, sendBatch } from '../api/batch.ts'
import { statuses } from '../api/statuses.ts'
import type { DeskForm, OwnCall } from '../shell/desk.call.ts'
import { languageName } from './language.names.ts'

// An event is one thing at the desk, in all its languages. The interface has a record for each, so they go together in
// one batch in which everything succeeds or nothing.

/** An event in one language. */
export interface EventVersion {
  readonly id: number
  readonly language: string
  /** Undefined: any. */
  readonly version: number | undefined
}

/** An event in one language, as a page has shown it. */
export type KnownVersion = EventVersion & {
  readonly version: number
  /** Whether it waits for review. */
  readonly isPending?: boolean
}

/**
 * Returns the languages of an event, that of the id first. Others in the trash are left out. A version that the form
 * knows is the one that the user has seen.
 *
 * @returns Nothing if the user may not change the event.
 */
export async function readVersions({ api }: OwnCall, id: string, form: DeskForm): Promise<readonly EventVersion[]> {
  const { status, body } = await api.service<EventSource>({ path: `/events/${id}/source` })
  if (status !== 200) return []
  return [body, ...body.translations].map((one) => {
    const known = form.get(versionField(one.id))
    return { id: one.id, language: one.language, version: /^\d{1,15}$/.test(known) ? Number(known) : undefined }
  })
}

/** Returns the name of the field with the version of an event that a form was made for. */
export function versionField(id: number): string {
  return `version.${id}`
}

const lists = new Map(
  TEXT_LANGUAGES.map((one) => [one, new Intl.ListFormat(TEXT_LANGUAGE_CODES[one], { type: 'conjunction' })]),
)

/** Returns languages of the site in words, in their order: “in English and French”. */
export function languagesText(call: OwnCall, languages: readonly string[]): string {
  const { config } = call
  const known = config.languages.filter((one) => languages.includes(one))
  const names = known.map((language, place) =>
    call.say(place === 0 ? 'events.in' : 'events.in.more', { language: languageName(call, language) }),
  )
  return lists.get(call.textLanguage)?.format(names) ?? names.join(', ')
}

/** Why nothing was done: one of its languages, in which the event may not go, another write, or what the interface says. */
export interface VersionsRefused {
  readonly reason: 'language' | 'changed' | 'other'
  readonly language: string
  readonly message: string
}

/** Returns why an event was not moved to the trash, in words. */
export function refusalText(call: OwnCall, { reason, language, message }: VersionsRefused): string {
  const { say } = call
  if (reason === 'language') return say('events.not-trashed.in', { languages: languagesText(call, [language]) })
  return reason === 'changed' ? say('many.meanwhile') : message || say('events.not-trashed')
}

/** Returns why versions of an event were not moved to the trash. A language is named only if the others could go. */
export function refusalOf({ place, status, message }: Refused, versions: readonly EventVersion[]): VersionsRefused {
  const isOfLanguage = status === statuses.forbidden && versions.length > 1
  const reason = isOfLanguage ? 'language' : status === statuses.preconditionFailed ? 'changed' : 'other'
  return { reason, message, language: versions[place]?.language ?? '' }
}

/** Moves an event to the trash in these languages: in all or in none. @returns why not; undefined if it is there. */
export async function trashVersions(
  call: OwnCall,
  versions: readonly EventVersion[],
  { isDry = false }: { readonly isDry?: boolean } = {},
): Promise<VersionsRefused | undefined> {
  const unseen = unseenIn(versions)
  if (unseen) return { reason: 'changed', message: '', language: unseen.language }
  const { refused } = await sendBatch(call, versions.map(toTrash), { isDry })
  return refused[0] && refusalOf(refused[0], versions)
}

/** Returns a version that the page did not show, because it was made since; undefined if it has shown none or all. */
function unseenIn(versions: readonly EventVersion[]): EventVersion | undefined {
  return versions.some(({ version }) => version !== undefined)
    ? versions.find(({ version }) => version === undefined)
    : undefined
}

/** Takes an event out of the trash in these languages: in all or in none. Those that are back already are left out. */
export async function restoreVersions(
  call: OwnCall,
  ids: readonly number[],
): Promise<'restored' | 'was-back' | 'refused'> {
  if (ids.length === 0) return 'was-back'
  const operations = ids.map((id) => toRestore({ id, version: undefined }))
  const [failed] = (await sendBatch(call, operations)).refused
  if (failed === undefined) return 'restored'
  if (failed.status !== statuses.conflict) return 'refused'
  return restoreVersions(call, ids.toSpliced(failed.place, 1))
}

const conditionOf = ({ version }: Pick<EventVersion, 'version'>) => (version === undefined ? '*' : `"${version}"`)

export function toTrash(one: Pick<EventVersion, 'id' | 'version'>): Operation {
  return { method: 'DELETE', path: `/events/${one.id}`, if_match: conditionOf(one) }
}

export function toRestore(one: Pick<EventVersion, 'id' | 'version'>): Operation {
  return { method: 'POST', path: `/events/${one.id}/restore`, if_match: conditionOf(one) }
}

/** Returns the versions of an event, if all are in the trash; otherwise the one of the id. */
export async function allInTrash({ api }: OwnCall, id: number): Promise<readonly number[]> {
  const { status, body } = await api.service<{ readonly deleted: readonly { readonly id: number }[] }>({
    ...{ method: 'DELETE', path: `/trash/events/${id}`, query: { dry_run: 'true' }, headers: { 'if-match': '*' } },
  })
  return status === 200 ? body.deleted.map((one) => one.id) : [id]
}

/** Returns the ids of the versions that a form restores: that of its address, and those that went with it. */
export function restoredIds(form: DeskForm, id: string): readonly number[] {
  const others = form
    .get(withField(Number(id)))
    .split(',')
    .filter((one) => /^\d{1,15}$/.test(one))
  return [...new Set([id, ...others.slice(0, maxVersions)])].map(Number)
}

/** More languages than an event has. */
export const maxVersions = 50

/** Returns the name of the field with the other versions that a form restores with an event. */
export function withField(id: number): string {
  return `with.${id}`
}
