import type { DeskForm, OwnCall } from '../shell/desk.call.ts'

// Which dates of a series a change means, and what it does to them.

/** Which dates a change means: this one, this and all later ones, or all. */
export const SAVE_SCOPES = ['this', 'following', 'all'] as const
export type SaveScope = (typeof SAVE_SCOPES)[number]

export function scopeIn(form: DeskForm): SaveScope | undefined {
  return SAVE_SCOPES.find((one) => one === form.get('scope'))
}

/** How many dates a write has added, dropped and changed. */
export interface DateCounts {
  readonly added: number
  readonly dropped: number
  readonly changed: number
}

export const countsHeader = 'x-series-changed'

/** Reads `added=2, dropped=1, changed=104`. */
export function countsOf(header: unknown): DateCounts | undefined {
  if (typeof header !== 'string') return undefined
  const number = (name: string) => Number(new RegExp(`\\b${name}=(\\d+)`).exec(header)?.[1] ?? 0)
  return { added: number('added'), dropped: number('dropped'), changed: number('changed') }
}

/** Returns what the operations of a batch have done to dates. Translations of a date change together. */
export function datesIn(
  results: readonly { readonly headers?: Readonly<Record<string, string>> }[],
): DateCounts | undefined {
  const all = results.flatMap(({ headers = {} }) => {
    const [, value] = Object.entries(headers).find(([name]) => name.toLowerCase() === countsHeader) ?? []
    return countsOf(value) ?? []
  })
  if (all.length === 0) return undefined
  const most = (name: keyof DateCounts) => Math.max(...all.map((one) => one[name]))
  return { added: most('added'), dropped: most('dropped'), changed: most('changed') }
}

/** Returns the parameters that say which dates a change means; nothing if it means one, or changes nothing. */
export function scopeParameters(
  body: object,
  {
    scope = 'this',
    drop = false,
    past = false,
  }: { readonly scope?: SaveScope | undefined; readonly drop?: boolean; readonly past?: boolean },
): Readonly<Record<string, unknown>> {
  if (scope === 'this' || Object.keys(body).length === 0) return {}
  return { scope, ...(drop ? { drop: true } : {}), ...(past && scope === 'all' ? { past: true } : {}) }
}

/** Returns what a write does to dates in words: “adds 2 dates, changes 104 dates”. */
export function countsText({ say }: OwnCall, counts: DateCounts | undefined): string {
  const { added, dropped, changed } = counts ?? { added: 0, dropped: 0, changed: 1 }
  const parts = [
    ...(changed > 0 ? [say('series.changes', { count: changed })] : []),
    ...(added > 0 ? [say('series.adds', { count: added })] : []),
    ...(dropped > 0 ? [say('series.drops', { count: dropped })] : []),
  ]
  return parts.length === 0 ? say('series.no-change') : parts.join(', ')
}

/** Returns a message with what was done to dates. */
export function withCounts(call: OwnCall, text: string, counts: DateCounts | undefined): string {
  return counts ? `${text} ${call.say('series.done', { text: countsText(call, counts) })}` : text
}
