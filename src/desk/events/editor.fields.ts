import type { DeskKey } from '../../base/languages/catalogue.ts'
import type { OwnCall } from '../shell/desk.call.ts'
import { type DeskField, inLanguage } from './desk.field.ts'
import { deskFields } from './desk.fields.ts'
import { languageName } from './language.names.ts'

// Derived from the table of fields: what is the same for every field.

/** A field of the form, with the argument that it becomes. */
export interface FormField extends DeskField {
  readonly argument: string
  readonly name: string
}

/** The fields of the form. */
export const formFields: readonly FormField[] = Object.entries(deskFields).flatMap(([argument, one]) =>
  'isAbsent' in one ? [] : [{ ...one, argument, name: one.name ?? argument }],
)

const fieldsByName = new Map(formFields.map((one) => [one.name, one]))

/** Returns a field of the form by its name, in any language. */
export function fieldOf(name: string): FormField | undefined {
  return fieldsByName.get(name.split('.')[0] ?? '')
}

/** Returns the names of a field in the form: one for each language if it is a text. */
export function namesOf({ name, isText }: FormField, languages: readonly string[]): readonly string[] {
  return isText ? languages.map((language) => inLanguage(name, language)) : [name]
}

/** Returns the names of all fields with a value to compare, for these languages. */
export function namesOfFields(languages: readonly string[]): readonly string[] {
  const texts = formFields.filter(({ isText }) => isText)
  return [
    ...languages.flatMap((language) => texts.flatMap((one) => namesOf(one, [language]))),
    ...formFields.flatMap(({ name, isText }) => (isText ? [] : [name])),
  ]
}

/** The texts that people translate, and in which they name days. */
export const proseNames: readonly string[] = formFields.flatMap(({ name, isProse }) => (isProse ? [name] : []))

/** Returns the label of a field, with its language. */
export function labelOf(call: OwnCall, name: string): string {
  const [own = name, language] = name.split('.')
  const label = call.say(fieldOf(own)?.label ?? 'editor.image')
  return language === undefined
    ? label
    : call.say('editor.of-language', { label, language: languageName(call, language) })
}

/** An entry of the table that the history knows. */
type PastField = Pick<DeskField, 'pastLabel' | 'isOpaque'> & Partial<Pick<FormField, 'label' | 'textOf' | 'shown'>>

// The history knows categories and tags together.
const terms: PastField = { pastLabel: 'editor.terms', isOpaque: true }
const pastFields: ReadonlyMap<string, PastField> = new Map(Object.entries({ ...deskFields, terms }))

/** Returns a field by the name that it has in the history. */
export function pastFieldOf(name: string): PastField | undefined {
  return pastFields.get(name)
}

/** Returns its label there. */
export function pastLabelOf(name: string): DeskKey | undefined {
  const { pastLabel, label } = pastFieldOf(name) ?? {}
  return pastLabel ?? label
}
