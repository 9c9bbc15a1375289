import { randomUUID } from 'node:crypto'
import type { DeskKey } from '../../base/languages/catalogue.ts'
import { type Html, html, raw } from '../../base/text/html.ts'
import type { EventHistory, Media } from '../api/answers.ts'
import { type DeskPage, linkTo, type OwnCall } from '../shell/desk.call.ts'
import { csrfField, type Faults, faultSummary, hidden, notice } from '../shell/fields.ts'
import { thumbnailOf } from '../shell/picture.json.ts'
import type { Names } from './desk.field.ts'
import { changedPart, choiceName, type Difference, differencesOf, type Side } from './editor.conflict.ts'
import { fieldOf, labelOf, namesOfFields } from './editor.fields.ts'
import type { EditorState, EditorValues } from './editor.model.ts'
import { readChoices } from './table.choices.ts'

/** The button that saves the chosen versions, and the one that opens the editor with them. */
export const toMerge = 'merge'
export const toEditMerged = 'merge-edit'

interface Shown {
  /** The button that was pressed in the editor. */
  readonly asked: string
  /** What was chosen before, if the form is shown again. */
  readonly chosen?: (difference: Difference) => Side | undefined
  readonly isIncomplete?: boolean
  readonly text?: string
}

/** Returns the page on which an editor chooses, field by field, between what two people have made of an event. */
export async function conflictPage(
  call: OwnCall,
  { mine, theirs }: Both,
  { asked, chosen = ({ usual }) => usual, isIncomplete = false, text }: Shown,
): Promise<DeskPage> {
  const { say } = call
  const title = say('editor.conflict')
  const path = `/admin/events/${theirs.id}/`
  const differences = differencesOf(mine, theirs)
  const open = isIncomplete ? differences.filter((one) => chosen(one) === undefined) : []
  const faults: Faults = Object.fromEntries(open.map((one) => [choiceName(one), say('conflict.choose')]))
  const labels = Object.fromEntries(differences.map((one) => [choiceName(one), groupLabel(call, one)]))
  const [names, name] = await Promise.all([
    readNames(call, [mine.values, mine.was, theirs.values]),
    savedBy(call, { mine, theirs }),
  ])
  const values = { mine: mine.values, theirs: theirs.values, was: mine.was }
  return {
    ...{ kind: 'page', title, section: 'events', address: path, status: isIncomplete ? 422 : 409 },
    main: html`<h1>${title}</h1>
${text && notice(text)}
${faultSummary(call, faults, labels)}
<p>${say(differences.length === 0 ? 'conflict.same' : 'conflict.text')}</p>
<form method="post" action="${linkTo(call, path)}" class="conflict">
${csrfField(call)}${hidden('key', randomUUID())}${hidden('asked', asked)}
${theirs.versions.map(({ language, version }) => hidden(`version.${language}`, version))}
${theirs.versions.map(({ language, id }) => hidden(`id.${language}`, String(id ?? '')))}
${namesOfFields(theirs.versions.map(({ language }) => language)).map((name) => carried(mine, name))}
${differences.map((one) => differenceField(call, one, { values, names, name, chosen: chosen(one), fault: faults[choiceName(one)] }))}
<div class="buttons"><button name="to" value="${toMerge}">${say('conflict.save')}</button>
<button name="to" value="${toEditMerged}" class="quiet" formnovalidate>${say('conflict.edit')}</button>
<a class="button quiet" href="${linkTo(call, path)}">${say('conflict.discard')}</a></div>
</form>`,
  }
}

/** Two versions of an event: what a person has typed, and what is saved. */
export interface Both {
  readonly mine: EditorState
  readonly theirs: EditorState
}

/** Returns the name of the person who has saved the event since the form was made. */
export async function savedBy({ api, say }: OwnCall, { mine, theirs }: Both): Promise<string> {
  const known = new Map(mine.versions.map(({ id, version }) => [id, version]))
  const changed = theirs.versions.find(({ id, version }) => id !== undefined && known.get(id) !== version)
  const path = `/events/${changed?.id ?? theirs.id}/history`
  const { status, body } = await api.service<EventHistory>({ path, query: { per_page: 1 } })
  return (status === 200 && body.entries[0]?.by) || say('conflict.someone')
}

/** Returns who else has the event open, in words; '' if nobody has. An event in all its languages is one. */
export async function othersText(call: OwnCall, { versions, lost }: EditorState): Promise<string> {
  const ids = versions.flatMap(({ id }) => id ?? [])
  if (ids.length === 0 || lost) return ''
  const names = await call.noteOpened(Math.min(...ids), call.me.user)
  return names.length === 0 ? '' : call.say('editor.open', { count: names.length, names: names.join(', ') })
}

