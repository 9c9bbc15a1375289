import { type Addresses, query } from '../../access/http/addresses.ts'
import { formatSent } from '../../access/http/arguments/paging.ts'
import { isoUtc } from '../../base/time/wire.ts'
import { type ChangeCursor, formatChangeCursor } from '../changelog/change.log.ts'
import { changeArguments } from './change.arguments.ts'
import type { ChangedItem } from './change.items.service.ts'
import type { Change } from './change.page.ts'

/** The address of a request. */
interface Asked {
  readonly addresses: Addresses
  readonly namespace: string
  readonly query: Readonly<Record<string, unknown>>
}

/** Returns the address of the next page, with the parameters of this one. */
export function nextUrl({ addresses, namespace, query: sent }: Asked, next: ChangeCursor): string {
  const names = Object.keys(changeArguments).filter((name) => name !== 'after' && sent[name] !== undefined)
  const pairs = names.map((name) => [name, formatSent(sent[name])] as const)
  return `${addresses.base}/${namespace}/changes?${query([['after', formatChangeCursor(next)], ...pairs])}`
}

/**
 * Returns the address of the next page in the form of OpenActive.
 *
 * @param log Undefined for the page of a consumer that named only a number.
 */
export function nextRpdeUrl(
  { addresses, namespace }: Omit<Asked, 'query'>,
  { number, log }: { readonly number: number; readonly log: ChangeCursor | undefined },
): string {
  const pairs = [['afterChangeNumber', number] as const, ...(log ? [['log', formatChangeCursor(log)] as const] : [])]
  return `${addresses.base}/${namespace}/rpde/events?${query(pairs)}`
}

/** Returns a change as clients read it. */
export function presentChange(change: Change | ChangedItem) {
  const { kind, id, number, at } = change
  const isItem = 'data' in change
  const isDeleted = change.isDeleted || (isItem && change.data === undefined)
  return {
    state: isDeleted ? 'deleted' : 'updated',
    ...{ kind, id, modified: number, at: isoUtc(at) },
    ...(isItem && !isDeleted && change.affects !== undefined ? { affects: change.affects } : {}),
    ...(isItem && !isDeleted ? { data: change.data } : {}),
  }
}

/** Returns a change as RPDE 1.0 has it. The data names the event by its page (schema.org, `@id`). */
export function presentRpdeChange({ id, number, data, isDeleted }: ChangedItem) {
  const item = { kind: 'Event', id, modified: number }
  return isDeleted || data === undefined ? { state: 'deleted', ...item } : { state: 'updated', ...item, data }
}
