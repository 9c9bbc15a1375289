import { mayCreate } from '../../access/auth/policy.ts'
import { keyFor } from '../api/batch.ts'
import {
  type DeskAnswer,
  type DeskForm,
  type DeskRoutes,
  linkTo,
  type OwnCall,
  type TypedAgain,
} from '../shell/desk.call.ts'
import type { Faults } from '../shell/fields.ts'
import { gonePage } from '../shell/fields.ts'
import { tellAt } from '../shell/told.ts'
import { sentIn } from './desk.field.ts'
import { emptyTitles, isSaveButton, type SaveButtonName, saveButtons } from './editor.buttons.ts'
import { checksOf, checksTitle, echoOf } from './editor.checks.ts'
import {
  type Both,
  conflictPage,
  groupLabel,
  othersText,
  savedBy,
  toEditMerged,
  toMerge,
} from './editor.conflict.page.ts'
import {
  chosenIn,
  type Difference,
  differencesOf,
  isOlder,
  isSaved,
  isWithoutLanguage,
  mergedState,
} from './editor.conflict.ts'
import { autosaves, editorPage, titleAmong } from './editor.form.ts'
import { withRestored } from './editor.history.ts'
import { checkLinks } from './editor.links.ts'
import {
  asDraft,
  askedIn,
  asLost,
  asNewState,
  lostState,
  restoreLost,
  toNew,
  toRestored,
  withoutLeft,
} from './editor.lost.ts'
import type { EditorState } from './editor.model.ts'
import { libraryFor, saveAlternatives, toLibrary, withPicture } from './editor.picture.ts'
import { saveEvent } from './editor.save.ts'
import { askForScope, asksForScope } from './editor.scope.ts'
import { newState, readState } from './editor.state.ts'
import { faultsIn, typedState, withCopiedTexts } from './editor.values.ts'
import { titleOf } from './event.json.ts'
import { repeatDatesOf } from './repeat.dates.ts'
import { recurrenceIn } from './repeat.rule.ts'
import { type DateCounts, scopeIn, withCounts } from './series.counts.ts'
import { type OwnField, ownPlaces } from './series.own.ts'

const idPattern = /^\d{1,15}$/

const stateOf = async (call: OwnCall, id: string | undefined) =>
  id === undefined ? newState(call) : readState(call, Number(id))

async function show(call: OwnCall, id?: string): Promise<DeskAnswer> {
  const state = await stateOf(call, id)
  if (!state) return gonePage(call, 'editor.gone')
  const entry = call.query.get('restore') ?? ''
  const restored =
    idPattern.test(entry) && id !== undefined ? await withRestored(call, state, Number(entry)) : undefined
  return restored
    ? editorPage(call, restored, { isOpened: true, notice: call.say('editor.history.restored') })
    : editorPage(call, state, { isOpened: true })
}

async function again(call: OwnCall, { form, notice }: TypedAgain, id?: string): Promise<DeskAnswer> {
  // The session is another one than that of the page. The script continues with the token of this one.
  if (acts[form.get('to')]?.isOfScript) return { kind: 'data', status: 403, json: { csrf: call.me.csrf_token } }
  const state = (await stateOf(call, id)) ?? (await lostState(call, form, id ?? ''))
  const typed = typedState(call, state, { form })
  return [toMerge, toEditMerged].includes(form.get('to')) && !state.lost
    ? conflictPage(call, { mine: typed, theirs: state }, { asked: form.get('asked'), text: notice })
    : editorPage(call, typed, { notice })
}

/** A form that was sent for an event. */
interface Sent {
  readonly form: DeskForm
  readonly id: string | undefined
  /** The event as it is now. */
  readonly found: EditorState
  /** The event with what was typed, and with its picture. */
  readonly state: EditorState
  /** Why its picture was refused. */
  readonly refused: Faults
  /** What the button names besides itself. */
  readonly words: readonly string[]
}

