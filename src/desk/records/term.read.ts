import { languageParameterNames } from '../../access/http/addresses.ts'
import { contentLanguageOf } from '../../base/languages/language.ts'
import { htmlToText } from '../../base/text/escape.ts'
import type { List, Term } from '../api/answers.ts'
import type { OwnCall } from '../shell/desk.call.ts'
import type { EntryState } from './entry.form.ts'

/** Categories or tags. */
export type TermPlural = 'categories' | 'tags'

/** More pages of a hundred terms are not shown. */
const maxPages = 10
const perPage = 100

type TermListJson = List<TermPlural, Term>

/** A category or a tag in all its languages. */
export interface TermRow {
  /** The version in the language of the page, or else another one. */
  readonly id: number
  readonly name: string
  readonly count: number
  readonly versions: readonly { readonly language: string; readonly id: number; readonly name: string }[]
  /** The parent, as an id of any of its versions. */
  readonly parent: number
  /** How far it is below the top of the tree. */
  readonly depth: number
}

/** A category or a tag in one language, with the ids of its versions by language. */
interface TermVersion extends Term {
  readonly language: string
  readonly ids: Readonly<Record<string, number>>
}

/** Reads all categories or tags, each in this language if it exists in it, or else in another one. */
async function readTermsIn({ api, config }: OwnCall, plural: TermPlural, language: string) {
  const words = languageParameterNames(config)
  const found: TermVersion[] = []
  for (let page = 1; page <= maxPages; page += 1) {
    const { status, body } = await api.events<TermListJson>({
      ...{ path: `/${plural}`, query: { per_page: perPage, page, hide_empty: 'false', [words.language]: language } },
    })
    if (status !== 200) break
    for (const term of body[plural] ?? []) {
      const own = term as unknown as Readonly<Record<string, unknown>>
      const ids = (own[words.translations] ?? {}) as Readonly<Record<string, number>>
      found.push({ ...term, language: String(own[words.language] ?? ''), ids })
    }
    if (page >= body.total_pages) break
  }
  return found
}

/** Reads all categories in the order of their tree, or all tags by name, with their names in all languages. */
export async function readTerms(call: OwnCall, plural: TermPlural): Promise<readonly TermRow[]> {
  const { config, textLanguage } = call
  const shown = contentLanguageOf(config, textLanguage)
  const terms = await readTermsIn(call, plural, shown)
  // A list may leave out what exists in other languages only. If it has everything, it names all languages to read.
  const isAll = config.namesFallback === 'any'
  const hasAny = (one: string) => terms.some(({ language, ids }) => language !== one && one in ids)
  const others = config.languages.filter((one) => one !== shown && (!isAll || hasAny(one)))
  const lists = await Promise.all(others.map((one) => readTermsIn(call, plural, one)))
  const all = new Map([...terms, ...lists.flat()].map((one) => [one.id, one]))
  const groups = Map.groupBy(all.values(), ({ id, ids }) => Math.min(id, ...Object.values(ids)))
  const rows = [...groups.values()].flatMap((group): readonly TermRow[] => {
    const term = group.find(({ language }) => language === shown) ?? group[0]
    if (!term) return []
    const { id, name, count = 0, parent = 0 } = term
    const versions = config.languages.flatMap((one) => group.filter(({ language }) => language === one)).map(versionOf)
    return [{ id, name: htmlToText(name), count, versions, parent, depth: 0 }]
  })
  return inTree(rows.toSorted((one, other) => one.name.localeCompare(other.name, shown)))
}

const versionOf = ({ id, language, name }: TermVersion) => ({ id, language, name: htmlToText(name) })

/** Returns the rows in the order of the tree: each is followed by those below it. */
function inTree(rows: readonly TermRow[]): readonly TermRow[] {
  const ordered: TermRow[] = []
  const placed = new Set<TermRow>()
  const byId = new Map(rows.flatMap((row) => row.versions.map(({ id }) => [id, row] as const)))
  const children = Map.groupBy(rows, ({ parent }) => byId.get(parent))
  const place = (row: TermRow, depth: number): void => {
    if (placed.has(row)) return
    placed.add(row)
    ordered.push({ ...row, depth })
    for (const child of children.get(row) ?? []) place(child, depth + 1)
  }
  for (const row of children.get(undefined) ?? []) place(row, 0)
  // What a loop in the data hides is shown at the top.
  for (const row of rows) place(row, 0)
  return ordered
}

export function isVersionOf({ versions }: Pick<TermRow, 'versions'>, id: number): boolean {
  return versions.some((version) => version.id === id)
}

/** Reads a category or a tag; undefined if there is none. */
export async function readTerm(
  { api, config }: OwnCall,
  plural: TermPlural,
  id: string | number,
): Promise<EntryState | undefined> {
  const words = languageParameterNames(config)
  // The language parameter makes the answer say which version it is.
  const { status, body, version } = await api.events<Term>({
    ...{ path: `/${plural}/${id}`, query: { [words.language]: config.languages[0] } },
  })
  if (status !== 200) return undefined
  const { name, description = '', slug, parent = 0 } = body
  const language = String((body as unknown as Readonly<Record<string, unknown>>)[words.language] ?? '')
  return {
    ...{ id: body.id, translates: undefined, language, version: version ?? '', was: {} },
    values: { name: typedName(name), description, slug, parent: parent === 0 ? '' : String(parent) },
  }
}

/** Returns a name as a person types it. What would be read as markup or as a reference stays as it is written. */
function typedName(name: string): string {
  const text = htmlToText(name)
  return /<[a-z!/?]|&#?\w+;/i.test(text) ? name : text
}
