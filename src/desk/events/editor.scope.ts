import { html } from '../../base/text/html.ts'
import type { DeskForm, DeskPage, OwnCall } from '../shell/desk.call.ts'
import { formFields } from './editor.fields.ts'
import type { EditorState } from './editor.model.ts'
import { changedRecurrence, type Saved, type SaveOptions, saveEvent } from './editor.save.ts'
import type { DateCounts, SaveScope } from './series.counts.ts'
import { readDates } from './series.json.ts'
import { ownPlaces } from './series.own.ts'
import { type ScopeTrial, scopePage, scopesFor } from './series.scope.ts'

/** Whether the save of a date has to ask which dates it means. */
export function asksForScope(state: EditorState, { to, scope }: Pick<SaveOptions, 'to' | 'scope'>): boolean {
  if (state.series === undefined || scope !== undefined) return false
  const isWritten = Object.entries(state.values).some(([name, value]) => value !== state.was[name])
  return isWritten || (to !== 'save' && to !== state.status)
}

/**
 * Asks which dates of the series a save means. Each answer is tried first, without writing anything.
 *
 * @returns what the interface refuses if it refuses all answers alike.
 */
export async function askForScope(
  call: OwnCall,
  state: EditorState,
  { form, to }: { readonly form: DeskForm; readonly to: string },
): Promise<DeskPage | Saved> {
  const { say } = call
  const scopes = scopesFor({ isRule: changedRecurrence(state) !== undefined })
  const saves: { readonly scope: SaveScope; readonly saved: Saved }[] = []
  for (const scope of scopes) {
    saves.push({ scope, saved: await saveEvent(call, state, { to, key: '', scope, isDry: true }) })
  }
  const [first] = saves
  const isPossible = saves.some(({ saved }) => saved.kind === 'saved' || saved.kind === 'in-use')
  if (!isPossible && first) return first.saved
  const kept = await keptDates(call, state)
  const all = saves.find(({ scope }) => scope === 'all')?.saved
  return scopePage(call, {
    ...{ title: say('series.ask.save'), text: say('series.ask.text', { text: state.series?.text ?? '' }), form },
    path: `/admin/events/${state.id}/`,
    trials: saves.map((save) => ({ ...trialOf(save), kept: kept(save.scope) })),
    past: all && (await pastCounts(call, state, { all, to })),
    // The picture is uploaded already.
    fields: { image: state.values.image ?? '', to: form.get('to') },
    submit: say('editor.save'),
    back: html`<button name="to" value="back" class="quiet" formnovalidate>${say('editor.preview.back')}</button>`,
  })
}

/** Returns what changes with the dates that have begun; undefined if they change anyway, or never. */
async function pastCounts(
  call: OwnCall,
  state: EditorState,
  { all, to }: { readonly all: Saved; readonly to: string },
): Promise<DateCounts | undefined> {
  const { values, was } = state
  const isMeant = pastFields.some((name) => values[name] !== was[name])
  if (!isMeant || changedRecurrence(state) !== undefined || all.kind !== 'saved') return undefined
  const saved = await saveEvent(call, state, { to, key: '', scope: 'all', past: true, isDry: true })
  const isSame = saved.kind === 'saved' && JSON.stringify(saved.dates) === JSON.stringify(all.dates)
  return saved.kind === 'saved' && !isSame ? saved.dates : undefined
}

/** The fields in which dates that have begun stay as they are. */
const pastFields = formFields.flatMap(({ name, group }) => (group === 'times' || name === 'event_status' ? [name] : []))

/** A date that has a changed field of its own keeps it. Counts these dates among those that a scope means. */
async function keptDates(call: OwnCall, state: EditorState): Promise<(scope: SaveScope) => number> {
  const { series, values, was } = state
  if (!series) return () => 0
  const changed = new Set(Object.keys(values).filter((name) => values[name] !== was[name]))
  const { dates } = await readDates(call, series.id, { per_page: maxDates })
  const own = dates.filter(
    (date) =>
      !date.is_dropped &&
      date.status !== 'trash' &&
      date.recurrence_id !== series.recurrenceId &&
      date.own_fields.some((field) =>
        state.versions.some(({ id }) => isChanged(changed, ownPlaces(state, { id: id ?? 0, field }))),
      ),
  )
  return (scope) => {
    if (scope === 'this') return 0
    return own.filter((date) => scope === 'all' || date.recurrence_id > series.recurrenceId).length
  }
}

const maxDates = 500
const isChanged = (changed: ReadonlySet<string>, names: readonly string[]) => names.some((name) => changed.has(name))

function trialOf({ scope, saved }: { readonly scope: SaveScope; readonly saved: Saved }): ScopeTrial {
  if (saved.kind === 'saved') return { scope, counts: saved.dates }
  if (saved.kind === 'in-use') return { scope, inUse: saved.ids }
  const [refusal] = saved.kind === 'refused' ? Object.values(saved.faults) : []
  return { scope, refusal: refusal ?? '' }
}
