import type { DeskForm } from '../shell/desk.call.ts'
import { fieldOf, namesOfFields } from './editor.fields.ts'
import type { EditorState, EditorValues } from './editor.model.ts'

// Two people have changed one event. What both have made of it is compared field by field, with what it was before.

/** Whose version of a field is taken. */
export type Side = 'mine' | 'theirs'

/** A field that is not the same in both versions, with those that only make sense together with it. */
export interface Difference {
  /** The field that gives the choice its name. */
  readonly name: string
  /** The fields that differ. */
  readonly fields: readonly string[]
  readonly isMine: boolean
  readonly isTheirs: boolean
  /** What is taken if nobody chooses; undefined if both have changed it. */
  readonly usual: Side | undefined
}

/** Returns what differs between two versions. The earlier values are those with which mine was begun. */
export function differencesOf(mine: EditorState, theirs: EditorState): readonly Difference[] {
  const names = namesOfFields(theirs.versions.map(({ language }) => language))
  // The description of one picture is chosen alone.
  const isOtherPicture = mine.values.image !== theirs.values.image
  const groupOf = (name: string) => {
    const group = fieldOf(name)?.group
    return group === 'image' && !isOtherPicture ? name : (group ?? name)
  }
  const grouped = [...Map.groupBy(names, groupOf)].map(([group, all]) => {
    const name = all.find((one) => one === group) ?? all[0] ?? group
    return { name, all }
  })
  const of = (values: EditorValues, name: string) => values[name] ?? ''
  return grouped.flatMap(({ name, all }) => {
    const fields = all.filter((one) => of(mine.values, one) !== of(theirs.values, one))
    if (fields.length === 0) return []
    const isChanged = (values: EditorValues) => all.some((one) => of(values, one) !== of(mine.was, one))
    const [isMine, isTheirs] = [isChanged(mine.values), isChanged(theirs.values)]
    const usual = isMine && isTheirs ? undefined : isMine ? 'mine' : 'theirs'
    return [{ name, fields, isMine, isTheirs, usual } as const]
  })
}

/** Returns the name of the choice of a difference in the form. */
export function choiceName({ name }: Difference): string {
  return `pick.${name}`
}

/** Returns whose version a form takes; undefined if it does not say. */
export function chosenIn(form: DeskForm, difference: Difference): Side | undefined {
  const chosen = form.get(choiceName(difference))
  return chosen === 'mine' || chosen === 'theirs' ? chosen : difference.usual
}

/** Returns their state with the fields that are taken from mine, ready to be saved over theirs. */
export function mergedState(theirs: EditorState, mine: EditorState, form: DeskForm): EditorState {
  const taken = differencesOf(mine, theirs)
    .filter((one) => chosenIn(form, one) !== 'theirs')
    .flatMap(({ fields }) => fields.map((name) => [name, mine.values[name] ?? ''] as const))
  const values = { ...theirs.values, ...Object.fromEntries(taken) }
  const image = values.image === theirs.values.image ? theirs.image : undefined
  return { ...theirs, values, image }
}

/** Whether the event has been saved since the form was made. */
export function isOlder(form: DeskForm, { versions }: EditorState): boolean {
  return versions.some(({ language, id, version }) => id !== undefined && form.get(`version.${language}`) !== version)
}

/** Whether somebody has written a language that did not exist when the form was made, so that it has no version of it. */
export function isWithoutLanguage(form: DeskForm, { versions }: EditorState): boolean {
  return versions.some(({ language, id }) => id !== undefined && form.get(`version.${language}`) === '')
}

/** Whether everything that was typed is saved: a request whose answer was lost is not in conflict with itself. */
export function isSaved(mine: EditorState, theirs: EditorState): boolean {
  return !differencesOf(mine, theirs).some(({ isMine }) => isMine)
}

/** Returns a text in three parts. The middle one is what differs from another text, by whole words. */
export function changedPart(text: string, other: string): readonly [before: string, changed: string, after: string] {
  const [words, others] = [text.split(/(?<=\s)/), other.split(/(?<=\s)/)]
  const most = Math.min(words.length, others.length)
  let start = 0
  while (start < most && words[start] === others[start]) start += 1
  let end = 0
  while (end < most - start && words.at(-1 - end) === others.at(-1 - end)) end += 1
  const stop = words.length - end
  return [words.slice(0, start).join(''), words.slice(start, stop).join(''), words.slice(stop).join('')]
}
