import { html } from '../../publish/pages/html.ts'
import type { DeskForm, DeskPage, OwnCall } from '../shell/desk.call.ts'
import { changedRecurrence, type Saved, type SaveOptions, saveEvent } from './editor.save.ts'
import type { EditorState } from './editor.state.ts'
import type { SaveScope } from './series.counts.ts'
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
  return scopePage(call, {
    ...{ title: say('series.ask.save'), text: say('series.ask.text', { text: state.series?.text ?? '' }), form },
    path: `/admin/events/${state.id}/`,
    trials: saves.map(trialOf),
    // The picture is uploaded already.
    fields: { image: state.values.image ?? '', to: form.get('to') },
    submit: say('editor.save'),
    back: html`<button name="to" value="back" class="quiet" formnovalidate>${say('editor.preview.back')}</button>`,
  })
}

function trialOf({ scope, saved }: { readonly scope: SaveScope; readonly saved: Saved }): ScopeTrial {
  if (saved.kind === 'saved') return { scope, counts: saved.dates }
  if (saved.kind === 'in-use') return { scope, inUse: saved.ids }
  const [refusal] = saved.kind === 'refused' ? Object.values(saved.faults) : []
  return { scope, refusal: refusal ?? '' }
}
