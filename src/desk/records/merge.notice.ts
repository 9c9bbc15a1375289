import type { Html } from '../../base/text/html.ts'
import type { OwnCall } from '../shell/desk.call.ts'
import { actionButton, notice } from '../shell/fields.ts'

/** Returns what the last merge did, with the button that undoes it, or what undoing it did. */
export function mergeNotice(call: OwnCall, plural: string): Html | false {
  const { say, query } = call
  const number = (name: string) => (/^\d{1,15}$/.test(query.get(name) ?? '') ? Number(query.get(name)) : 0)
  if (query.get('done') === 'unmerged') return notice(say('merge.undone', { count: number('skipped') }))
  if (query.get('done') !== 'merged') return false
  const merge = number('merge')
  return notice(
    say('merge.done', { count: number('moved') }),
    merge > 0 && actionButton(call, `/admin/${plural}/merge/undo/`, { label: say('events.undo'), fields: { merge } }),
  )
}
