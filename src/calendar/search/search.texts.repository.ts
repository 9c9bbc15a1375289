import { sql } from 'kysely'
import { searchedText } from '../../base/text/fold.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Tx } from '../../storage/database/tables.ts'
import type { EventDerivation } from '../index/stale.events.repository.ts'

/** The number of events in memory at once. Each has up to three long texts. */
const eventsAtOnce = 50

interface TextRow {
  readonly id: number
  readonly title: string
  readonly excerpt: string
  readonly content: string
  readonly search_text: string
}

/**
 * The folded texts of events that searches compare. Writes store them. This derivation makes them again if a migration
 * says that their format changed.
 */
export const searchTexts: EventDerivation = {
  tables: [],
  refresh: async (tx, dialect, changes) => {
    await remakeSearchTexts(
      tx,
      dialect,
      changes.filter(({ hasStaleText }) => hasStaleText).map(({ id }) => id),
    )
    return []
  },
}

async function remakeSearchTexts(tx: Tx, dialect: Dialect, ids: readonly number[]): Promise<void> {
  for (let place = 0; place < ids.length; place += eventsAtOnce) {
    const some = ids.slice(place, place + eventsAtOnce)
    const { rows } = await sql<TextRow>`select id, title, excerpt, content, search_text from records
      where ${dialect.isAmong(sql.ref('id'), some)}`.execute(tx)
    const changed = rows.flatMap(({ id, title, excerpt, content, search_text }) => {
      const text = searchedText([title, excerpt, content])
      return text === search_text ? [] : [sql`(cast(${id} as bigint), cast(${text} as text))`]
    })
    if (changed.length === 0) continue
    await sql`update records set search_text = given.column2 from (values ${sql.join(changed)}) as given
      where records.id = given.column1`.execute(tx)
  }
}
