import type { MessageKey } from '../../base/languages/catalogue.ts'
import type { TextLanguage } from '../../base/languages/language.ts'
import { message } from '../../base/languages/texts.ts'
import type { Problem } from '../../base/problems.ts'

// What an import says about a record, before its language is known.

type Group = 'events' | 'venues' | 'organizers' | 'categories' | 'tags'
type Values = Readonly<Record<string, string | number>>
export type ImportKey = Extract<MessageKey, `import.${string}`>

export type ImportText =
  /** @param at The field that is meant: `categories[0].id`. */
  | { readonly key: ImportKey; readonly values?: Values; readonly at?: string }
  | { readonly refused: Pick<Problem, 'code' | 'faults'> }

/** A text about a record. Records other than events name their kind. */
interface SaidOf {
  readonly text: ImportText
  readonly of?: Group | undefined
}

/** Returns the text of a remark. */
export function remarkText(language: TextLanguage, { text, of = 'events' }: SaidOf): string {
  const said = importText(language, text)
  return of === 'events' ? said : message(language, `import.of.${of}`, { text: said })
}

/** Returns a text in a language. */
export function importText(language: TextLanguage, text: ImportText): string {
  if ('refused' in text) return reasonText(language, text.refused)
  return `${text.at ?? ''} ${message(language, text.key, text.values)}`.trimStart()
}

function reasonText(language: TextLanguage, { code, faults }: Pick<Problem, 'code' | 'faults'>): string {
  const texts = Object.entries(faults).map(([name, fault]) => message(language, fault.text, { name, ...fault.values }))
  return texts.length > 0 ? texts.join(' ') : message(language, code)
}

/** What a schema finds wrong in a value. */
export interface ShapeError {
  readonly keyword: string
  readonly instancePath: string
  readonly params: object
}

const limits: Readonly<Record<string, ImportKey>> = {
  maxLength: 'import.shape.characters',
  maxItems: 'import.shape.items',
}

/** Returns what is wrong with the shape of a record. */
export function shapeText(error: ShapeError | undefined): ImportText {
  if (error === undefined) return { key: 'import.shape.unknown' }
  const at = error.instancePath
    .slice(1)
    .replaceAll(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.')
  const { requiredProperties, type, limit } = error.params as Readonly<Record<string, unknown>>
  if (Array.isArray(requiredProperties))
    return { key: 'import.shape.required', values: { names: requiredProperties.join(', ') }, at }
  if (error.keyword === 'type') return { key: typeKey(type), at }
  const key = limits[error.keyword]
  return key === undefined ? { key: 'import.shape.unknown', at } : { key, values: { most: Number(limit) }, at }
}

const types = {
  string: 'import.shape.text',
  integer: 'import.shape.whole',
  number: 'import.shape.number',
  boolean: 'import.shape.boolean',
  array: 'import.shape.list',
  object: 'import.shape.object',
} as const

/** Returns the key of the text about a value that is not of a type of JSON Schema. Of several types, the first is named. */
function typeKey(type: unknown): ImportKey {
  const [name] = [type].flat().filter((one) => one !== 'null')
  return types[name as keyof typeof types] ?? 'import.shape.unknown'
}