interface Act {
  readonly run: (call: OwnCall, sent: Sent) => Promise<DeskAnswer> | DeskAnswer
  /** Whether the script asks for it. It is answered with data, and uploads nothing. */
  readonly isOfScript?: boolean
  /** Whether it is done for an event that went away, too. */
  readonly isForLost?: boolean
}

const store: Act = {
  run: (call, { form, found, state, refused }) => {
    // Faults in a language of somebody else are not those of this form.
    const isWithout = isWithoutLanguage(form, found)
    const faults = { ...refused, ...(isWithout ? {} : faultsIn(call, state, form.get('to'))) }
    if (Object.keys(faults).length > 0) return editorPage(call, state, { faults })
    const isUnasked = form.get('to') === 'publish' && sentIn(form, 'asked_once') === ''
    if (isUnasked && !isWithout && emptyTitles(state).length > 0) return editorPage(call, state, { isAsked: true })
    return isWithout ? saveBoth(call, { mine: state, theirs: found }, { form }) : finish(call, state, { form })
  },
}

const mergeThem: Act = { run: (call, { found, form }) => merge(call, found, form) }

/** What each button of the editor does. Those that save are in `saveButtons`. */
const acts: Readonly<Record<string, Act>> = {
  checks: { run: (call, { state, form }) => checks(call, state, form.get('links') === '1'), isOfScript: true },
  others: {
    run: async (call, { found }) => ({ kind: 'data', status: 200, json: { others: await othersText(call, found) } }),
    ...{ isOfScript: true, isForLost: true },
  },
  'live-dates': { run: (call, { state }) => liveDates(call, state), isOfScript: true },
  autosave: { run: autosave, isOfScript: true, isForLost: true },
  copy: {
    run: (call, { state, words: [language = ''] }) =>
      editorPage(call, withCopiedTexts(state, language), { notice: call.say('editor.copied') }),
    isForLost: true,
  },
  [toLibrary]: {
    run: async (call, { state, form }) => editorPage(call, state, { library: await libraryFor(call, form) }),
    isForLost: true,
  },
  links: {
    run: async (call, { state, refused }) =>
      editorPage(call, state, { faults: refused, ...(await checkLinks(call, state)) }),
    isForLost: true,
  },
  back: { run: (call, { state }) => editorPage(call, state), isForLost: true },
  follow: { run: (call, { state, words: [of, field = ''] }) => followAgain(call, state, { id: Number(of), field }) },
  dates: { run: (call, { state }) => showDates(call, state, faultsIn(call, state)) },
  [toMerge]: mergeThem,
  [toEditMerged]: mergeThem,
  [toNew]: {
    run: (call, sent) => (sent.found.lost ? saveAsNew(call, sent) : store.run(call, sent)),
    isForLost: true,
  },
  [toRestored]: {
    run: (call, sent) => (sent.id === undefined ? store.run(call, sent) : saveRestored(call, sent)),
    isForLost: true,
  },
}

async function save(call: OwnCall, form: DeskForm, id?: string): Promise<DeskAnswer> {
  const found = (await stateOf(call, id)) ?? (await lostState(call, form, id ?? ''))
  const [name = '', ...words] = form.get('to').split('.')
  const { run, isOfScript = false, isForLost = false } = Object.hasOwn(acts, name) ? (acts[name] ?? store) : store
  const typed = typedState(call, found, { form })
  const { state, faults: refused } = isOfScript ? { state: typed, faults: {} } : await withPicture(call, typed, form)
  // Nobody looks up others for an event that he may not change.
  if (found.lost && !isForLost)
    return isOfScript ? { kind: 'data', status: 404, json: {} } : editorPage(call, state, { faults: refused })
  return run(call, { form, id, found, state, refused, words })
}

interface Saving {
  readonly form: DeskForm
  /** Whether both were saved together before, and somebody has saved again since. */
  readonly isAgain?: boolean
}

/** Reads what another person has made of the event meanwhile, and saves both if that is possible. */
async function conflictWith(call: OwnCall, mine: EditorState, sent: Saving): Promise<DeskAnswer> {
  const theirs = mine.id === undefined ? undefined : await readState(call, mine.id)
  return theirs
    ? saveBoth(call, { mine, theirs }, sent)
    : editorPage(call, await asLost(call, mine, askedIn(sent.form)))
}

