import { languageParameterNames } from '../../access/http/addresses.ts'
import { DEFAULT_TEXT_LANGUAGE } from '../../base/languages/language.ts'
import type { OwnCall } from '../shell/desk.call.ts'
import type { EventJson, EventListJson } from './event.json.ts'
import { everyDay } from './table.days.ts'

const maxPerRead = 50

/** An event in one language. */
export interface Wanted {
  readonly id: number
  readonly language: string
}

/** An event with the ids of all its versions that the user may read, those in the trash excepted. */
export interface EventWithVersions extends EventJson {
  readonly versions: readonly number[]
}

/**
 * Reads events by their ids, in any order. Those in the trash are left out. A list may leave out what exists in other
 * languages only, so the events of each language are read in that language.
 */
export async function readEventsIn(
  { api, config }: OwnCall,
  wanted: readonly Wanted[],
): Promise<readonly EventWithVersions[]> {
  const words = languageParameterNames(config)
  const perRead = Math.min(maxPerRead, config.maxPerPage)
  const reads = [...Map.groupBy(wanted, ({ language }) => language)].flatMap(([language, own]) =>
    Array.from({ length: Math.ceil(own.length / perRead) }, (_, page) => {
      const ids = own.slice(page * perRead, (page + 1) * perRead).map(({ id }) => id)
      return api.events<EventListJson>({
        ...{ path: '/events', textLanguage: DEFAULT_TEXT_LANGUAGE },
        query: { ...everyDay, include: ids.join(','), [words.language]: language, status: 'any', per_page: perRead },
      })
    }),
  )
  const answers = await Promise.all(reads)
  return answers
    .flatMap(({ status, body }) => (status === 200 ? body.events : []))
    .map((event) => {
      const named = (event as unknown as Readonly<Record<string, unknown>>)[words.translations]
      return { ...event, versions: Object.values((named ?? {}) as Readonly<Record<string, number>>) }
    })
}
