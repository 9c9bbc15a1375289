import { languageParameterNames } from '../../access/http/addresses.ts'
import type { DeskForm, OwnCall } from '../shell/desk.call.ts'
import type { Faults } from '../shell/fields.ts'
import { type EventJson, listOf, nameOf } from './event.json.ts'

/** The fields of the editor, in their order. Each has a text as its value. */
export const editorFields = [
  ...['title', 'description', 'start_day', 'start_time', 'end_day', 'end_time', 'all_day', 'timezone'],
  ...['venue', 'organizer', 'cost', 'categories', 'tags'],
] as const
export type EditorValues = Readonly<Record<string, string>>

/** What the editor shows, and what it compares with when it is saved. */
export interface EditorState {
  /** The event that is changed; undefined for a new one. */
  readonly id: number | undefined
  readonly status: string
  readonly language: string
  /** The event that a new one translates. */
  readonly translates: number | undefined
  readonly version: string
  readonly values: EditorValues
  /** The values when the form was made. */
  readonly was: EditorValues
  readonly versions: readonly { readonly language: string; readonly id: number }[]
  readonly url: string | undefined
  readonly author: string
}

/** The texts of an event, as they were written. */
interface SourceJson {
  readonly id: number
  readonly status: string
  readonly language: string
  readonly title: string
  readonly description: string
  readonly cost: readonly string[]
  readonly translations: EditorState['versions']
}

/** Reads an event for the editor; undefined if the user may not change it or it is in the trash. */
export async function readEditorState(call: OwnCall, id: number): Promise<EditorState | undefined> {
  const source = await call.api.service<SourceJson>({ path: `/events/${id}/source` })
  const shown = await call.api.events<EventJson>({ path: `/events/${id}`, query: { context: 'edit' } })
  if (source.status !== 200 || shown.status !== 200) return undefined
  const { title, description, cost, status, language, translations } = source.body
  const event = shown.body
  const names = (linked: Parameters<typeof listOf>[0]) => listOf(linked).map(nameOf).join(' + ')
  const values: EditorValues = {
    // Titles are stored as HTML. An ampersand that begins no entity is shown as it was typed.
    ...{
      title: title.replace(/&amp;(?!#?\w+;)/g, '&'),
      description: description.replaceAll('\r\n', '\n'),
      cost: cost.join(' – '),
    },
    ...{ start_day: event.start_date.slice(0, 10), start_time: event.start_date.slice(11, 16) },
    ...{ end_day: event.end_date.slice(0, 10), end_time: event.end_date.slice(11, 16) },
    ...{ all_day: event.all_day ? '1' : '', timezone: event.timezone },
    ...{ venue: names(event.venue), organizer: names(event.organizer) },
    categories: inOrder(event.categories.map((term) => String(term.id))),
    tags: event.tags.map(nameOf).join(', '),
  }
  return {
    ...{ id, status, language, translates: undefined, version: source.version ?? '', values, was: values },
    ...{ versions: translations, url: status === 'publish' ? event.url : undefined, author: event.author },
  }
}

function inOrder(ids: readonly string[]): string {
  return ids.toSorted((one, other) => Number(one) - Number(other)).join(',')
}

/** Returns the values of a submitted form. */
export function valuesIn(form: DeskForm, prefix = ''): EditorValues {
  return Object.fromEntries(
    editorFields.map((name) => {
      if (name === 'categories' && prefix === '')
        return [name, inOrder(form.all('categories').filter((id) => /^\d{1,15}$/.test(id)))]
      const value = form.get(`${prefix}${name}`)
      return [name, name === 'description' ? value : value.trim()]
    }),
  )
}

/** Returns the faults that the desk finds itself. A translation has no times of its own. */
export function faultsIn({ say }: OwnCall, { values, translates }: EditorState): Faults {
  const { title, start_day: startDay, start_time: startTime, end_time: endTime, all_day: allDay } = values
  const required = say('fault.required')
  const [start, end] = [startOf(values), endOf(values)]
  return {
    ...(title ? {} : { title: required }),
    ...(translates === undefined && !startDay ? { start_day: required } : {}),
    ...(translates === undefined && !allDay && !startTime ? { start_time: required } : {}),
    ...(translates === undefined && !allDay && !endTime ? { end_time: required } : {}),
    ...(translates === undefined && startDay && end < start ? { end_day: say('editor.order') } : {}),
  }
}

const startOf = ({ start_day: day = '', start_time: time, all_day: allDay }: EditorValues) =>
  `${day} ${allDay || !time ? '00:00' : time}:00`
/** An event without a last day ends on its first. */
const endOf = ({ start_day: first = '', end_day: last, end_time: time, all_day: allDay }: EditorValues) =>
  `${last || first} ${allDay || !time ? '23:59' : time}:00`

/** The parameters of the interface that hold several fields, or have another name than the field. */
const fieldOfParameter: Readonly<Record<string, string>> = { start_date: 'start_day', end_date: 'end_day' }

/** Returns the faults that the interface finds, by the fields of the editor. */
export function faultsByField(faults: Faults, message: string): Faults {
  const named = Object.entries(faults).map(([name, text]) => [fieldOfParameter[name] ?? name, text] as const)
  return named.length > 0 ? Object.fromEntries(named) : { form: message }
}

/** Returns the parameters that save what was changed. Fields that nobody changed are not sent. */
export async function parametersOf(call: OwnCall, state: EditorState): Promise<Readonly<Record<string, unknown>>> {
  const { values, was, id, translates } = state
  const isNew = id === undefined
  const isChanged = (...names: readonly string[]) => names.some((name) => values[name] !== was[name])
  const isSent = (name: string) => (isNew ? values[name] !== '' : isChanged(name))
  const texts = ['title', 'description'].filter(isSent).map((name) => [name, values[name]] as const)
  if (translates !== undefined) {
    return { ...Object.fromEntries(texts), [languageParameterNames(call.config).translationOf]: translates }
  }
  const hasTimes = isNew || isChanged('start_day', 'start_time', 'end_day', 'end_time', 'all_day', 'timezone')
  return {
    ...Object.fromEntries(texts),
    ...(hasTimes
      ? {
          start_date: startOf(values),
          end_date: endOf(values),
          all_day: values.all_day === '1',
          timezone: values.timezone,
        }
      : {}),
    ...(isSent('cost') ? { cost: values.cost } : {}),
    ...(isSent('venue') ? { venue: await linkOf(call, 'venue', values.venue ?? '') } : {}),
    ...(isSent('organizer') ? { organizer: await linkOf(call, 'organizer', values.organizer ?? '') } : {}),
    ...(isSent('categories') ? { categories: (values.categories ?? '').split(',').filter(Boolean).map(Number) } : {}),
    ...(isSent('tags') ? { tags: tagsIn(values.tags ?? '') } : {}),
  }
}

function tagsIn(text: string): readonly string[] {
  return text.split(',').flatMap((tag) => (tag.trim() === '' ? [] : [tag.trim()]))
}

/** Returns the venue or organizer with this name: one that exists, or a new one. */
async function linkOf({ api }: OwnCall, kind: 'venue' | 'organizer', name: string): Promise<unknown> {
  if (name === '') return []
  const query = { search: name, per_page: 100 }
  const { status, body } = await api.events<Readonly<Record<string, readonly { readonly id: number }[]>>>({
    ...{ path: `/${kind}s`, query },
  })
  const found = status === 200 ? (body[`${kind}s`] ?? []) : []
  const same = found.find((one) => nameOf(one).toLowerCase() === name.toLowerCase())
  return same ? { id: same.id } : { [kind]: name }
}