/** Saves what was typed over what is saved, if two people have changed different fields. Otherwise the user chooses. */
async function saveBoth(call: OwnCall, both: Both, { form, isAgain }: Saving): Promise<DeskAnswer> {
  const { mine, theirs } = both
  const differences = differencesOf(mine, theirs)
  if (isAgain || differences.some(({ usual }) => usual === undefined))
    return conflictPage(call, both, { asked: askedIn(form) })
  const fields = differences.flatMap((one) => (one.isMine ? [] : [groupLabel(call, one)])).join(', ')
  const name = await savedBy(call, both)
  const meanwhile = fields === '' ? '' : call.say('conflict.merged', { name, fields })
  const state = mergedState(theirs, mine, form)
  const faults = faultsIn(call, state, askedIn(form))
  return Object.keys(faults).length > 0
    ? editorPage(call, state, { faults, notice: meanwhile })
    : finish(call, state, { form, meanwhile })
}

/** Makes a new event of what was typed for one that went away. */
async function saveAsNew(call: OwnCall, { state: lost, form, refused }: Sent): Promise<DeskAnswer> {
  const state = asNewState(lost)
  const faults = { ...refused, ...faultsIn(call, state) }
  return Object.keys(faults).length > 0
    ? editorPage(call, state, { faults })
    : finish(call, state, { form: asDraft(form) })
}

/** Takes an event out of the trash, and saves what was typed meanwhile. */
async function saveRestored(call: OwnCall, { state: typed, form, refused }: Sent): Promise<DeskAnswer> {
  const { id = 0, lost, values, was } = typed
  const asked = askedIn(form)
  const faults = { ...refused, ...faultsIn(call, typed) }
  if (Object.keys(faults).length > 0 || lost?.isRestorable === false) return editorPage(call, typed, { faults })
  const refusal = lost && (await restoreLost(call, typed, form))
  const theirs = refusal === undefined ? await readState(call, id) : undefined
  if (!theirs) {
    const now = await asLost(call, typed, asked)
    return editorPage(call, now, refusal === undefined ? {} : { faults: refusal })
  }
  const mine = withoutLeft({ ...theirs, values, was }, lost)
  // Clicked twice: the first click has saved it.
  if (!lost && isSaved(mine, theirs)) return tellSaved(call, theirs, { id })
  // The trash alone has changed the versions. What else has changed since is shown.
  const isChanged = differencesOf(mine, theirs).some(({ isTheirs }) => isTheirs)
  return isChanged ? conflictPage(call, { mine, theirs }, { asked }) : finish(call, mine, { form })
}

/**
 * Saves a state without faults, and shows what was made of it.
 *
 * @param meanwhile Set if the state has what somebody else has saved meanwhile. The message says so.
 */
async function finish(
  call: OwnCall,
  state: EditorState,
  { form, meanwhile }: { readonly form: DeskForm; readonly meanwhile?: string },
): Promise<DeskAnswer> {
  const asked = form.get('asked') || form.get('to')
  const to = asked === 'preview' || !isSaveButton(asked) ? (state.id === undefined ? 'draft' : 'save') : asked
  const scope = scopeIn(form)
  const isAsked = asksForScope(state, { to, scope })
  const saved = isAsked
    ? await askForScope(call, state, { form, to })
    : await saveEvent(call, state, {
        ...{ to, key: meanwhile === undefined ? form.get('key') : keyFor(form.get('key'), state.versions), scope },
        ...{ drop: form.get('drop') === '1', past: form.get('past') === '1' },
      })
  if (saved.kind === 'page') return meanwhile ? { ...saved, told: { text: meanwhile } } : saved
  if (saved.kind === 'conflict') return conflictWith(call, state, { form, isAgain: meanwhile !== undefined })
  if (saved.kind === 'in-use') return askAgain(call, state, { form, to })
  if (saved.kind === 'refused') return editorPage(call, state, { faults: saved.faults })
  const alternatives = await saveAlternatives(call, state)
  const after = Object.keys(alternatives).length > 0 ? await readState(call, saved.id) : undefined
  if (after) return editorPage(call, after, { faults: alternatives })
  if (asked === 'preview') return { kind: 'see', path: `/admin/events/${saved.id}/preview/` }
  return tellSaved(call, state, { id: saved.id, done: saveButtons[to].done, dates: saved.dates, meanwhile })
}