/** What was typed, and what it was typed over, travel with the form, so that nothing is lost. */
function carried({ values, was }: EditorState, name: string): Html {
  const value = values[name] ?? ''
  const own = name === 'categories' ? value.split(',').filter(Boolean) : [value]
  return html`${own.map((one) => hidden(name, one))}${hidden(`was.${name}`, was[name] ?? '')}`
}

const groupLabels: Readonly<Record<string, DeskKey>> = { start: 'editor.when', image: 'editor.image' }

export function groupLabel(call: OwnCall, { name, fields }: Difference): string {
  const group = groupLabels[name]
  return fields.length > 1 && group ? call.say(group) : labelOf(call, fields.length > 1 ? name : (fields[0] ?? name))
}

interface Choosing {
  readonly values: Readonly<Record<Side | 'was', EditorValues>>
  readonly names: ShownNames
  /** Who has saved their version. */
  readonly name: string
  readonly chosen: Side | undefined
  readonly fault: string | undefined
}

function differenceField(call: OwnCall, one: Difference, { values, names, name: by, chosen, fault }: Choosing): Html {
  const { say } = call
  const name = choiceName(one)
  const hint = one.usual === undefined ? 'conflict.both' : one.isMine ? 'conflict.mine-only' : 'conflict.theirs-only'
  const language = /^[a-z]+\.(.+)$/.exec(one.name)?.[1]
  const shown = (side: Side | 'was') =>
    html`<div class="value" id="v-${name}-${side}" dir="auto"${language && html` lang="${language}"`}>${one.fields.map((field) => shownValue(call, field, { values, names, side, isAlone: one.fields.length === 1 }))}</div>`
  const option = (side: Side, isFirst: boolean) =>
    html`<div class="side"><label class="check"><input type="radio"${isFirst && html` id="f-${name}"`} name="${name}" value="${side}" required${chosen === side && raw(' checked')} aria-describedby="v-${name}-${side}"> <span>${say(`conflict.${side}`, { name: by })}</span></label>
${shown(side)}</div>`
  return html`<fieldset class="panel"${fault && html` aria-describedby="x-${name}"`}><legend>${groupLabel(call, one)}</legend>
<p class="hint">${say(hint)}</p>
${fault && html`<p class="fault" id="x-${name}">${fault}</p>`}
<div class="sides">
${option('mine', true)}
${option('theirs', false)}
<div class="side"><p class="before">${say('conflict.was')}</p>${shown('was')}</div>
</div>
</fieldset>`
}

interface ShownField extends Pick<Choosing, 'values' | 'names'> {
  readonly side: Side | 'was'
  readonly isAlone: boolean
}

function shownValue(call: OwnCall, field: string, { values, names, side, isAlone }: ShownField): Html {
  const { say } = call
  const value = values[side][field] ?? ''
  const label = !isAlone && html`<span class="hint">${say('conflict.label', { label: labelOf(call, field) })}</span> `
  const picture = field === 'image' ? names.pictures.get(value) : undefined
  if (picture) return html`<p>${label}<img class="thumbnail" src="${picture}" alt="" width="144" height="144"></p>`
  const shown = (own: string) => fieldOf(field)?.shown(own, { call, names }) ?? own
  const text = shown(value)
  const before = shown(values.was[field] ?? '')
  const [start, changed, end] = side === 'was' ? [text, '', ''] : changedPart(text, before)
  return html`<p>${label}${start}${changed !== '' && html`<mark>${changed}</mark>`}${end}</p>`
}

/** What the numbers in the fields mean: the names of categories, and the addresses of pictures. */
interface ShownNames extends Names {
  readonly pictures: ReadonlyMap<string, string>
}

async function readNames(call: OwnCall, all: readonly EditorValues[]): Promise<ShownNames> {
  const distinct = (name: string) => [...new Set(all.map((values) => values[name] ?? ''))]
  const ids = distinct('image').length > 1 ? distinct('image').filter(Boolean) : []
  const [choices, ...pictures] = await Promise.all([
    distinct('categories').length > 1 ? readChoices(call) : undefined,
    ...ids.map((id) => call.api.service<Media>({ path: `/media/${id}` })),
  ])
  const addresses = pictures.flatMap((answer, place) =>
    answer.status === 200 ? [[ids[place] ?? '', thumbnailOf(answer.body)] as const] : [],
  )
  return {
    terms: new Map(choices?.categories),
    pictures: new Map(addresses),
  }
}
