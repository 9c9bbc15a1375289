import { mayPublish } from '../../access/auth/policy.ts'
import { html } from '../../base/text/html.ts'
import type { RecordStatus } from '../../calendar/records/record.ts'
import { actorOf, linkTo } from '../shell/desk.call.ts'
import { type Choice, select } from '../shell/fields.ts'
import { tellAt } from '../shell/told.ts'
import { saveEvent } from './editor.save.ts'
import { faultsIn } from './editor.values.ts'
import { statusOf } from './event.json.ts'
import { shortRoutes, shownTitle } from './short.form.ts'
import { tableAt } from './table.place.ts'

/** The page that changes the date, the venue, the state and the categories of one row of the table. */
export const quickRoutes = shortRoutes({
  name: 'quick',
  fields: ['start', 'end', 'venue', 'categories'],
  // A row of the table is an event in one language.
  begin: (_, state) => ({ ...state, versions: state.versions.slice(0, 1) }),
  last: (call, state, form) => {
    const { say, me } = call
    const offered = ['draft', 'pending', ...(mayPublish(actorOf(me)) ? ['publish'] : [])] as readonly RecordStatus[]
    const choices = [...new Set([statusOf(state), ...offered])].map((one): Choice => [one, say(`status.${one}`)])
    const value = form?.get('status') ?? state.status
    return html`${select({ name: 'status', label: say('events.column.status'), value, choices })}
<div class="buttons"><button>${say('editor.save')}</button>
<a class="button quiet" href="${linkTo(call, `/admin/events/${state.id}/`)}">${say('quick.full')}</a>`
  },
  save: async (call, typed, form) => {
    const status = form.get('status') || typed.status
    const faults = faultsIn(call, typed, status)
    if (Object.keys(faults).length > 0) return { faults }
    const state = { ...typed, values: { ...typed.values, visibility: status === 'private' ? 'private' : 'public' } }
    const saved = await saveEvent(call, state, { to: status === typed.status ? 'save' : status, key: form.get('key') })
    if (saved.kind === 'refused') {
      const { venue_city: which, ...faults } = saved.faults
      return { faults: { ...faults, ...(which && { venue: which }) } }
    }
    if (saved.kind !== 'saved') return undefined
    const text = call.say('events.saved', { title: shownTitle(call, state) })
    return tellAt(call, `${tableAt(form.get('back'))}#e-${state.id}`, { text })
  },
})