interface SavedAs {
  readonly id: number | undefined
  readonly done?: (typeof saveButtons)[SaveButtonName]['done']
  readonly dates?: DateCounts | undefined
  /** What somebody else has saved meanwhile. */
  readonly meanwhile?: string | undefined
}

/** Leads to the editor of an event, where the message says what was done. */
function tellSaved(
  call: OwnCall,
  state: EditorState,
  { id, done = 'saved', dates, meanwhile = '' }: SavedAs,
): DeskAnswer {
  const title = titleOf(call, titleAmong(call, state, state.values) ?? { title: '' })
  const text = withCounts(call, call.say(`events.${done}`, { title }), dates)
  return tellAt(call, `/admin/events/${id}/`, { text: `${text} ${meanwhile}`.trim() })
}

/** Makes a date follow its series again in a field. What else was typed stays. */
async function followAgain(call: OwnCall, state: EditorState, own: OwnField): Promise<DeskAnswer> {
  const { status, message } = await call.api.service({
    ...{ method: 'POST', path: `/events/${own.id}/follow`, json: { fields: [own.field] } },
    headers: { 'if-match': '*' },
  })
  const after = state.id === undefined ? undefined : await readState(call, state.id)
  if (!after) return editorPage(call, await asLost(call, state, 'save'))
  const returned = new Set(status === 200 ? ownPlaces(state, own) : [])
  const typed = Object.entries(state.values).filter(([name, value]) => value !== state.was[name] && !returned.has(name))
  const values = { ...after.values, ...Object.fromEntries(typed) }
  return editorPage(
    call,
    { ...after, values },
    status === 200 ? { notice: call.say('series.followed') } : { faults: { form: message } },
  )
}

/** Asks again, because the series would lose dates that have something of their own. */
async function askAgain(
  call: OwnCall,
  state: EditorState,
  typed: { readonly form: DeskForm; readonly to: string },
): Promise<DeskAnswer> {
  const asked = await askForScope(call, state, typed)
  if (asked.kind === 'page') return { ...asked, status: 409 }
  return asked.kind === 'refused' ? editorPage(call, state, { faults: asked.faults }) : conflictWith(call, state, typed)
}

/** Shows the dates of what repeats, and saves nothing. */
async function showDates(call: OwnCall, state: EditorState, faults: Faults): Promise<DeskAnswer> {
  const own = Object.fromEntries(Object.entries(faults).filter(([name]) => /^(?:repeat|start$|end$)/.test(name)))
  return editorPage(call, state, { faults: own, dates: await repeatDatesOf(call, state, own) })
}

/** Tells the script of the editor the dates of what was typed. Saves nothing. */
async function liveDates(call: OwnCall, state: EditorState): Promise<DeskAnswer> {
  const dates = await repeatDatesOf(call, state, faultsIn(call, state))
  return { kind: 'data', status: 200, json: { dates: dates ?? null } }
}

