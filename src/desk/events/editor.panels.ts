import { mayPublish } from '../../access/auth/policy.ts'
import { ATTENDANCES, EVENT_STATUSES } from '../../calendar/events/event.state.ts'
import { type Html, html } from '../../publish/pages/html.ts'
import { actorOf, type OwnCall } from '../shell/desk.call.ts'
import { type Choice, checkbox, field, select } from '../shell/fields.ts'
import { type Controls, controls } from './editor.controls.ts'
import { venueLabels } from './editor.named.ts'
import { availabilityChoices, offerRows } from './editor.offers.ts'
import { picturePanel } from './editor.picture.ts'
import type { EditorMessages, EditorState } from './editor.state.ts'
import { type NamedJson, nameOf } from './event.json.ts'
import { repeatPanel } from './repeat.panel.ts'

type Panel = (call: OwnCall, state: EditorState, controls: Controls) => Html | Promise<Html>

/** Returns the fields that all languages share. */
export async function sharedPanels(call: OwnCall, state: EditorState, messages: EditorMessages): Promise<Html> {
  const own = controls(call, state, messages)
  const panels: readonly Panel[] = [
    whenPanel,
    (_, __, { options }) => repeatPanel(call, state, { options, messages }),
    wherePanel,
    picturePanel,
    costPanel,
    termsPanel,
    statePanel,
    publicationPanel,
  ]
  const made = await Promise.all(panels.map((panel) => panel(call, state, own)))
  return html`<div class="shared-panels">${made}</div>`
}

function whenPanel({ say }: OwnCall, _state: EditorState, { options, box }: Controls): Html {
  return html`<fieldset class="panel"><legend>${say('editor.when')}</legend>
${field({ ...options('start'), hint: say('editor.start.hint'), autocomplete: 'off', isRequired: true, maxLength: 100 })}
${field({ ...options('end'), hint: say('editor.end.hint'), autocomplete: 'off', maxLength: 100 })}
${box('all_day')}
${field({ ...options('timezone'), isRequired: true })}
</fieldset>`
}

async function wherePanel(call: OwnCall, _state: EditorState, { options }: Controls): Promise<Html> {
  const { say } = call
  const [venue, organizer] = await Promise.all([
    linkField(call, 'venue', options('venue')),
    linkField(call, 'organizer', options('organizer')),
  ])
  return html`<fieldset class="panel"><legend>${say('editor.where')}</legend>
${venue}
${field({ ...options('venue_city'), autocomplete: 'off', hint: say('editor.venue-city.hint') })}
${organizer}
</fieldset>`
}

/** Returns a field for the name of a venue or organizer, with the names that exist. */
async function linkField(
  call: OwnCall,
  kind: 'venue' | 'organizer',
  shared: Parameters<typeof field>[0],
): Promise<Html> {
  const { say, api } = call
  const { status, body } = await api.events<Readonly<Record<string, readonly NamedJson[]>>>({
    ...{ path: `/${kind}s`, query: { per_page: 100 } },
  })
  const known = status === 200 ? (body[`${kind}s`] ?? []) : []
  const hint = say(shared.value?.includes(' + ') ? 'editor.several' : 'editor.link.hint')
  return html`${field({ ...shared, hint, list: `known-${kind}s`, autocomplete: 'off' })}
<datalist id="known-${kind}s">${venueLabels(known).map((name) => html`<option value="${name}"></option>`)}</datalist>`
}

async function termsPanel(call: OwnCall, { values }: EditorState, { options }: Controls): Promise<Html> {
  const { say } = call
  const { status, body } = await call.api.events<{ readonly categories?: readonly NamedJson[] }>({
    ...{ path: '/categories', query: { per_page: 100, hide_empty: 'false' } },
  })
  const known = status === 200 ? (body.categories ?? []) : []
  const chosen = new Set((values.categories ?? '').split(',').filter(Boolean))
  const unknown = [...chosen].filter((id) => !known.some((term) => String(term.id) === id))
  const all = [
    ...known.map((term) => ({ label: nameOf(term), value: String(term.id) })),
    ...unknown.map((id) => ({ label: `#${id}`, value: id })),
  ]
  return html`<fieldset class="panel"><legend>${say('editor.terms')}</legend>
${
  all.length > 0 &&
  html`<fieldset class="choices" id="f-categories"><legend>${say('editor.categories')}</legend>
${all.map((term) => checkbox({ name: 'categories', id: `category-${term.value}`, ...term, isOn: chosen.has(term.value) }))}
</fieldset>${options('categories').note}`
}
${field({ ...options('tags'), hint: say('editor.tags.hint') })}
</fieldset>`
}

function costPanel(call: OwnCall, { values }: EditorState, { options }: Controls): Html {
  const { say } = call
  return html`<fieldset class="panel"><legend>${say('editor.price')}</legend>
${field({ ...options('cost'), hint: say('editor.cost.hint') })}
${field(options('website'))}
<div class="pair">${select({ ...options('availability'), choices: availabilityChoices(call) })}
${field({ ...options('capacity'), maxLength: 9 })}</div>
<div id="f-offers">${offerRows(call, values.offers ?? '')}${options('offers').fault && html`<p class="fault">${options('offers').fault}</p>`}${options('offers').note}</div>
</fieldset>`
}

function statePanel({ say }: OwnCall, { values }: EditorState, { options }: Controls): Html {
  const statuses = EVENT_STATUSES.map((one): Choice => [one, say(`editor.status.${one}`)])
  const attendances = ATTENDANCES.map((one): Choice => [one, say(`editor.attendance.${one}`)])
  return html`<fieldset class="panel"><legend>${say('editor.state')}</legend>
${select({ ...options('event_status'), choices: statuses, hint: say('editor.event-status.hint') })}
${select({ ...options('attendance'), choices: attendances })}
<details class="more"${values.virtual_url !== '' && html` open`}><summary>${say('editor.online')}</summary>
${field(options('virtual_url'))}
</details>
</fieldset>`
}

function publicationPanel(call: OwnCall, { id, status }: EditorState, { options, box }: Controls): Html {
  const { say } = call
  const canPublish = mayPublish(actorOf(call.me))
  const choices: readonly Choice[] = [
    ['public', say('editor.visibility.public')],
    ['private', say('editor.visibility.private')],
  ]
  return html`<fieldset class="panel"><legend>${say('editor.publication')}</legend>
${canPublish && select({ ...options('visibility'), choices })}
${canPublish && status !== 'publish' && field({ ...options('date'), hint: say('editor.date.hint'), autocomplete: 'off', maxLength: 100 })}
<details class="more"><summary>${say('editor.lists-and-password')}</summary>
${box('hide_from_listings')}
${box('featured')}
${box('sticky')}
${field({ ...options('event_password'), hint: say('editor.password.hint'), autocomplete: 'off', maxLength: 255 })}
${id !== undefined && box('no_password')}
</details>
</fieldset>`
}
