import { sql } from 'kysely'
import type { Db } from '../../storage/database/tables.ts'
import { Dictionary, type DictionaryVersion } from './search.dictionary.ts'

/** The one row that describes the search index. */
export interface SearchState {
  /** Changes when the index is created again. */
  readonly generation: number
  /** The number of documents in a row of level 0. */
  readonly row_size: number
  /** The number of documents so far. They are numbered from 0. */
  readonly documents: number
  /** The tokens so far: see `DictionaryVersion`. */
  readonly tokens: number
  readonly digest: number
  /** Increases whenever events are indexed. */
  readonly version: number
}

/** Reads the state, with the number of events that wait to be indexed. */
export async function readSearchState(db: Db): Promise<SearchState & { readonly pending: number }> {
  const { rows } = await sql<SearchState & { readonly pending: number | string }>`
    select search_state.*, (select count(*) from search_pending) as pending from search_state`.execute(db)
  const [state] = rows
  if (!state) throw new Error('The search index has no state.')
  return { ...state, pending: Number(state.pending) }
}

export function versionOf({ tokens, digest }: SearchState): DictionaryVersion {
  return { count: tokens, digest }
}

interface KnownDictionary {
  readonly generation: number
  readonly dictionary: Dictionary
}

/** The dictionary of each database, as far as it was read. Others see a token only when its transaction has committed. */
const dictionaries = new WeakMap<Db, KnownDictionary>()

/**
 * Returns the dictionary of the index, with the version of the index that it belongs to. Reads only the tokens that this
 * process does not know yet.
 */
export async function readDictionary(
  db: Db,
): Promise<{ readonly dictionary: Dictionary; readonly version: number; readonly generation: number }> {
  const known = dictionaries.get(db)
  const { rows } = await sql<{ readonly number: number; readonly token: string }>`
    select 0 as number, generation || ' ' || tokens || ' ' || digest || ' ' || version as token from search_state
    union all select number, token from search_tokens where number > ${known?.dictionary.version.count ?? 0}
    order by 1`.execute(db)
  const [state, ...added] = rows
  const [generation = 0, count = 0, digest = 0, version = 0] = (state?.token ?? '').split(' ').map(Number)
  const isSame = known?.generation === generation
  if (known && !isSame) return readAnew(db)
  const dictionary = known?.dictionary ?? new Dictionary()
  // Another search may have added tokens in the meantime.
  dictionary.add(added.filter(({ number }) => number > dictionary.version.count).map(({ token }) => token))
  const { count: knownCount, digest: knownDigest } = dictionary.version
  if (knownCount === count && knownDigest !== digest && known) return readAnew(db)
  if (!known && !dictionaries.has(db)) dictionaries.set(db, { generation, dictionary })
  return { dictionary, version, generation }
}

async function readAnew(db: Db): ReturnType<typeof readDictionary> {
  dictionaries.delete(db)
  return readDictionary(db)
}