/** Saves what was chosen between two versions of an event, or opens the editor with it. */
async function merge(call: OwnCall, theirs: EditorState, form: DeskForm): Promise<DeskAnswer> {
  const mine = typedState(call, theirs, { form })
  const both = { mine, theirs }
  const shown = { asked: form.get('asked'), chosen: (one: Difference) => chosenIn(form, one) }
  // Clicked twice: the first click has saved it.
  const isUnpublished = ['publish', 'pending'].includes(shown.asked) && theirs.status === 'draft'
  if (isOlder(form, theirs) && isSaved(mine, theirs) && !isUnpublished) {
    return tellSaved(call, theirs, { id: theirs.id })
  }
  if (isOlder(form, theirs)) return conflictPage(call, both, shown)
  const isIncomplete = differencesOf(mine, theirs).some((one) => chosenIn(form, one) === undefined)
  const isEdited = form.get('to') === toEditMerged
  if (isIncomplete && !isEdited) return conflictPage(call, both, { ...shown, isIncomplete })
  const state = mergedState(theirs, mine, form)
  const faults = isEdited ? {} : faultsIn(call, state)
  if (!isEdited && Object.keys(faults).length === 0) return finish(call, state, { form })
  const other = differencesOf(mine, theirs).filter(({ isMine, isTheirs }) => isMine && isTheirs)
  const saved = Object.fromEntries(other.flatMap(({ fields }) => fields).map((one) => [one, theirs.values[one] ?? '']))
  return editorPage(call, state, { faults, saved, ...(isEdited ? { notice: call.say('conflict.editing') } : {}) })
}

/** Tells the script of the editor what is worth a look in what was typed. Saves nothing. */
async function checks(call: OwnCall, state: EditorState, hasLinks: boolean): Promise<DeskAnswer> {
  const [typed, others, links] = await Promise.all([
    checksOf(call, state),
    othersText(call, state),
    hasLinks ? checkLinks(call, state) : undefined,
  ])
  const found = [...typed, ...(links?.checks ?? [])]
  const json = {
    ...{ title: checksTitle(call, found), checks: found, links: links?.notice },
    ...{ when: echoOf(call, state), faults: faultsIn(call, state), others },
  }
  return { kind: 'data', status: 200, json }
}

/** Saves a draft for the script of the editor. It never changes what visitors see. */
async function autosave(call: OwnCall, { form, found, state }: Sent): Promise<DeskAnswer> {
  const answer = (status: number, json: object): DeskAnswer => ({ kind: 'data', status, json })
  if (found.lost) return answer(409, { isGone: true })
  // A series would be made with its first letters. It waits for a button.
  if (!autosaves(state) || recurrenceIn(state.values) !== undefined) return answer(200, { isKept: true })
  const faults = faultsIn(call, state, state.id === undefined ? 'save' : 'draft')
  // What is half typed has not failed.
  if (Object.keys(faults).length > 0) return answer(200, { faults })
  const answerSaved = (after: EditorState) => {
    const was = Object.entries(after.was).map(([name, value]) => [`was.${name}`, value] as const)
    const versions = after.versions.map(({ language, version }) => [`version.${language}`, version] as const)
    const ids = after.versions.map(({ language, id }) => [`id.${language}`, String(id ?? '')] as const)
    const path = linkTo(call, `/admin/events/${after.id}/`)
    return answer(200, { path, csrf: call.me.csrf_token, fields: Object.fromEntries([...was, ...versions, ...ids]) })
  }
  if (isWithoutLanguage(form, found)) return isSaved(state, found) ? answerSaved(found) : answer(409, {})
  const saved = await saveEvent(call, state, {
    ...{ to: state.id === undefined ? 'draft' : 'save', key: form.get('key') },
  })
  if (saved.kind === 'conflict') return answer(409, {})
  if (saved.kind !== 'saved') return answer(200, saved.kind === 'refused' ? { faults: saved.faults } : {})
  const after = await readState(call, saved.id)
  return after ? answerSaved(after) : answer(409, {})
}

/** The pages that make and change an event. */
export const editorRoutes: DeskRoutes = {
  '/admin/events/new/': {
    mayUse: mayCreate,
    show: async (call) => {
      // All languages of an event are on one page.
      const of = call.query.get('of') ?? ''
      return idPattern.test(of) ? { kind: 'see', path: `/admin/events/${of}/` } : show(call)
    },
    again: (call, typed) => again(call, typed),
    submit: (call, form) => save(call, form),
  },
  '/admin/events/{id}/': { mayUse: mayCreate, show, again, submit: save },
}
