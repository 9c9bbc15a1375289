import { randomUUID } from 'node:crypto'
import { mayCreate } from '../../access/auth/policy.ts'
import { type Html, html } from '../../base/text/html.ts'
import {
  type DeskAnswer,
  type DeskForm,
  type DeskPage,
  type DeskRoutes,
  linkTo,
  type OwnCall,
} from '../shell/desk.call.ts'
import { csrfField, type Faults, formPage, hidden } from '../shell/fields.ts'
import { inLanguage } from './desk.field.ts'
import { labelOf } from './editor.fields.ts'
import type { EditorState } from './editor.model.ts'
import { controlsOf } from './editor.panels.ts'
import { readState } from './editor.state.ts'
import { typedState } from './editor.values.ts'
import { titleOf } from './event.json.ts'
import { tableAt } from './table.place.ts'

/** A page with a few fields of the editor. What it does not have stays as it is. */
export interface ShortForm {
  readonly name: 'quick' | 'copy'
  /** The fields of the editor that it has. */
  readonly fields: readonly string[]
  /** Returns what the form shows of an event. */
  readonly begin: (call: OwnCall, state: EditorState) => EditorState
  readonly first?: (call: OwnCall) => Html
  /** What follows the fields. */
  readonly last: (call: OwnCall, state: EditorState, form: DeskForm | undefined) => Html
  /** Saves what was typed. Returns what was refused; undefined if somebody else has saved the event since. */
  readonly save: (
    call: OwnCall,
    state: EditorState,
    form: DeskForm,
  ) => Promise<DeskAnswer | { readonly faults: Faults } | undefined>
}

interface Shown {
  readonly state: EditorState
  /** The form that is shown again. */
  readonly form?: DeskForm
  readonly back?: string
  readonly faults?: Faults
  readonly text?: string
  readonly status?: number
}

/** Returns the title of an event in its first language. */
export function shownTitle(call: OwnCall, { values, versions }: EditorState): string {
  return titleOf(call, { title: values[inLanguage('title', versions[0]?.language ?? '')] ?? '' })
}

const gone: DeskAnswer = { kind: 'see', path: '/admin/events/' }

export function shortRoutes(short: ShortForm): DeskRoutes {
  const { name, fields, begin } = short
  const find = async (call: OwnCall, id?: string) => {
    const found = await readState(call, Number(id))
    return found && begin(call, found)
  }
  const typedOver = (call: OwnCall, state: EditorState, form: DeskForm) =>
    typedState(call, state, { form, names: fields })
  return {
    [`/admin/events/{id}/${name}/`]: {
      mayUse: mayCreate,
      show: async (call, id) => {
        const state = await find(call, id)
        return state ? shortPage(call, short, { state }) : gone
      },
      again: async (call, { form, notice: text }, id) => {
        const state = await find(call, id)
        return state ? shortPage(call, short, { state: typedOver(call, state, form), form, text }) : gone
      },
      submit: async (call, form, id) => {
        const state = await find(call, id)
        if (!state) return gone
        const typed = typedOver(call, state, form)
        const saved = await short.save(call, typed, form)
        if (saved && 'kind' in saved) return saved
        if (saved) return shortPage(call, short, { state: typed, form, faults: saved.faults })
        const now = (await find(call, id)) ?? state
        return shortPage(call, short, {
          state: now,
          back: form.get('back'),
          text: call.say('quick.meanwhile'),
          status: 409,
        })
      },
    },
  }
}

async function shortPage(
  call: OwnCall,
  { name, fields, first, last }: ShortForm,
  { state, form, back = form?.get('back') ?? call.query.get('back') ?? '', faults = {}, text, status }: Shown,
): Promise<DeskPage> {
  const { say } = call
  const { id, was, versions } = state
  const labels = {
    ...Object.fromEntries(fields.map((one) => [one, labelOf(call, one)])),
    status: say('events.column.status'),
  }
  return formPage(
    call,
    {
      title: say(`${name}.title`, { title: shownTitle(call, state) }),
      section: 'events',
      text,
      faults,
      labels,
      scripts: ['editor'],
      status,
      isNarrow: false,
    },
    html`<form method="post" class="panel short" action="${linkTo(call, `/admin/events/${id}/${name}/`)}" novalidate>
${csrfField(call)}${hidden('back', back)}${hidden('key', form?.get('key') || randomUUID())}
${versions.map(({ language, version }) => hidden(`version.${language}`, version))}${fields.map((one) => hidden(`was.${one}`, was[one] ?? ''))}
${first?.(call)}
${await controlsOf({ call, state, messages: { faults } }, fields)}
${last(call, state, form)}
<a class="button quiet" href="${linkTo(call, tableAt(back))}">${say('many.back')}</a></div></form>`,
  )
}
