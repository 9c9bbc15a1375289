import type { OwnCall } from '../shell/desk.call.ts'
import { formFields } from './editor.fields.ts'
import { askLinks, checkedText, isOfOthers, linkFault } from './editor.links.ts'
import { readEventsIn } from './event.reads.ts'
import type { RowJson } from './event.rows.ts'

/** What a check of the links of events has found. */
export interface CheckedLinks {
  /** The events with links that do not work, and what is wrong with each link. */
  readonly failing: ReadonlyMap<RowJson, readonly string[]>
  readonly notice: string
}

/** Checks the links of events in all their languages. Nothing is stored: an address that is dead now may answer tomorrow. */
export async function checkEventLinks(
  call: OwnCall,
  { rows, total }: { readonly rows: readonly RowJson[]; readonly total: number },
): Promise<CheckedLinks> {
  const events = await readEventsIn(
    call,
    rows.flatMap((row) => [row, ...row.translations]),
  )
  const linksOf = new Map(
    events.map((event) => {
      const values = event as unknown as Readonly<Record<string, unknown>>
      const links = formFields.flatMap(({ argument, textOf, links }) => links?.(textOf(values[argument])) ?? [])
      return [event.id, links.filter((url) => isOfOthers(call, url))]
    }),
  )
  const byRow = rows.map((row) => {
    const urls = [row, ...row.translations].flatMap(({ id }) => linksOf.get(id) ?? [])
    return [row, [...new Set(urls)]] as const
  })
  const urls = [...new Set(byRow.flatMap(([, own]) => own))]
  if (urls.length === 0) return { failing: new Map(), notice: call.say('today.links.none') }
  const { results, message } = await askLinks(call, urls)
  const faults = byRow.map(([row, own]) => [row, own.flatMap((url) => linkFault(call, url, results) ?? [])] as const)
  const part = message || call.say('today.links.part', { count: results.size, total: urls.length })
  return {
    failing: new Map(faults.filter(([, own]) => own.length > 0)),
    notice: [
      ...(results.size > 0 ? [checkedText(call, results)] : []),
      ...(results.size < urls.length ? [part] : []),
      ...(rows.length < total ? [call.say('today.links.first', { count: rows.length, total })] : []),
    ].join(' '),
  }
}
